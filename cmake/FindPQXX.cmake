# libpqxx, the C++ client of PostgreSQL: found through pkg-config, or by its own package (libpqxx 7).
#
# Makes the target PQXX::PQXX, and sets PQXX_FOUND and PQXX_VERSION. PQXX_ROOT and CMAKE_PREFIX_PATH are looked at, too,
# for installations without pkg-config files.

if(NOT TARGET libpqxx::pqxx)  # the parent project may have its own
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(PC_PQXX QUIET libpqxx)
    set(PQXX_VERSION "${PC_PQXX_VERSION}")
  endif()
  find_path(PQXX_INCLUDE_DIR pqxx/pqxx HINTS ${PC_PQXX_INCLUDE_DIRS})
  find_library(PQXX_LIBRARY NAMES pqxx HINTS ${PC_PQXX_LIBRARY_DIRS})
  mark_as_advanced(PQXX_INCLUDE_DIR PQXX_LIBRARY)
  if(PQXX_INCLUDE_DIR AND NOT PQXX_VERSION AND EXISTS "${PQXX_INCLUDE_DIR}/pqxx/version.hxx")
    file(STRINGS "${PQXX_INCLUDE_DIR}/pqxx/version.hxx" PQXX_VERSION REGEX "define +PQXX_VERSION +\"")
    string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" PQXX_VERSION "${PQXX_VERSION}")
  endif()
  if(NOT PQXX_LIBRARY)
    find_package(libpqxx CONFIG QUIET)
    set(PQXX_VERSION "${libpqxx_VERSION}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
if(TARGET libpqxx::pqxx)
  if(NOT PQXX_VERSION)
    set(PQXX_VERSION 7)  # the first that has this target
  endif()
  set(PQXX_target libpqxx::pqxx)
  find_package_handle_standard_args(PQXX REQUIRED_VARS PQXX_target VERSION_VAR PQXX_VERSION)
else()
  find_package_handle_standard_args(PQXX REQUIRED_VARS PQXX_LIBRARY PQXX_INCLUDE_DIR VERSION_VAR PQXX_VERSION)
endif()

if(PQXX_FOUND AND NOT TARGET PQXX::PQXX)
  if(TARGET libpqxx::pqxx)
    add_library(PQXX::PQXX INTERFACE IMPORTED)
    target_link_libraries(PQXX::PQXX INTERFACE libpqxx::pqxx)
  else()
    add_library(PQXX::PQXX UNKNOWN IMPORTED)
    set_target_properties(PQXX::PQXX PROPERTIES
      IMPORTED_LOCATION "${PQXX_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${PQXX_INCLUDE_DIR}")
  endif()
endif()
unset(PQXX_target)
