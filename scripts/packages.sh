# Shell functions: finds out which tools and libraries are missing and installs them where there is
# apt; elsewhere it names them and stops. Sourced by tests/run.sh and docs/examples/run.sh.
#
#   require_packages <need...> [--wishes <need...>]
#
#   needs: compiler cmake ninja pkg-config sqlite boost json tzdata python gtest benchmark ccache
#          clang clang-runtime doxygen valgrind locales
#          postgres-client postgres-server pgbouncer pqxx mysql-client mariadb-server mariadb-client mysqlcppconn
#
# A need is looked for by what it gives (a command, a header that the compiler sees), not by its
# package: what came from elsewhere counts. A package is installed only when its need is not met.
# A wish is installed as well, but done without, in one line of output, where that can't be.

CLANG_VERSION=19

# --- is it there? ----------------------------------------------------------------------------

# As the build does, it looks for Boost in Boost_ROOT first.
# has_header <header> [preprocessor condition that must hold [header that it is asked of]]
has_header() {
  local compiler
  compiler=$(command -v "${CXX:-g++}" || command -v g++ || command -v c++ || command -v clang++) || return 1
  printf '#if !__has_include(<%s>)\n#error\n#else\n#include <%s>\n#if !(%s)\n#error\n#endif\n#endif\n' \
    "$1" "${3:-$1}" "${2:-1}" |
    "$compiler" ${Boost_ROOT:+-isystem "$Boost_ROOT/include"} -x c++ -std=c++20 -E - >/dev/null 2>&1
}

# version_at_least <have> <want>
version_at_least() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# clang++ of CLANG_VERSION or newer, whatever its name.
clang_compiler() {
  local name
  for name in "clang++-$CLANG_VERSION" clang++ clang++-{20..29}; do
    if command -v "$name" >/dev/null && version_at_least "$("$name" -dumpversion)" "$CLANG_VERSION"; then
      echo "$name"
      return
    fi
  done
  return 1
}

# The folder of the newest PostgreSQL server that is 14 or newer. Debian keeps each version in a folder
# of its own, which is not in PATH.
postgres_programs() {
  local program version newest=13.99 found=
  for program in /usr/lib/postgresql/*/bin/postgres "$(command -v postgres)"; do
    if [ -x "$program" ] && [ -x "${program%/*}/initdb" ]; then
      version=$("$program" --version | awk '{ print $3 }')
      if ! version_at_least "$newest" "$version"; then
        newest=$version found=${program%/*}
      fi
    fi
  done
  [ -n "$found" ] && echo "$found"
}

# What is a server for everybody on Debian lies in sbin, which is not in everybody's PATH.
mariadb_server() { PATH=$PATH:/usr/sbin command -v mariadbd; }
pgbouncer_program() { PATH=$PATH:/usr/sbin command -v pgbouncer; }

# Where a package lies that is only unpacked; see unpack_mysqlcppconn. `build_dir` is the sourcing script's.
unpacked_folder() {
  local build=${build_dir:-${QUARK_BUILD_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build}}
  echo "$build/unpacked"
}

# The prefix of an unpacked MySQL Connector/C++, for CMake's MySQLCppConn_ROOT; nothing when there is none.
mysqlcppconn_root() {
  local library
  for library in "$(unpacked_folder)"/usr/lib/*/libmysqlcppconn.so; do
    # Followed to the file that it names.
    if [ -r "$library" ] && [ -r "$(unpacked_folder)/usr/include/cppconn/driver.h" ]; then
      echo "$(unpacked_folder)/usr"
    fi
  done
}

# Whether the compiler's linker finds a library.
has_library() { # <name>
  local program status=0
  program=$(mktemp)
  echo 'int main() {}' | "${CXX:-g++}" -x c++ - "-l$1" -o "$program" 2>/dev/null || status=1
  rm -f "$program"
  return "$status"
}

has() {
  case "$1" in
    compiler) command -v g++ >/dev/null && version_at_least "$(g++ -dumpversion)" 12 ;;
    cmake) command -v cmake >/dev/null &&
             version_at_least "$(cmake --version | awk 'NR == 1 { print $3 }')" 3.23 ;;
    ninja) command -v ninja >/dev/null ;;
    pkg-config) command -v pkg-config >/dev/null ;;
    sqlite) has_header sqlite3.h 'SQLITE_VERSION_NUMBER >= 3037000' ;;
    boost) has_header boost/pfr/core.hpp 'BOOST_VERSION >= 108100' boost/version.hpp ;;
    json) has_header nlohmann/json_fwd.hpp ;;
    gtest) has_header gtest/gtest.h 1 cstddef ;;
    benchmark) has_header benchmark/benchmark.h 1 cstddef ;;
    tzdata) [ -r /usr/share/zoneinfo/zone1970.tab ] && [ -r /usr/share/zoneinfo/iso3166.tab ] ;;
    python) command -v python3 >/dev/null ;;
    locales) [ -r /usr/share/i18n/locales/de_DE ] || locale -a 2>/dev/null | grep -qiE '^(de_DE|fr_FR)' ;;
    ccache | doxygen | valgrind) command -v "$1" >/dev/null ;;
    clang) clang_compiler >/dev/null ;;
    clang-runtime) local program status=0
      program=$(mktemp)
      echo 'int main() {}' | "$(clang_compiler)" -fsanitize=address,undefined -x c++ - \
        -o "$program" 2>/dev/null || status=1
      rm -f "$program"
      return "$status" ;;
    # The header says what the library can do: pipelines came with 14.
    postgres-client) has_header postgresql/libpq-fe.h 'defined(LIBPQ_HAS_PIPELINING)' ||
                       has_header libpq-fe.h 'defined(LIBPQ_HAS_PIPELINING)' ;;
    pqxx) has_header pqxx/version.hxx 'PQXX_VERSION_MAJOR > 6 || PQXX_VERSION_MINOR >= 4' ;;
    postgres-server) postgres_programs >/dev/null ;;
    pgbouncer) pgbouncer_program >/dev/null ;;
    mysql-client) pkg-config --exists libmariadb 2>/dev/null || pkg-config --exists mysqlclient 2>/dev/null ;;
    mysqlcppconn) [ -n "$(mysqlcppconn_root)" ] || { has_header cppconn/driver.h && has_library mysqlcppconn; } ;;
    mariadb-server) mariadb_server >/dev/null && command -v mariadb-install-db >/dev/null ;;
    mariadb-client) command -v mariadb >/dev/null ;;
    *) echo "packages.sh: unknown need $1" >&2; exit 2 ;;
  esac
}

# --- what is its package? --------------------------------------------------------------------

# The Debian/Ubuntu package of a need.
package_of() {
  case "$1" in
    compiler) echo g++ ;;
    ninja) echo ninja-build ;;
    sqlite) echo libsqlite3-dev ;;
    json) echo nlohmann-json3-dev ;;
    gtest) echo libgtest-dev ;;
    benchmark) echo libbenchmark-dev ;;
    python) echo python3 ;;
    clang) echo "clang-$CLANG_VERSION" ;;
    clang-runtime) echo "libclang-rt-$(clang_major)-dev" ;;
    boost) boost_package ;;
    postgres-client) echo libpq-dev ;;
    pqxx) echo libpqxx-dev ;;
    postgres-server) echo postgresql ;;
    mysql-client) echo libmariadb-dev ;;
    # The -core packages hold the programs and nothing that runs by itself.
    mariadb-server) echo mariadb-server-core ;;
    mariadb-client) echo mariadb-client-core ;;
    mysqlcppconn) echo libmysqlcppconn-dev ;;
    *) echo "$1" ;;
  esac
}

# The libraries must be those of the compiler that is there, or of the one that will be installed.
clang_major() {
  local compiler
  if compiler=$(clang_compiler); then
    "$compiler" -dumpversion | cut -d. -f1
  else
    echo "$CLANG_VERSION"
  fi
}

apt_candidate() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ && $2 != "(none)" { print $2 }'
}

# Boost 1.81 or newer: libboost-dev where the release is new enough (Ubuntu 24.04), else the newest
# package that carries its version in its name (Debian 12: libboost1.81-dev beside Boost 1.74).
boost_package() {
  local candidate
  candidate=$(apt_candidate libboost-dev)
  if [ -n "$candidate" ] && version_at_least "$candidate" 1.81; then
    echo libboost-dev
    return
  fi
  candidate=$(LC_ALL=C apt-cache search --names-only '^libboost1\.[0-9]+-dev$' 2>/dev/null |
    awk '{ print $1 }' | sort -V | tail -n 1)
  echo "${candidate:-libboost1.81-dev}"
}

# What to look for where there is no apt.
describe_need() {
  case "$1" in
    compiler) echo "g++ 12 or newer" ;;
    cmake) echo "CMake 3.23 or newer" ;;
    ninja) echo "Ninja" ;;
    sqlite) echo "SQLite 3.37 or newer with its header sqlite3.h" ;;
    boost) echo "Boost 1.81 or newer (headers only: boost/pfr/core.hpp)" ;;
    json) echo "nlohmann/json (header)" ;;
    tzdata) echo "the time zone tables /usr/share/zoneinfo/iso3166.tab and zone1970.tab" ;;
    python) echo "Python 3" ;;
    gtest) echo "GoogleTest" ;;
    benchmark) echo "Google Benchmark" ;;
    locales) echo "a locale with a decimal comma, de_DE, or its source" ;;
    postgres-client) echo "libpq of PostgreSQL 14 or newer with its header libpq-fe.h" ;;
    postgres-server) echo "a PostgreSQL server, 14 or newer (initdb and postgres)" ;;
    pgbouncer) echo "pgbouncer" ;;
    pqxx) echo "libpqxx 6.4 or newer with its header pqxx/pqxx" ;;
    mysql-client) echo "libmariadb or libmysqlclient with its header mysql.h, known to pkg-config" ;;
    mariadb-server) echo "a MariaDB server (mariadbd and mariadb-install-db)" ;;
    mariadb-client) echo "the command mariadb" ;;
    mysqlcppconn) echo "MySQL Connector/C++ 1.1 with its headers cppconn/*.h" ;;
    clang) echo "clang++ $CLANG_VERSION or newer" ;;
    clang-runtime) echo "the sanitizer libraries of clang $(clang_major)" ;;
    *) echo "$1" ;;
  esac
}

# --- install ---------------------------------------------------------------------------------

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q "$@"
}

apt_update() {
  echo "    apt-get update"
  apt_get update
}

# Nothing that the user has is removed for our sake: apt stops instead.
apt_install() {
  apt_get install -y --no-install-recommends --no-remove "$@"
}

# Like apt_install, but what is a server is there only to be started by the tests: Debian's packages
# would create a cluster of PostgreSQL and start it, and pgbouncer too, now and whenever the machine starts.
apt_install_without_services() {
  local settings=/etc/postgresql-common/createcluster.d status=0
  if ! command -v dpkg >/dev/null; then
    apt_install "$@"
    return
  fi
  case " $* " in *" postgresql "*)
    as_root mkdir -p "$settings"
    echo 'create_main_cluster = false' | as_root tee "$settings/quark.conf" >/dev/null ;;
  esac
  apt_install "$@" || status=$?
  # The setting was for this installation alone.
  as_root rm -f "$settings/quark.conf"
  case " $* " in *" pgbouncer "*)
    if [ "$status" = 0 ]; then
      as_root env PATH="$PATH:/usr/sbin:/sbin" service pgbouncer stop >/dev/null 2>&1 || true
      as_root env PATH="$PATH:/usr/sbin:/sbin" update-rc.d pgbouncer disable >/dev/null 2>&1 || true
    fi ;;
  esac
  return "$status"
}

# The connector's package for developers brings Debian 12's Boost 1.74, which can't be beside 1.81; its headers that we
# use need none. Where that is so, they are unpacked into a folder of ours, with the library, and nothing is installed.
needs_unpacking() { [ "$1" = mysqlcppconn ] && [ "$(boost_package)" != libboost-dev ] && command -v dpkg-deb >/dev/null; }
unpack_mysqlcppconn() {
  local folder library
  folder=$(unpacked_folder)
  library=$(LC_ALL=C apt-cache depends libmysqlcppconn-dev 2>/dev/null |
    awk '/ Depends: libmysqlcppconn/ { print $2; exit }')
  echo "    unpacking: libmysqlcppconn-dev $library"
  rm -rf "$folder"
  mkdir -p "$folder"
  # (apt says that it could not do without root's rights where root is asked: no matter.)
  (cd "$folder" && apt-get -q download libmysqlcppconn-dev "$library" 2>/dev/null &&
    for package in *.deb; do dpkg-deb -x "$package" . || exit 1; done) || return 1
}

# Would the package of a need install, and without removing others? Debian 12, for one, can hold
# one Boost: 1.81 would remove 1.74 where that is installed.
installable() {
  LC_ALL=C apt-get -s -q install --no-install-recommends --no-remove "$(package_of "$1")" \
    >/dev/null 2>&1
}

missing_needs() {
  local need
  for need in "$@"; do
    has "$need" || echo "$need"
  done | awk '!seen[$0]++'
}

name_and_stop() {
  local need
  echo "$1" >&2
  shift
  for need in "$@"; do
    printf '  %s (Debian/Ubuntu: %s)\n' "$(describe_need "$need")" "$(package_of "$need")" >&2
  done
  return 1
}

do_without() {
  local wish
  for wish in "$@"; do
    printf '    done without: %s (Debian/Ubuntu: %s)\n' "$(describe_need "$wish")" "$(package_of "$wish")"
  done
}

# Returns non-zero when a need is missing in the end; ask `has <wish>` what became of a wish.
require_packages() {
  local needs=() wishes=() missing=() missing_wishes=() packages=() need no_apt=
  while [ $# -gt 0 ] && [ "$1" != --wishes ]; do
    needs+=("$1")
    shift
  done
  [ $# -eq 0 ] || { shift; wishes=("$@"); }
  mapfile -t missing < <(missing_needs "${needs[@]}")
  mapfile -t missing_wishes < <(missing_needs "${wishes[@]}")
  if [ $((${#missing[@]} + ${#missing_wishes[@]})) -eq 0 ]; then
    echo "    nothing is missing"
    return 0
  fi

  if [ "${QUARK_INSTALL_PACKAGES:-yes}" = no ]; then
    no_apt="QUARK_INSTALL_PACKAGES=no forbids to install."
  elif ! command -v apt-get >/dev/null; then
    no_apt="There is no apt on this system."
  elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    no_apt="Installing needs root, and there is no sudo."
  fi
  if [ -n "$no_apt" ]; then
    do_without "${missing_wishes[@]}"
    [ "${#missing[@]}" -eq 0 ] && return 0
    name_and_stop "$no_apt Please install:" "${missing[@]}"
    return 1
  fi

  # The package lists are fetched only when they don't know what we need (a fresh system).
  for need in "${missing[@]}" "${missing_wishes[@]}"; do
    if [ -z "$(apt_candidate "$(package_of "$need")")" ]; then
      apt_update
      break
    fi
  done
  for need in "${missing[@]}"; do
    ! needs_unpacking "$need" || unpack_mysqlcppconn || echo "    ... which failed"
  done
  mapfile -t packages < <(for need in "${missing[@]}"; do
    needs_unpacking "$need" || package_of "$need"
  done)
  if [ "${#packages[@]}" -gt 0 ]; then
    echo "    installing: ${packages[*]}"
    if ! apt_install_without_services "${packages[@]}"; then
      echo "    once more, with fresh package lists"
      apt_update
      apt_install_without_services "${packages[@]}"
    fi
  fi
  mapfile -t packages < <(for need in "${missing_wishes[@]}"; do
    if installable "$need"; then package_of "$need"; fi
  done)
  if [ "${#packages[@]}" -gt 0 ]; then
    echo "    installing: ${packages[*]}"
    apt_install "${packages[@]}" || true
  fi

  mapfile -t missing_wishes < <(missing_needs "${wishes[@]}")
  do_without "${missing_wishes[@]}"
  mapfile -t missing < <(missing_needs "${needs[@]}")
  if [ "${#missing[@]}" -ne 0 ]; then
    name_and_stop "Installed, and still not found or too old:" "${missing[@]}"
    return 1
  fi
}
