#!/usr/bin/env bash
# Builds the example chinook and runs it: copies the Chinook database into PostgreSQL and MariaDB and compares every
# value. Installs what is missing first (apt), and starts private servers, which go when it ends.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/scripts/steps.sh"
source "$root/scripts/packages.sh"

file=${QUARK_CHINOOK:-$root/../shared/data/chinook/Chinook_Sqlite.sqlite}
case "${1:-}" in
  -h | --help)
    cat <<'TEXT'
bash docs/examples/chinook.sh [Chinook_Sqlite.sqlite [--replace]]

Installs what is missing (with apt; elsewhere it names the packages and stops), configures, builds and runs
docs/examples/chinook.cpp beside private servers. The file is only read; --replace drops Chinook's tables first.

Environment
  QUARK_CHINOOK             the file (default: ../shared/data/chinook/Chinook_Sqlite.sqlite beside the repository)
  QUARK_TEST_POSTGRES       a URL, postgres://...: copy there, and start no PostgreSQL
  QUARK_TEST_MYSQL          a URL, mysql://...: copy there, and start no MariaDB
  QUARK_BUILD_DIR           where to build, in a folder chinook (default: build/ in the repository)
  QUARK_REFLECTION          native, or pfr, which needs Boost 1.81 or newer (default: native)
  QUARK_INSTALL_PACKAGES    no: install nothing, name what is missing and stop
TEXT
    exit 0
    ;;
esac
[ $# -eq 0 ] || file=$1
if [ ! -f "$file" ]; then
  echo "chinook.sh: $file isn't there. The Chinook database is not part of Quark: give the path of its" >&2
  echo "Chinook_Sqlite.sqlite as an argument, or in QUARK_CHINOOK." >&2
  exit 2
fi
file=$(realpath "$file")

build_dir=${QUARK_BUILD_DIR:-$root/build}/chinook
mkdir -p "$build_dir"
build_dir=$(cd "$build_dir" && pwd)

echo "Quark: the Chinook database"
echo "  file:   $file"
echo "  build:  $build_dir"

reflection=${QUARK_REFLECTION:-native}
needs=(compiler cmake ninja sqlite json postgres-client mysql-client)
[ -n "${QUARK_TEST_POSTGRES:-}" ] || needs+=(postgres-server)
[ -n "${QUARK_TEST_MYSQL:-}" ] || needs+=(mariadb-server)
[ "$reflection" = native ] || needs+=(boost)
step "looking for tools and libraries" require_packages "${needs[@]}"

step "configuring" cmake -S "$root" -B "$build_dir" -G Ninja \
  -DCMAKE_BUILD_TYPE=Release -DQUARK_REFLECTION="$reflection" -DQUARK_EXAMPLES=ON \
  -DQUARK_POSTGRES=ON -DQUARK_MYSQL=ON -DQUARK_TESTS=OFF -DQUARK_BENCHMARKS=OFF -DQUARK_DOCS=OFF
step "building" cmake --build "$build_dir" --parallel "$(parallel_jobs)" --target quark-example-chinook

printf '\n==> running\n\n'
# shellcheck disable=SC2016  # the variables are those that with_servers.sh sets
exec bash "$root/tests/support/with_servers.sh" postgres mariadb -- \
  bash -c 'exec "$1" "${@:3}" "$2" "$QUARK_TEST_POSTGRES" "$QUARK_TEST_MYSQL"' chinook \
  "$build_dir/docs/examples/quark-example-chinook" "$file" "${@:2}"
