# What the core library and every engine library have in common: sources and headers by folder,
# language level, warnings, install and export, pkg-config file. Used by the root CMakeLists.txt
# for the core and by quark_engine.cmake for the engines.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(QUARK_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/quark")

# quark_library(<target> EXPORT_NAME <name in quark::> DESCRIPTION <text>
#               SOURCES <files> HEADERS <files under include/> [CFLAGS <text>] [REQUIRES <modules>]
#               [LIBS <flags>])
#
# CFLAGS, REQUIRES and LIBS are for the pkg-config file only.
function(quark_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORT_NAME;DESCRIPTION;CFLAGS;REQUIRES;LIBS"
                        "SOURCES;HEADERS")

  add_library(${target} ${arg_SOURCES})  # static, or shared with BUILD_SHARED_LIBS
  add_library(quark::${arg_EXPORT_NAME} ALIAS ${target})
  target_sources(${target} PUBLIC
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  target_compile_features(${target} PUBLIC cxx_std_20)

  # The ordinary call is meant to be the fast call: without any build type (a parent project that
  # sets none) a compiler would not optimise at all.
  target_compile_options(${target} PRIVATE $<$<CONFIG:>:-O2>)

  # Everything is exported, whatever the parent project prefers for itself: an exception is caught
  # by type across the library's edge only if both sides see one type_info.
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${arg_EXPORT_NAME}
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET default
    VISIBILITY_INLINES_HIDDEN OFF
    POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION}
    # While major is 0 a minor version may break, so it is part of the library's name.
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(PROJECT_IS_TOP_LEVEL)
    quark_warnings(${target})
  else()
    set_target_properties(${target} PROPERTIES SYSTEM ON)  # headers without warnings; CMake 3.25
  endif()

  if(NOT QUARK_INSTALL)
    return()
  endif()
  # One component and one export file for each library: a package can ship the engines apart, and
  # a consumer loads only those it asks for.
  install(TARGETS ${target} EXPORT ${target}-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${target}
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${target}
            NAMELINK_COMPONENT ${target}
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${target}
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT ${target}
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT ${target}-targets NAMESPACE quark:: FILE ${target}-targets.cmake
    DESTINATION "${QUARK_INSTALL_CMAKEDIR}" COMPONENT ${target})

  # The .pc file finds its prefix from where it lies, so that an installed tree can be moved.
  set(pc_dir "/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
             OUTPUT_VARIABLE pc_libdir)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
             OUTPUT_VARIABLE pc_includedir)
  cmake_path(SET pc_prefix NORMALIZE "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${pc_prefix}"
             OUTPUT_VARIABLE pc_to_prefix)
  set(pc_name ${target})
  set(pc_description "${arg_DESCRIPTION}")
  set(pc_requires "${arg_REQUIRES}")
  set(pc_cflags "${arg_CFLAGS}")
  set(pc_libs "${arg_LIBS}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/quark.pc.in"
                 "${PROJECT_BINARY_DIR}/${target}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${target}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT ${target})
endfunction()
