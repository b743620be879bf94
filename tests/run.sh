#!/usr/bin/env bash
# Builds everything and runs the whole test suite; installs what is missing first (apt).
# For people and for CI: .ci/run is this command.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/steps.sh"
source "$root/scripts/packages.sh"

usage() {
  cat <<'TEXT'
bash tests/run.sh [--lanes LANE,...] [-- CTEST ARGUMENTS]

Installs what is missing (with apt; elsewhere it names the packages and stops, Boost, Doxygen,
locales and ccache excepted, which it does without), then configures, builds and tests in one or more lanes. Default: gcc,clang-asan,tsan

  gcc         g++, optimised, warnings are errors, benchmarks and package tests included
  clang-asan  clang 19, debug checks, AddressSanitizer and UndefinedBehaviorSanitizer, pfr
  gcc-asan    the same sanitizers with g++
  tsan        clang 19, ThreadSanitizer: what has threads, the engine suite and unit.exec
  clang       clang 19, debug, no sanitizer
  pfr         g++, debug, pfr: the unit tests and the engine suite

A lane takes structs apart with `native`, the default of a build, where `pfr` (Boost.PFR) isn't named.
The matrix of structs is tested with both in every lane.

Environment
  QUARK_BUILD_DIR           where to build (default: build/ in the repository), a folder per lane
  QUARK_JOBS                compilers and tests at once (default: by cores and memory)
  QUARK_REFLECTION          native or pfr, for all lanes instead of their own
  Boost_ROOT                a Boost that is not in a usual place
  QUARK_INSTALL_PACKAGES    no: install nothing, name what is missing and stop
TEXT
}

lanes=gcc,clang-asan,tsan
while [ $# -gt 0 ]; do
  case "$1" in
    --lanes) lanes=${2:?--lanes needs a list}; shift 2 ;;
    --lanes=*) lanes=${1#*=}; shift ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    *) usage >&2; exit 2 ;;
  esac
done
IFS=, read -r -a lanes <<<"$lanes"

# lane -> the preset it builds (CMakePresets.json) and its compiler.
preset_of() {
  case "$1" in
    gcc) echo release g++ ;;
    clang-asan) echo asan "$(clang_compiler)" ;;
    gcc-asan) echo asan g++ ;;
    tsan) echo tsan "$(clang_compiler)" ;;
    clang) echo clang "$(clang_compiler)" ;;
    pfr) echo pfr g++ ;;
    *) return 1 ;;
  esac
}

# The suites of the bridges and of quark::database are built in one lane: they take the compiler long, and run the same
# tests as those of the engines.
options_of() {
  case "$1" in
    gcc | gcc-asan) echo -DQUARK_TEST_BRIDGES=ON ;;
    *) echo -DQUARK_TEST_BRIDGES=OFF ;;
  esac
}

# What a lane builds, as targets, and tests, as arguments of ctest; by default all.
targets_of() {
  case "$1" in
    tsan) echo quark-test-unit-exec quark-test-engine-{sqlite,postgres,mysql} ;;
    *) echo all ;;
  esac
}
tests_of() {
  case "$1" in
    tsan) echo '-R ^(unit\.exec|engine\..*)$' ;;
    pfr) echo '-L unit|engine' ;;
  esac
}

# The reflection backend of a lane. Where Boost can't be had, all lanes but `pfr` do without it.
backend_of() {
  if [ -n "${QUARK_REFLECTION:-}" ]; then
    echo "$QUARK_REFLECTION"
  elif [ "$1" = pfr ] || { [ "$1" = clang-asan ] && has boost; }; then
    echo pfr
  else
    echo native
  fi
}

needs=(compiler cmake ninja pkg-config sqlite json gtest benchmark python tzdata
  postgres-client postgres-server pgbouncer pqxx mysql-client mariadb-server mariadb-client mysqlcppconn)
# Without a wish tests are left out: both backends compared, the reference pages, numbers in a locale
# with commas. ccache saves time.
wishes=(boost doxygen locales ccache)
[ "${QUARK_REFLECTION:-}" != pfr ] || needs+=(boost)
for lane in "${lanes[@]}"; do
  preset_of "$lane" >/dev/null || { echo "unknown lane: $lane" >&2; usage >&2; exit 2; }
  case "$lane" in clang* | tsan) needs+=(clang clang-runtime) ;; pfr) needs+=(boost) ;; esac
done

build_dir=${QUARK_BUILD_DIR:-$root/build}
mkdir -p "$build_dir"
build_dir=$(cd "$build_dir" && pwd)
jobs=${QUARK_JOBS:-$(parallel_jobs)}

echo "Quark: the whole test suite"
echo "  lanes:  ${lanes[*]}"
echo "  build:  $build_dir/<lane>, $jobs at once"

step "looking for tools and libraries" require_packages "${needs[@]}" --wishes "${wishes[@]}"

# What could only be unpacked is found by CMake, also by that of the package tests.
MySQLCppConn_ROOT=${MySQLCppConn_ROOT:-$(mysqlcppconn_root)}
export MySQLCppConn_ROOT

# What ctest keeps to itself when tests pass: which backends read structs, and how they got the names.
show_reflection() { # <build>
  local program
  for program in "$1"/tests/quark-test-fields-*; do
    "$program" --gtest_filter=Fields.SayWhichBackendRuns --gtest_brief=1 | grep backend:
  done
}

for lane in "${lanes[@]}"; do
  read -r preset compiler <<<"$(preset_of "$lane")"
  backend=$(backend_of "$lane")
  read -r -a targets <<<"$(targets_of "$lane")"
  read -r -a tests <<<"$(tests_of "$lane")"
  # A preset is read from the current directory.
  cd "$root"
  step "$lane: configuring, reflection: $backend" cmake --preset "$preset" -B "$build_dir/$lane" \
    -DCMAKE_CXX_COMPILER="$compiler" -DQUARK_REFLECTION="$backend" -DQUARK_WERROR=ON $(options_of "$lane")
  step "$lane: building" cmake --build "$build_dir/$lane" --parallel "$jobs" \
    --target "${targets[@]}"
  step "$lane: testing" ctest --test-dir "$build_dir/$lane" --parallel "$jobs" \
    --output-on-failure --no-tests=error "${tests[@]}" "$@"
  [ "$lane" = tsan ] ||
    step "$lane: reflection backends that were tested" show_reflection "$build_dir/$lane"
done

printf '\nAll lanes passed: %s, %s s altogether\n' "${lanes[*]}" "$SECONDS"
