#!/usr/bin/env bash
# Builds the quickstart and runs it on this machine's time zone tables; installs what is missing
# first (apt). Arguments are passed on to the program.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/scripts/steps.sh"
source "$root/scripts/packages.sh"

case "${1:-}" in
  -h | --help)
    cat <<'TEXT'
bash docs/examples/run.sh [ARGUMENTS OF THE QUICKSTART]

Installs what is missing (with apt; elsewhere it names the packages and stops), configures, builds
and runs docs/examples/quickstart.cpp.

Environment
  QUARK_BUILD_DIR           where to build, in a folder examples (default: build/ in the repository)
  QUARK_REFLECTION          native, or pfr, which needs Boost 1.81 or newer (default: native)
  QUARK_INSTALL_PACKAGES    no: install nothing, name what is missing and stop
TEXT
    exit 0
    ;;
esac

build_dir=${QUARK_BUILD_DIR:-$root/build}/examples
mkdir -p "$build_dir"
build_dir=$(cd "$build_dir" && pwd)

echo "Quark: the quickstart"
echo "  build:  $build_dir"

reflection=${QUARK_REFLECTION:-native}
needs=(compiler cmake ninja sqlite json tzdata)
[ "$reflection" = native ] || needs+=(boost)
step "looking for tools and libraries" require_packages "${needs[@]}"

step "configuring" cmake -S "$root" -B "$build_dir" -G Ninja \
  -DCMAKE_BUILD_TYPE=Release -DQUARK_REFLECTION="$reflection" -DQUARK_EXAMPLES=ON \
  -DQUARK_POSTGRES=OFF -DQUARK_MYSQL=OFF -DQUARK_MYSQLCPPCONN=OFF -DQUARK_TESTS=OFF -DQUARK_BENCHMARKS=OFF -DQUARK_DOCS=OFF
step "building" cmake --build "$build_dir" --parallel "$(parallel_jobs)" \
  --target quark-example-quickstart

printf '\n==> running\n\n'
exec "$build_dir/docs/examples/quark-example-quickstart" "$@"
