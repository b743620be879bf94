# The warnings that our own code is held to. Private to our targets: a user of the libraries sees
# the headers as SYSTEM and gets none of these.

function(quark_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees an overlap in `std::string = "x"` and `"x" + std::string` that is not there, at
    # -O2 and inside libstdc++ (GCC bugs 105329 and 105651, mended in 13).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(QUARK_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
