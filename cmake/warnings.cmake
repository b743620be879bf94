# The warnings that our own code is held to. Private to our targets: a user of the libraries sees
# the headers as SYSTEM and gets none of these.

function(quark_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  if(QUARK_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
