# How our tests are built: one executable and one ctest entry per folder, not per file, since
# linking and starting cost more than the tests do. Included by the root CMakeLists.txt,
# used by tests/ and benchmarks/.

find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(FATAL_ERROR "quark: GoogleTest was not found. Debian/Ubuntu: apt install libgtest-dev. "
                      "Without tests: -DQUARK_TESTS=OFF.")
endif()

# The compiler that this build does not use, if it is installed: g++, or clang 19 or newer under any
# name. What it takes to be ours is the same as in scripts/packages.sh.
function(quark_other_compiler result)
  set(${result} "" PARENT_SCOPE)
  set(names g++)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(names clang++-19 clang++ clang++-20 clang++-21 clang++-22 clang++-23)
  endif()
  foreach(name IN LISTS names)
    find_program(path ${name} NO_CACHE)
    if(path)
      execute_process(COMMAND "${path}" -dumpversion OUTPUT_VARIABLE version ERROR_QUIET)
      if((name STREQUAL "g++" AND version VERSION_GREATER_EQUAL 12) OR version VERSION_GREATER_EQUAL 19)
        set(${result} "${path}" PARENT_SCOPE)
        return()
      endif()
    endif()
    unset(path)
  endforeach()
endfunction()

# Common to all test programs: warnings, the folder tests/ for "support/...", sanitizer settings.
function(quark_test_program target)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  quark_warnings(${target})
endfunction()

# quark_add_test(<ctest name> LABEL <label> COMMAND <command...> [TIMEOUT <seconds>] [SERVERS <kinds>])
# SERVERS: postgres, mariadb, pgbouncer; the command runs with private servers of these kinds, see
# tests/support/with_servers.sh.
function(quark_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "COMMAND;SERVERS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(arg_SERVERS)
    # A target stands for its program only where it comes first.
    list(POP_FRONT arg_COMMAND program)
    if(TARGET ${program})
      set(program "$<TARGET_FILE:${program}>")
    endif()
    list(PREPEND arg_COMMAND bash "${PROJECT_SOURCE_DIR}/tests/support/with_servers.sh" ${arg_SERVERS} --
         "${program}")
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABEL}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${QUARK_SANITIZER_ENVIRONMENT}")
endfunction()

# The precompiled header of the GoogleTest programs: gtest.h alone costs 1.5 to 2.5 s per file.
# Ours are not in it, so that each test still says what it includes, and the tests of the reflection
# backends, which define different macros, can share it.
function(quark_test_precompiled_header)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp" "// carries the precompiled header\n")
  # The second one is for programs that are not optimised: a compiler takes no header of the other kind.
  foreach(target IN ITEMS quark-test-pch quark-test-pch-plain)
    add_library(${target} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp")
    quark_test_program(${target})
    target_link_libraries(${target} PRIVATE GTest::gtest)
    target_precompile_headers(${target} PRIVATE
      <gtest/gtest.h> <array> <cstdint> <optional> <span> <string> <string_view> <type_traits>
      <utility> <vector>)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # Without the time of its making in it, the same header is the same file, also for ccache.
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endforeach()
  target_compile_options(quark-test-pch-plain PRIVATE -O0)
endfunction()

# quark_gtest_program(<target> SOURCES <files> [LIBRARIES <targets>] [PLAIN]): the program alone; PLAIN: not optimised,
# for those that take the compiler long.
function(quark_gtest_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLAIN" "" "SOURCES;LIBRARIES")
  add_executable(${target} ${arg_SOURCES})
  quark_test_program(${target})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With a precompiled header GCC forgets that <string> and <optional> are system headers, and
    # reports what its optimiser only suspects there. Our libraries keep these warnings.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow
                           -Wno-stringop-overread -Wno-maybe-uninitialized)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      # Reports every `const auto& x = f(list, "text")` that returns a reference into the list.
      target_compile_options(${target} PRIVATE -Wno-dangling-reference)
    endif()
  endif()
  # gtest_main last: a program that brings its own main() never takes that one from the archive.
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} GTest::gtest GTest::gtest_main)
  target_precompile_headers(${target} REUSE_FROM quark-test-pch)
endfunction()

# quark_gtest(<ctest name> LABEL <label> SOURCES <files> [LIBRARIES <targets>] [SERVERS <kinds>] [PLAIN])
function(quark_gtest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLAIN" "LABEL" "SOURCES;LIBRARIES;SERVERS")
  string(REPLACE "." "-" target "quark-test-${name}")
  set(plain)
  if(arg_PLAIN)
    set(plain PLAIN)
  endif()
  quark_gtest_program(${target} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES} ${plain})
  quark_add_test(${name} LABEL ${arg_LABEL} SERVERS ${arg_SERVERS} COMMAND ${target} --gtest_brief=1)
endfunction()

# Takes out of a list of files those of an engine that is not built, and those that include one.
function(quark_without_missing_engines list)
  get_property(engines GLOBAL PROPERTY QUARK_ENGINES)
  file(GLOB all RELATIVE "${PROJECT_SOURCE_DIR}/src/engine" "${PROJECT_SOURCE_DIR}/src/engine/*")
  list(REMOVE_ITEM all ${engines})
  if(TARGET quark-database)
    list(REMOVE_ITEM all database)
  endif()
  set(kept)
  foreach(file IN LISTS ${list})
    set(missing FALSE)
    foreach(engine IN LISTS all)
      set(engine_header "quark/(${engine}\\.hpp|engine/${engine}/)")
      if(file MATCHES "/include/${engine_header}")
        set(missing TRUE)
      else()
        # Ours, or the client library's own, such as sqlite3.h.
        file(STRINGS "${file}" includes REGEX "^#include <(${engine_header}|${engine}[0-9]*\\.h>)"
             LIMIT_COUNT 1)
        if(includes)
          set(missing TRUE)
        endif()
      endif()
    endforeach()
    if(NOT missing)
      list(APPEND kept "${file}")
    endif()
  endforeach()
  set(${list} "${kept}" PARENT_SCOPE)
endfunction()

# Each folder of tests/unit is one program, unit.<folder>. The files model/fields*_test.cpp are left
# out: they are built once per reflection backend by quark_reflection_tests.
function(quark_unit_tests)
  file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS unit/*)
  foreach(folder IN LISTS folders)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
    quark_without_missing_engines(sources)
    list(FILTER sources EXCLUDE REGEX "/unit/model/fields[^/]*_test\\.cpp$")
    if(sources)
      cmake_path(GET folder FILENAME name)
      set(libraries quark-test-support quark::quark)
      if(name STREQUAL "engine" OR name STREQUAL "query" OR name STREQUAL "schema")
        # These layers are tested against text and recorders, but may open an engine too.
        get_property(engines GLOBAL PROPERTY QUARK_ENGINES)
        list(TRANSFORM engines PREPEND quark::)
        list(APPEND libraries ${engines})
      endif()
      quark_gtest(unit.${name} LABEL unit SOURCES ${sources} LIBRARIES ${libraries})
    endif()
  endforeach()
endfunction()

# The matrix of struct types against every backend, whichever this build uses: fields.pfr,
# fields.native and, where the installed PFR is older than 1.84 and can't name members itself,
# fields.pfr_names with a stand-in that can. LINK_ONLY takes the library without its compile
# definitions, which name a backend.
function(quark_reflection_tests)
  file(GLOB sources CONFIGURE_DEPENDS unit/model/fields*_test.cpp)
  if(NOT sources)
    return()
  endif()
  find_package(BoostPFR 1.81 QUIET)
  set(backends native)
  if(BoostPFR_FOUND)
    list(APPEND backends pfr)
    if(BoostPFR_VERSION VERSION_LESS 1.84)
      list(APPEND backends pfr_names)
    endif()
  else()
    message(STATUS "quark: no test fields.pfr, Boost 1.81 or newer was not found")
  endif()
  foreach(backend IN LISTS backends)
    quark_gtest(fields.${backend} LABEL unit SOURCES ${sources}
      LIBRARIES $<LINK_ONLY:quark>)
    set(target quark-test-fields-${backend})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include")
    if(backend STREQUAL "native")
      target_compile_definitions(${target} PRIVATE QUARK_REFLECTION_NATIVE=1)
    else()
      target_compile_definitions(${target} PRIVATE QUARK_REFLECTION_PFR=1)
      target_link_libraries(${target} PRIVATE BoostPFR::BoostPFR)
    endif()
    if(backend STREQUAL "pfr_names")
      target_include_directories(${target} BEFORE PRIVATE
        "${CMAKE_CURRENT_SOURCE_DIR}/unit/model/pfr_names")
    endif()
  endforeach()
endfunction()

# One suite, every engine: engines/suite/*.cpp is compiled for each engine with engines/<name>_main.cpp,
# which says how to open it, and what only that engine has in engines/<name>/*.cpp. It runs with the
# servers that the table names. Bridges are engines as well, unless QUARK_TEST_BRIDGES is off.
function(quark_engine_tests)
  set(servers_of_sqlite)
  set(servers_of_postgres postgres)
  set(servers_of_mysql mariadb)
  set(servers_of_pqxx postgres)
  set(servers_of_mysqlcppconn mariadb)
  get_property(engines GLOBAL PROPERTY QUARK_ENGINES)
  if(NOT QUARK_TEST_BRIDGES)
    list(REMOVE_ITEM engines ${QUARK_BRIDGES})
  endif()
  foreach(engine IN LISTS engines)
    file(GLOB sources CONFIGURE_DEPENDS
         engines/suite/*.cpp engines/${engine}_main.cpp engines/${engine}/*.cpp)
    if(engine IN_LIST QUARK_BRIDGES)
      # A bridge runs on connections of its host's: it has no pools and no deadlines.
      list(FILTER sources EXCLUDE REGEX "/suite/(pool|deadline)_test\\.cpp$")
      # What a bridge adds is in its library: of these tests the compiler's time is worth more than theirs.
      set(plain PLAIN)
    else()
      set(plain)
    endif()
    if(sources)
      quark_gtest(engine.${engine} LABEL engine SERVERS ${servers_of_${engine}} SOURCES ${sources}
        LIBRARIES quark-test-support quark::${engine} ${plain})
      string(TOUPPER ${engine} macro)
      target_compile_definitions(quark-test-engine-${engine} PRIVATE QUARK_TEST_ENGINE_${macro}=1)
    endif()
  endforeach()
  if(TARGET quark-database AND QUARK_TEST_BRIDGES)
    # The suite on a database whose engine is chosen at run time: one program, a test per engine.
    file(GLOB sources CONFIGURE_DEPENDS engines/suite/*.cpp engines/database_main.cpp engines/database/*.cpp)
    # Three engines' code for each query: without optimisation the compiler takes half as long.
    quark_gtest_program(quark-test-engine-database PLAIN SOURCES ${sources}
      LIBRARIES quark-test-support quark::database)
    target_compile_definitions(quark-test-engine-database PRIVATE QUARK_TEST_ENGINE_DATABASE=1)
    list(REMOVE_ITEM engines ${QUARK_BRIDGES})
    foreach(engine IN LISTS engines)
      quark_add_test(engine.database.${engine} LABEL engine SERVERS ${servers_of_${engine}}
        COMMAND quark-test-engine-database ${engine} --gtest_brief=1)
    endforeach()
  endif()
  if(TARGET quark-test-engine-mysql)
    # As on a server that has neither RETURNING nor arrays of parameters, such as MySQL.
    quark_add_test(engine.mysql.without_returning LABEL engine SERVERS mariadb
      COMMAND quark-test-engine-mysql --gtest_brief=1 --without-returning)
  endif()
  if(TARGET quark-test-engine-mysqlcppconn)
    # As on a connection that counts changed rows only (but for plain SQL, which says what the server says), and on a
    # server without RETURNING.
    quark_add_test(engine.mysqlcppconn.without_found_rows LABEL engine SERVERS mariadb
      COMMAND quark-test-engine-mysqlcppconn --gtest_brief=1 --without-found-rows --without-returning
              --gtest_filter=-BadInput.APlainStatementReportsItsErrorToo:B17.APlainStatementIsOneStatement)
  endif()
  if(TARGET quark-test-engine-postgres)
    # The suite once more through a pooler that gives every transaction another server connection.
    quark_add_test(engine.postgres.pgbouncer LABEL engine TIMEOUT 600 SERVERS postgres pgbouncer
      COMMAND ${CMAKE_COMMAND} -E env QUARK_TEST_POOLER=1 $<TARGET_FILE:quark-test-engine-postgres>
              --gtest_brief=1 --gtest_filter=-*Postgres*:*Pool*)
  endif()
endfunction()

# What servers and disks do to us: engines/faults/*.cpp, a program per engine with servers that it has for itself, since it
# stops them. A server that a URL names is not used. A small disk needs a mount, which not every container allows: then
# ctest lists faults.<engine>.full_disk as skipped.
function(quark_fault_tests)
  set(servers_of_sqlite)
  set(servers_of_postgres postgres)
  set(servers_of_mysql mariadb)
  file(GLOB sources CONFIGURE_DEPENDS engines/faults/*.cpp)
  get_property(engines GLOBAL PROPERTY QUARK_ENGINES)
  list(REMOVE_ITEM engines ${QUARK_BRIDGES})  # their connections are their hosts'
  set(own ${CMAKE_COMMAND} -E env --unset=QUARK_TEST_POSTGRES --unset=QUARK_TEST_MYSQL
      bash "${PROJECT_SOURCE_DIR}/tests/support/with_servers.sh")
  foreach(engine IN LISTS engines)
    set(target quark-test-faults-${engine})
    quark_gtest_program(${target} SOURCES ${sources} engines/${engine}_main.cpp LIBRARIES quark-test-support quark::${engine})
    string(TOUPPER ${engine} macro)
    target_compile_definitions(${target} PRIVATE QUARK_TEST_ENGINE_${macro}=1)
    set(command ${own} ${servers_of_${engine}} disk -- $<TARGET_FILE:${target}> --gtest_brief=1)
    quark_add_test(faults.${engine}.full_disk LABEL engine COMMAND ${command} --gtest_filter=FullDisk.*)
    set_tests_properties(faults.${engine}.full_disk PROPERTIES SKIP_REGULAR_EXPRESSION "LEFT OUT: ")
    if(NOT QUARK_SANITIZE)
      quark_add_test(faults.${engine}.stream_memory LABEL engine COMMAND ${command} --gtest_filter=StreamMemory.*)
    endif()
    if(servers_of_${engine})
      quark_add_test(faults.${engine} LABEL engine COMMAND ${command} --gtest_filter=-FullDisk.*:StreamMemory.*)
    endif()
  endforeach()
endfunction()

# Each public header in a unit of its own, twice, so that it includes what it needs and may be
# included again. Built, not run: the compiler is the test. No precompiled header, on purpose.
function(quark_header_tests)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/quark/*.hpp")
  quark_without_missing_engines(headers)
  set(units)
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/include")
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include <@header@>\n#include <@header@>\n" @ONLY)
    list(APPEND units "${unit}")
  endforeach()
  add_library(quark-test-headers OBJECT ${units})
  quark_test_program(quark-test-headers)
  # -O0 -g0: only the front end is wanted.
  target_compile_options(quark-test-headers PRIVATE -O0 -g0)
  get_property(engines GLOBAL PROPERTY QUARK_ENGINES)
  list(TRANSFORM engines PREPEND quark::)
  target_link_libraries(quark-test-headers PRIVATE quark::quark ${engines} $<TARGET_NAME_IF_EXISTS:quark::database>)
endfunction()

# Programs that must not compile, and the sentence they must end with; check_compile_fail.sh does
# one file. Our headers are precompiled once for all of them, else each would cost a second twice.
function(quark_compile_fail_tests)
  file(GLOB sources CONFIGURE_DEPENDS compile_fail/*.cpp)
  quark_without_missing_engines(sources)
  if(NOT sources OR NOT QUARK_SQLITE)
    return()
  endif()
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/compile_fail")
  # A target that is never built: it is asked for the include folders and definitions of a user.
  add_library(quark-compile-fail-user OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(quark-compile-fail-user PRIVATE quark::sqlite)
  if(QUARK_POSTGRES)
    target_link_libraries(quark-compile-fail-user PRIVATE quark::postgres)
  endif()
  set(includes "$<TARGET_PROPERTY:quark-compile-fail-user,INCLUDE_DIRECTORIES>")
  set(defines "$<TARGET_PROPERTY:quark-compile-fail-user,COMPILE_DEFINITIONS>")
  file(GENERATE OUTPUT "${dir}/flags" CONTENT
"-std=c++20
-Wall -Wextra -fno-diagnostics-color
-I\"${PROJECT_SOURCE_DIR}/tests\"
$<$<BOOL:${includes}>:-I\"$<JOIN:$<FILTER:${includes},EXCLUDE,^/usr/include$>,\"\n-I\">\">
$<$<BOOL:${defines}>:-D$<JOIN:${defines},\n-D>>
")
  file(CONFIGURE OUTPUT "${dir}/quark_all.hpp" CONTENT
"#include <quark/quark.hpp>
#include <quark/sqlite.hpp>
")
  add_custom_command(OUTPUT "${dir}/quark_all.hpp.gch"
    COMMAND "${CMAKE_CXX_COMPILER}" @flags -x c++-header quark_all.hpp -o quark_all.hpp.gch
            -MD -MF quark_all.d -MQ "${dir}/quark_all.hpp.gch"
    DEPENDS "${dir}/flags" "${dir}/quark_all.hpp"
    DEPFILE "${dir}/quark_all.d"
    WORKING_DIRECTORY "${dir}"
    COMMENT "Precompiling our headers for the compile-fail tests"
    VERBATIM)
  add_custom_target(quark-test-compile-fail ALL DEPENDS "${dir}/quark_all.hpp.gch")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    quark_add_test(compile_fail.${name} LABEL compile_fail TIMEOUT 120
      COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/check_compile_fail.sh"
              "${CMAKE_CXX_COMPILER}" "${dir}" "${source}" "${QUARK_REFLECTION}")
  endforeach()
  quark_add_test(compile_fail.sentences LABEL compile_fail
    COMMAND bash "${PROJECT_SOURCE_DIR}/tests/compile_fail/check_sentences.sh" "${PROJECT_SOURCE_DIR}")
endfunction()
