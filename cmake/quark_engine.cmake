# One call makes everything that an engine is to the build: the target quark-<name> (quark::<name>),
# its client library, its headers, its install component and what the package config needs to find
# the client library again. A new engine is one call in the root CMakeLists.txt.

# quark_engine(<name> PACKAGE <package> [VERSION <least>] TARGET <imported target>
#              {PKG_CONFIG <module> | LIBS <flags>} APT <Debian/Ubuntu package>)
#
# LIBS: how the client library is linked, where it has no pkg-config module.
#
# Sources: src/engine/<name>/*.cpp. Headers: include/quark/<name>.hpp and
# include/quark/engine/<name>/*.hpp. If cmake/Find<package>.cmake exists it is used and installed.
function(quark_engine name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE;VERSION;TARGET;PKG_CONFIG;LIBS;APT" "")
  set(target quark-${name})

  if(NOT TARGET ${arg_TARGET})  # the parent project may have its own
    find_package(${arg_PACKAGE} ${arg_VERSION} QUIET)
  endif()
  if(NOT TARGET ${arg_TARGET})
    string(TOUPPER ${name} option)
    message(FATAL_ERROR
      "quark: the engine ${name} needs ${arg_PACKAGE} ${arg_VERSION} or newer, "
      "which was not found. Debian/Ubuntu: apt install ${arg_APT}. "
      "Without this engine: -DQUARK_${option}=OFF.")
  endif()

  # GLOB with CONFIGURE_DEPENDS here and below: the folder is the list. A file that is added is
  # built without a second place to edit, at the price of one directory look-up per build.
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/engine/${name}/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/quark/${name}.hpp"
       "${PROJECT_SOURCE_DIR}/include/quark/engine/${name}/*.hpp")
  quark_library(${target} EXPORT_NAME ${name} DESCRIPTION "Quark ORM: the ${name} engine"
    SOURCES ${sources} HEADERS ${headers} REQUIRES "quark ${arg_PKG_CONFIG}"
    LIBS "${arg_LIBS}")
  target_link_libraries(${target} PUBLIC quark::quark ${arg_TARGET})
  set_property(GLOBAL APPEND PROPERTY QUARK_ENGINES ${name})

  if(QUARK_INSTALL)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/quark-component.cmake.in"
                   "${PROJECT_BINARY_DIR}/quark-${name}-component.cmake" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/quark-${name}-component.cmake"
      DESTINATION "${QUARK_INSTALL_CMAKEDIR}" COMPONENT ${target})
    if(EXISTS "${PROJECT_SOURCE_DIR}/cmake/Find${arg_PACKAGE}.cmake")
      install(FILES "${PROJECT_SOURCE_DIR}/cmake/Find${arg_PACKAGE}.cmake"
        DESTINATION "${QUARK_INSTALL_CMAKEDIR}" COMPONENT ${target})
    endif()
  endif()
endfunction()
