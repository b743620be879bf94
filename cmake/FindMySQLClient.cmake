# The MySQL C API: libmariadb (MariaDB Connector/C) or libmysqlclient, found through pkg-config.
#
# Makes the target MySQLClient::MySQLClient, and sets MySQLClient_FOUND, MySQLClient_VERSION and
# MySQLClient_PKG_CONFIG (the module that was found). MySQLClient_ROOT and CMAKE_PREFIX_PATH are
# looked at, too, for installations without pkg-config files.

find_package(PkgConfig QUIET)
set(MySQLClient_PKG_CONFIG "")
foreach(module IN ITEMS libmariadb mysqlclient)
  if(PKG_CONFIG_FOUND AND NOT MySQLClient_PKG_CONFIG)
    pkg_check_modules(PC_MySQLClient_${module} QUIET ${module})
    if(PC_MySQLClient_${module}_FOUND)
      set(MySQLClient_PKG_CONFIG ${module})
      set(MySQLClient_hint_include ${PC_MySQLClient_${module}_INCLUDE_DIRS})
      set(MySQLClient_hint_library ${PC_MySQLClient_${module}_LIBRARY_DIRS})
      set(MySQLClient_VERSION ${PC_MySQLClient_${module}_VERSION})
    endif()
  endif()
endforeach()

find_path(MySQLClient_INCLUDE_DIR mysql.h
  HINTS ${MySQLClient_hint_include} PATH_SUFFIXES mariadb mysql)
# The library that belongs to the header: never one of each.
if(MySQLClient_PKG_CONFIG STREQUAL "mysqlclient")
  set(MySQLClient_names mysqlclient)
else()
  set(MySQLClient_names mariadb)
  if(MySQLClient_INCLUDE_DIR AND NOT EXISTS "${MySQLClient_INCLUDE_DIR}/mariadb_version.h")
    set(MySQLClient_names mysqlclient)
    set(MySQLClient_PKG_CONFIG mysqlclient)
  elseif(NOT MySQLClient_PKG_CONFIG)
    set(MySQLClient_PKG_CONFIG libmariadb)
  endif()
endif()
find_library(MySQLClient_LIBRARY NAMES ${MySQLClient_names}
  HINTS ${MySQLClient_hint_library} PATH_SUFFIXES mariadb mysql)
mark_as_advanced(MySQLClient_INCLUDE_DIR MySQLClient_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MySQLClient
  REQUIRED_VARS MySQLClient_LIBRARY MySQLClient_INCLUDE_DIR
  VERSION_VAR MySQLClient_VERSION)

if(MySQLClient_FOUND AND NOT TARGET MySQLClient::MySQLClient)
  add_library(MySQLClient::MySQLClient UNKNOWN IMPORTED)
  set_target_properties(MySQLClient::MySQLClient PROPERTIES
    IMPORTED_LOCATION "${MySQLClient_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MySQLClient_INCLUDE_DIR}")
endif()
unset(MySQLClient_names)
unset(MySQLClient_hint_include)
unset(MySQLClient_hint_library)
