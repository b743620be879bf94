#!/usr/bin/env bash
# The example chinook as a command: what it prints and how it ends. Run by ctest as `examples.chinook_command`, beside
# private servers.
#
#   check_chinook.sh <program> <Chinook_Sqlite.sqlite> <folder for scratch files>
set -uo pipefail
program=$1 file=$2 scratch=$3
mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0

fail() { printf 'FAILED: %s\n' "$*"; failures=$((failures + 1)); }
# expect <exit code> <text that the output has> <arguments...>
expect() {
  local code=$1 text=$2
  shift 2
  "$program" "$@" >output 2>&1
  local actual=$?
  [ "$actual" = "$code" ] || fail "($*): exit code $actual instead of $code: $(tail -n 2 output)"
  grep -qF -- "$text" output || fail "($*): says \"$(cat output)\" instead of \"$text\""
}

urls=("$QUARK_TEST_POSTGRES" "$QUARK_TEST_MYSQL")
expect 0 'every value is equal' "$file" "${urls[@]}"
[ "$(grep -c 'every value is equal' output)" = 2 ] || fail 'both servers should have a copy'
[ "$(grep -c '^  all  *15607 ' output)" = 2 ] || fail 'both copies should have 15607 rows'
# The bar is for terminals.
! grep -q $'\r' output || fail 'a file is no terminal'
! grep -qF "$QUARK_TEST_MYSQL" output || fail 'the URL, with its password, is in the output'

expect 1 '"Artist" already exists' "$file" "${urls[@]}"
expect 0 'every value is equal' --replace "$file" "${urls[@]}"
expect 1 'no_such_file' no_such_file "${urls[0]}"
[ ! -e no_such_file ] || fail 'a file was made'
expect 1 'PostgreSQL: ' "$file" postgres://127.0.0.1:1/nothing
expect 2 'usage: ' "$file"
expect 2 'usage: ' "$file" sqlite://somewhere
expect 2 'usage: '
expect 0 'usage: ' --help

if script -qec true /dev/null >/dev/null 2>&1; then
  script -qec "$(printf '%q ' "$program" --replace "$file" "${urls[0]}")" /dev/null >output 2>&1
  grep -qF '[####################' output || fail 'a terminal should have seen the bar'
fi

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "chinook: all runs as expected"
