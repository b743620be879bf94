#!/usr/bin/env bash
# scripts/packages.sh on systems that this one is not: without apt, without sudo, with an apt that is
# a stub and only writes down what it is asked. Run by ctest as scripts.packages.
#
#   check_packages.sh <repository> <folder for scratch files>
set -uo pipefail
root=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
unset QUARK_INSTALL_PACKAGES QUARK_REFLECTION CXX
failures=0
fail() { printf 'FAILED: %s\n' "$*"; failures=$((failures + 1)); }

# system <name> <command...>: a folder bin with the plain tools and nothing else, the whole PATH.
system() {
  mkdir -p "$1/bin"
  local tool
  for tool in bash env awk sed grep sort head tail cut cat printf rm mktemp dirname mkdir touch; do
    ln -sf "$(command -v "$tool")" "$1/bin/$tool"
  done
}

stub() { # <system> <command> <body>
  printf '#!/usr/bin/env bash\n%s\n' "$3" >"$1/bin/$2"
  chmod +x "$1/bin/$2"
}

# run <system> <script> <expected exit code>: output in `output`
run() {
  local code=0
  output=$(cd / && PATH=$scratch/$1/bin QUARK_BUILD_DIR=$scratch/$1/build bash "$root/$2" 2>&1) || code=$?
  [ "$code" = "$3" ] || fail "$1, $2: exit code $code instead of $3: $output"
}

says() { # <text...>
  local text
  for text in "$@"; do
    [[ $output == *"$text"* ]] || fail "\"$text\" is not in: $output"
  done
}

says_not() {
  [[ $output != *"$1"* ]] || fail "\"$1\" is in: $output"
}

# No apt: all that is missing is named, with its package, and nothing is built.
system plain
stub plain id 'echo 0'
for script in docs/examples/run.sh tests/run.sh benchmarks/run.sh; do
  run plain $script 1
  says 'There is no apt on this system' 'g++ 12 or newer (Debian/Ubuntu: g++)' \
    'CMake 3.23 or newer (Debian/Ubuntu: cmake)' 'Ninja (Debian/Ubuntu: ninja-build)' \
    'SQLite 3.37 or newer with its header sqlite3.h (Debian/Ubuntu: libsqlite3-dev)' \
    'nlohmann/json (header) (Debian/Ubuntu: nlohmann-json3-dev)'
  says_not '==> configuring'
done
run plain docs/examples/run.sh 1
says_not Boost
run plain tests/run.sh 1
says 'libpq of PostgreSQL 14 or newer with its header libpq-fe.h (Debian/Ubuntu: libpq-dev)' \
  'libpqxx 6.4 or newer with its header pqxx/pqxx (Debian/Ubuntu: libpqxx-dev)' 'mysql.h, known to pkg-config (Debian/Ubuntu: libmariadb-dev)' \
  'mariadbd and mariadb-install-db) (Debian/Ubuntu: mariadb-server-core)'
says 'clang++ 19 or newer (Debian/Ubuntu: clang-19)' 'GoogleTest (Debian/Ubuntu: libgtest-dev)' \
  'done without: Boost 1.81 or newer' 'done without: doxygen' 'done without: ccache'
export QUARK_REFLECTION=pfr
run plain docs/examples/run.sh 1
says 'Boost 1.81 or newer (headers only: boost/pfr/core.hpp) (Debian/Ubuntu: '
unset QUARK_REFLECTION

# apt, but neither root nor sudo; and told not to install.
system user
stub user id 'echo 1000'
stub user apt-get 'echo "apt-get was called"; exit 1'
run user docs/examples/run.sh 1
says 'Installing needs root, and there is no sudo' 'g++ 12 or newer'
says_not 'apt-get was called'
stub user id 'echo 0'
export QUARK_INSTALL_PACKAGES=no
run user docs/examples/run.sh 1
says 'QUARK_INSTALL_PACKAGES=no forbids to install' 'g++ 12 or newer'
says_not 'apt-get was called'
unset QUARK_INSTALL_PACKAGES

# sudo is used where it is needed; a package that does not bring what it should is told of.
system sudo
stub sudo id 'echo 1000'
stub sudo sudo 'echo "sudo $*" >>"'"$scratch"'/sudo.log"; "$@"'
stub sudo apt-get 'echo "$*" >>"'"$scratch"'/apt.log"'
stub sudo apt-cache 'echo "  Candidate: 1.83.0"'
run sudo docs/examples/run.sh 1
says 'installing: g++ cmake ninja-build libsqlite3-dev nlohmann-json3-dev' \
  'Installed, and still not found or too old:' 'CMake 3.23 or newer'
grep -q '^sudo env .*apt-get .*install .*--no-remove .*g++' sudo.log || fail "sudo.log: $(cat sudo.log)"
grep -q ' update' apt.log && fail "package lists were fetched though they know all"

# A fresh system knows no package: the lists are fetched first. A wish that can't be installed without
# removing something else is done without.
system fresh
stub fresh id 'echo 0'
stub fresh apt-get 'echo "$*" >>"'"$scratch"'/fresh.log"
case "$*" in *-s*libboost*) exit 100 ;; esac'
stub fresh apt-cache 'exit 0'
run fresh tests/run.sh 1
says 'done without: Boost 1.81 or newer' 'installing: doxygen'
head -n 1 fresh.log | grep -q ' update$' || fail "the first call is not an update: $(head -n 1 fresh.log)"
grep -v -e '^-s ' fresh.log | grep -q 'install .*boost' && fail "Boost was installed"

# What there is counts, whatever its package: clang of a newer version and another name.
system clang
stub clang clang++ 'echo 14.0.6'
stub clang clang++-21 'echo 21.1.0'
found=$(PATH=$scratch/clang/bin bash -c 'source "$1/scripts/packages.sh"; clang_compiler; package_of clang-runtime' _ "$root")
[ "$found" = $'clang++-21\nlibclang-rt-21-dev' ] || fail "clang: $found"
rm clang/bin/clang++-21
PATH=$scratch/clang/bin bash -c 'source "$1/scripts/packages.sh"; has clang' _ "$root" &&
  fail "clang 14 is taken for clang 19"

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "what is missing is named or installed"
