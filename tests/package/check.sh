#!/usr/bin/env bash
# One scenario of the package tests: install, or build and run the outside project in consumer/.
# Run by ctest (CMakeLists.txt beside it), which gives the paths.
#
#   check.sh <scenario> <source> <build> <compiler> <cmake> <reflection> <reflection of the shared one>
#            <a second compiler, or nothing>
set -euo pipefail
scenario=$1 source=$2 build=$3 compiler=$4 cmake=$5 reflection=$6 shared_reflection=$7 other=${8:-}

consumer=$source/tests/package/consumer
work=$build/package
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-2}
unset CMAKE_PREFIX_PATH quark_DIR quark_ROOT PKG_CONFIG_PATH

# The connector needn't be in a usual place: where this build has found it, if it has.
mapfile -t connector < <(sed -n 's/^\(QUARK_MYSQLCPPCONN\|MySQLCppConn_INCLUDE_DIR\|MySQLCppConn_LIBRARY\):[A-Z]*=/-D\1=/p' \
  "$build/CMakeCache.txt")

fail() { echo "FAILED: $*" >&2; exit 1; }

# The prefix is moved after the install: nothing in it may remember where it was made.
install_and_move() { # <build> <name>
  rm -rf "$work/$2" "$work/$2.made"
  "$cmake" --install "$1" --prefix "$work/$2.made" >/dev/null
  mv "$work/$2.made" "$work/$2"
}

# Two scenarios compile the library with the same flags: the second takes it from the cache.
ccache_launcher() { command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache || true; }

generator() { command -v ninja >/dev/null && echo Ninja || echo "Unix Makefiles"; }

configure_consumer() { # <name> <arguments of cmake...>
  local name=$1
  shift
  rm -rf "$work/$name"
  "$cmake" -S "$consumer" -B "$work/$name" -G "$(generator)" "$@" \
    -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON
}

# What was built with `native` must do without Boost.
no_boost() { # <reflection>
  [ "$1" = pfr ] || echo -DCMAKE_DISABLE_FIND_PACKAGE_BoostPFR=ON
}

build_and_run_consumer() { # <name>
  "$cmake" --build "$work/$1"
  "$work/$1/consumer-20"
  "$work/$1/consumer-23"
}

# The compiler of this build and, where it is installed, the other one.
compilers() {
  printf '%s\n' "$compiler" ${other:+"$other"}
}

# Flags straight from pkg-config, no CMake.
pkg_config_consumer() { # <name of prefix>
  local prefix=$work/$1 program=$work/consumer-pkg-config-$1 cflags libs libdir dir
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
  for dir in "$prefix"/lib/*/pkgconfig "$prefix"/lib64/pkgconfig; do
    [ -d "$dir" ] && PKG_CONFIG_PATH=$PKG_CONFIG_PATH:$dir
  done
  # Spaces in paths come with a backslash, for a shell to read.
  eval "cflags=($(pkg-config --cflags quark-sqlite)) libs=($(pkg-config --libs quark-sqlite))"
  [ "$(pkg-config --modversion quark)" = "$(pkg-config --modversion quark-sqlite)" ] ||
    fail "the two .pc files differ in version"
  libdir=$(pkg-config --variable=libdir quark)
  libdir=${libdir//\\ / }
  "$compiler" -std=c++20 "${cflags[@]}" "$consumer/main.cpp" "${libs[@]}" \
    -Wl,-rpath,"$libdir" -o "$program"
  "$program"
}

case "$scenario" in
  install_static)
    install_and_move "$build" static
    ;;

  install_shared)
    # Shared, and with the other backend, where Boost is there.
    "$cmake" -S "$source" -B "$work/build-shared" -G "$(generator)" \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
      -DQUARK_REFLECTION="$shared_reflection" $(no_boost "$shared_reflection") \
      -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,defs -DCMAKE_CXX_VISIBILITY_PRESET=hidden \
      -DQUARK_TESTS=OFF -DQUARK_BENCHMARKS=OFF -DQUARK_EXAMPLES=OFF -DQUARK_DOCS=OFF "${connector[@]}"
    "$cmake" --build "$work/build-shared"
    install_and_move "$work/build-shared" shared
    ;;

  headers)
    diff <(cd "$source/include" && find quark -type f | sort) \
         <(cd "$work/static/include" && find . -type f | sed 's|^\./||' | sort) ||
      fail "the installed headers are not those of include/"
    if grep -rnF -e "$source" -e "$build" "$work/static" --include='*.cmake' --include='*.pc'; then
      fail "an installed file names a folder of this machine"
    fi
    ;;

  find_package_static)
    number=0
    while read -r each; do
      number=$((number + 1))
      # A Debug user of a Release library, and the other way round.
      for type in Debug Release; do
        [ "$number" -gt 1 ] && [ "$type" = Release ] && continue
        echo "--- $each, $type"
        configure_consumer "find-static" -DCMAKE_PREFIX_PATH="$work/static" \
          -DCMAKE_CXX_COMPILER="$each" -DCMAKE_BUILD_TYPE="$type" \
          -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON $(no_boost "$reflection")
        build_and_run_consumer "find-static"
      done
    done < <(compilers)
    ;;

  find_package_shared)
    while read -r each; do
      echo "--- $each"
      # Hidden visibility is the user's own affair: our exceptions are caught by type all the same.
      configure_consumer "find-shared" -DCMAKE_PREFIX_PATH="$work/shared" \
        -DCMAKE_CXX_COMPILER="$each" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON $(no_boost "$shared_reflection")
      build_and_run_consumer "find-shared"
    done < <(compilers)
    ;;

  components)
    # A client library that is missing, and an engine that is not installed, fail where they are
    # asked for, with a sentence; the core alone asks for neither.
    prefix=$work/static
    probe() { # <name> <find_package arguments> <cmake arguments...>
      local name=$1 find=$2
      shift 2
      rm -rf "$work/$name"
      mkdir -p "$work/$name"
      printf '%s\n' "cmake_minimum_required(VERSION 3.23)" "project(probe LANGUAGES CXX)" \
        "find_package(quark CONFIG $find)" \
        'message(STATUS "core=${quark_FOUND} sqlite=${quark_sqlite_FOUND} module path=[${CMAKE_MODULE_PATH}]")' \
        'message(STATUS "postgres=${quark_postgres_FOUND} mysqlcppconn=${quark_mysqlcppconn_FOUND}")' \
        'if(TARGET quark::quark)' 'message(STATUS "target core")' 'endif()' \
        'if(TARGET quark::sqlite)' 'message(STATUS "target sqlite")' 'endif()' \
        'message(STATUS "database=${quark_database_FOUND}")' \
        'if(TARGET quark::database)' 'message(STATUS "target database")' 'endif()' \
        'if(TARGET quark::postgres)' 'message(STATUS "target postgres")' 'endif()' \
        'if(TARGET quark::pqxx)' 'message(STATUS "target pqxx")' 'endif()' \
        'if(TARGET quark::mysqlcppconn)' 'message(STATUS "target mysqlcppconn")' 'endif()' \
        >"$work/$name/CMakeLists.txt"
      "$cmake" -S "$work/$name" -B "$work/$name/build" -G "$(generator)" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" "$@" 2>&1 |
        tr -s ' \n' ' '  # CMake breaks lines where it likes
    }
    says() { # <output> <text...>
      local output=$1 text
      shift
      for text in "$@"; do
        [[ $output == *"$text"* ]] || fail "\"$text\" is not in: $output"
      done
    }
    no_sqlite=-DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON
    says "$(probe core "0.1 REQUIRED" $no_sqlite)" "core=1" "target core"
    says "$(probe sqlite "REQUIRED COMPONENTS sqlite")" "core=1 sqlite=TRUE module path=[]" \
      "target sqlite"
    says "$(probe postgres "REQUIRED COMPONENTS postgres" $no_sqlite)" "core=1" "postgres=TRUE" "target postgres"
    if [[ " ${connector[*]} " == *" -DQUARK_MYSQLCPPCONN=ON "* ]]; then
      # A bridge is a component of its own: the engine isn't needed.
      says "$(probe bridge "REQUIRED COMPONENTS mysqlcppconn" $no_sqlite -DCMAKE_DISABLE_FIND_PACKAGE_MySQLClient=ON \
        "${connector[@]}")" "core=1" "mysqlcppconn=TRUE" "target mysqlcppconn"
      says "$(probe connector-missing "REQUIRED COMPONENTS mysqlcppconn" \
        -DCMAKE_DISABLE_FIND_PACKAGE_MySQLCppConn=ON || true)" \
        "Component mysqlcppconn needs MySQLCppConn 1.1" "apt install libmysqlcppconn-dev"
    fi
    says "$(probe libpq-missing "REQUIRED COMPONENTS postgres" -DCMAKE_DISABLE_FIND_PACKAGE_PostgreSQL=ON || true)" \
      "Component postgres needs PostgreSQL 14" "apt install libpq-dev"
    says "$(probe database "REQUIRED COMPONENTS database")" "core=1" "database=TRUE" "target database" "target sqlite" \
      "target postgres"
    says "$(probe database-client-missing "REQUIRED COMPONENTS database" $no_sqlite || true)" \
      "Component sqlite needs SQLite3" "apt install libsqlite3-dev"
    says "$(probe pqxx "REQUIRED COMPONENTS pqxx" $no_sqlite -DCMAKE_DISABLE_FIND_PACKAGE_PostgreSQL=ON)" \
      "core=1" "target pqxx"
    says "$(probe pqxx-missing "REQUIRED COMPONENTS pqxx" -DCMAKE_DISABLE_FIND_PACKAGE_PQXX=ON || true)" \
      "Component pqxx needs PQXX 6.4" "apt install libpqxx-dev"
    says "$(probe optional "REQUIRED OPTIONAL_COMPONENTS sqlite" $no_sqlite)" \
      "core=1 sqlite=FALSE" "target core"
    says "$(probe client-missing "REQUIRED COMPONENTS sqlite" $no_sqlite || true)" \
      "Component sqlite needs SQLite3" "apt install libsqlite3-dev"
    says "$(probe engine-missing "REQUIRED COMPONENTS sqlite nosuchengine" || true)" \
      "Component nosuchengine is not part of this installation"
    says "$(probe too-new "99.0 REQUIRED" || true)" "compatible with requested version \"99.0\""
    [ "$shared_reflection" = pfr ] && prefix=$work/shared
    if [ "$reflection" = pfr ] || [ "$shared_reflection" = pfr ]; then
      says "$(probe no-boost "REQUIRED" -DCMAKE_DISABLE_FIND_PACKAGE_BoostPFR=ON || true)" \
        "needs BoostPFR" "Boost 1.81 or newer"
      says "$(probe no-boost-optional "QUIET" -DCMAKE_DISABLE_FIND_PACKAGE_BoostPFR=ON)" \
        "core=0" "module path=[]"
    fi
    ;;

  pkg_config_static) pkg_config_consumer static ;;
  pkg_config_shared) pkg_config_consumer shared ;;

  add_subdirectory | fetch_content)
    # No build type, as a newcomer would: our libraries are optimised all the same.
    configure_consumer "$scenario" -DHOW="$scenario" -DQUARK_SOURCE="$source" \
      -DCMAKE_CXX_COMPILER="$compiler" -DQUARK_REFLECTION="$reflection" $(no_boost "$reflection") \
      -DCMAKE_EXPORT_COMPILE_COMMANDS=ON $(ccache_launcher)
    grep '"command"' "$work/$scenario/compile_commands.json" | grep -F "$source/src/" |
      grep -qv -e ' -O2 ' && fail "a library file is compiled without -O2"
    build_and_run_consumer "$scenario"
    "$cmake" --install "$work/$scenario" --prefix "$work/$scenario/installed" >/dev/null
    [ -z "$(find "$work/$scenario/installed" -name '*quark*' 2>/dev/null)" ] ||
      fail "the user's install step installs quark"
    ;;

  targets_given)
    # The parent project has the client library and the JSON header already, from wherever: its targets
    # are taken, and nothing is looked for.
    configure_consumer targets_given -DHOW=targets_given -DQUARK_SOURCE="$source" \
      -DCMAKE_CXX_COMPILER="$compiler" -DQUARK_REFLECTION="$reflection" \
      -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON \
      -DCMAKE_DISABLE_FIND_PACKAGE_BoostPFR=ON $(ccache_launcher)
    build_and_run_consumer targets_given
    ;;

  core_only)
    # Without an engine: no client library is looked for, and SQL text for other engines can be made.
    "$cmake" -S "$source" -B "$work/build-core" -G "$(generator)" $(ccache_launcher) \
      -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DQUARK_SQLITE=OFF \
      -DQUARK_POSTGRES=OFF -DQUARK_MYSQL=OFF -DQUARK_MYSQLCPPCONN=OFF \
      -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -DQUARK_REFLECTION="$reflection" $(no_boost "$reflection") \
      -DQUARK_BENCHMARKS=ON -DQUARK_TESTS=ON -DQUARK_EXAMPLES=ON
    "$cmake" --build "$work/build-core" --target quark
    rm -rf "$work/core"
    "$cmake" --install "$work/build-core" --prefix "$work/core" --component quark >/dev/null
    [ ! -e "$work/core/include/quark/sqlite.hpp" ] || fail "the header of an engine that was not built"
    configure_consumer core-consumer -DHOW=core -DCMAKE_PREFIX_PATH="$work/core" -DCMAKE_CXX_COMPILER="$compiler" \
      -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON $(no_boost "$reflection")
    "$cmake" --build "$work/core-consumer"
    "$work/core-consumer/consumer-core"
    ;;

  *) fail "unknown scenario $scenario" ;;
esac
