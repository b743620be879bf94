# QUARK_SANITIZE=address,undefined or thread: instruments everything that is built here, the
# libraries and the tests alike, since a half-instrumented program hides faults or reports false
# ones. Included once, before the first target.

if(QUARK_SANITIZE)
  add_compile_options(-fsanitize=${QUARK_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${QUARK_SANITIZE})
  # Leaks and a first undefined operation end the test; the stack says where.
  set(QUARK_SANITIZER_ENVIRONMENT
      "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1"
      "UBSAN_OPTIONS=print_stacktrace=1"
      "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1")
endif()
