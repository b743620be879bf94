#!/usr/bin/env bash
# Builds the benchmarks (Release, -O2) and prints the tables of docs/performance.md; installs what is missing first (apt).
# Where valgrind or clang can't be had, the part or the columns that need them are left out, and that is said.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/steps.sh"
source "$root/scripts/packages.sh"

usage() {
  cat <<'TEXT'
bash benchmarks/run.sh [--quick] [--only speed|instructions|compile]

  speed         time and allocations of each operation, hand-written and by Quark (about 2 minutes)
  instructions  instructions of each operation, counted by valgrind (about 1 minute)
  compile       what Quark costs to compile, with g++ and clang 19, and both reflection backends (about 15 minutes)

  --quick       fewer and shorter rounds, fewer files: about 3 minutes altogether

Environment
  QUARK_BUILD_DIR           where to build, in a folder benchmarks (default: build/ in the repository)
  QUARK_REFLECTION          native or pfr, for the parts speed and instructions (default: native)
  QUARK_INSTALL_PACKAGES    no: install nothing, name what is missing and stop
TEXT
}

quick=
parts="speed instructions compile"
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) quick=1; shift ;;
    --only) parts=${2:?--only needs a name}; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
case "$parts" in
  speed | instructions | compile | "speed instructions compile") ;;
  *) usage >&2; exit 2 ;;
esac
wants() { case " $parts " in *" $1 "*) true ;; *) false ;; esac; }

build_dir=${QUARK_BUILD_DIR:-$root/build}/benchmarks
mkdir -p "$build_dir"
build_dir=$(cd "$build_dir" && pwd)

reflection=${QUARK_REFLECTION:-native}
needs=(compiler cmake ninja pkg-config sqlite json benchmark python
  postgres-client postgres-server mysql-client mariadb-server)
wishes=()
[ "$reflection" = native ] || needs+=(boost)
if wants instructions; then wishes+=(valgrind); fi
if wants compile; then wishes+=(clang boost); fi
step "looking for tools and libraries" require_packages "${needs[@]}" --wishes "${wishes[@]}"

if wants speed || wants instructions; then
  step "configuring" cmake -S "$root" -B "$build_dir" -G Ninja \
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" \
    -DQUARK_REFLECTION="$reflection" -DQUARK_BENCHMARKS=ON \
    -DQUARK_MYSQLCPPCONN=OFF -DQUARK_TESTS=OFF -DQUARK_EXAMPLES=OFF -DQUARK_DOCS=OFF
  step "building" cmake --build "$build_dir" --parallel "$(parallel_jobs)"
fi
if wants speed; then
  step "SQLite: time and allocations" "$build_dir/benchmarks/quark-bench-sqlite-table" ${quick:+--quick}
  # Client and server on one CPU: waking the other one costs more than the query, and is the same for every arm.
  step "PostgreSQL: time and allocations" taskset -c 0 bash "$root/tests/support/with_servers.sh" postgres -- \
    "$build_dir/benchmarks/quark-bench-postgres-table" ${quick:+--quick}
  step "MariaDB: time and allocations" taskset -c 0 bash "$root/tests/support/with_servers.sh" mariadb -- \
    "$build_dir/benchmarks/quark-bench-mysql-table" ${quick:+--quick}
fi
if wants instructions; then
  if command -v valgrind >/dev/null; then
    step "SQLite: instructions" bash "$root/benchmarks/harness/callgrind.sh" \
      "$build_dir/benchmarks/quark-bench-sqlite-instructions"
  else
    printf '\nLEFT OUT: instructions are not counted without valgrind\n'
  fi
fi
if wants compile; then
  has clang || printf '\nLEFT OUT: the columns of clang %s, which is not installed\n' "$CLANG_VERSION"
  backends=(--backend native)
  if has boost; then
    backends+=(--backend pfr)
  else
    printf '\nLEFT OUT: the backend pfr, for which Boost 1.81 is not installed\n'
  fi
  step "cost of compiling" python3 "$root/benchmarks/compile/measure.py" "${backends[@]}" ${quick:+--check --times 1}
fi
