# Uses ccache when it is installed and nobody chose a launcher. With a precompiled header ccache
# caches nothing unless it is told that the header's own time stamps and macros don't matter, so
# the setting rides along in the launcher.

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(QUARK_CCACHE ccache DOC "Compiler cache for our own builds")
  mark_as_advanced(QUARK_CCACHE)
  if(QUARK_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        "${QUARK_CCACHE}")
  endif()
endif()
