# MySQL Connector/C++ 1.1: the headers cppconn/*.h and the library mysqlcppconn. Its releases 8 and newer are another
# library under a similar name.
#
# Makes the target MySQLCppConn::MySQLCppConn, and sets MySQLCppConn_FOUND and MySQLCppConn_VERSION. MySQLCppConn_ROOT
# and CMAKE_PREFIX_PATH are looked at; there is no pkg-config file.

find_path(MySQLCppConn_INCLUDE_DIR cppconn/driver.h)
find_library(MySQLCppConn_LIBRARY NAMES mysqlcppconn)
mark_as_advanced(MySQLCppConn_INCLUDE_DIR MySQLCppConn_LIBRARY)

if(MySQLCppConn_INCLUDE_DIR AND EXISTS "${MySQLCppConn_INCLUDE_DIR}/cppconn/version_info.h")
  file(STRINGS "${MySQLCppConn_INCLUDE_DIR}/cppconn/version_info.h" MySQLCppConn_version_line
       REGEX "define +MYCPPCONN_DM_VERSION ")
  string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" MySQLCppConn_VERSION "${MySQLCppConn_version_line}")
  unset(MySQLCppConn_version_line)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MySQLCppConn
  REQUIRED_VARS MySQLCppConn_LIBRARY MySQLCppConn_INCLUDE_DIR
  VERSION_VAR MySQLCppConn_VERSION)

if(MySQLCppConn_FOUND AND NOT TARGET MySQLCppConn::MySQLCppConn)
  add_library(MySQLCppConn::MySQLCppConn UNKNOWN IMPORTED)
  set_target_properties(MySQLCppConn::MySQLCppConn PROPERTIES
    IMPORTED_LOCATION "${MySQLCppConn_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MySQLCppConn_INCLUDE_DIR}")
endif()
