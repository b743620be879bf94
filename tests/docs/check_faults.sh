#!/usr/bin/env bash
# docs/faults.md against the tests: each fault from B01 to B52 has one row, each test that a row names
# exists, and a test whose name has a fault's number is named in that row. Run by ctest as docs.faults.
#
#   check_faults.sh <repository>
set -euo pipefail
cd "$1"
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }

# Every test as suite.name, as ctest or GoogleTest knows it.
names=$(
  find tests benchmarks -name '*.cpp' -exec grep -hoE '^(TYPED_)?TEST(_F|_P)?\([A-Za-z0-9_]+, *[A-Za-z0-9_]+' {} + |
    sed -E 's/^[A-Z_]*\(([A-Za-z0-9_]+), */\1./'
  sed -nE 's/^quark_package_test\(([a-z_]+).*/package.B52_\1/p' tests/package/CMakeLists.txt
  find tests/compile_fail -name '*.cpp' -printf 'compile_fail.%f\n' | sed 's/\.cpp$//'
  grep -rhoE 'quark_add_test\([a-z._]+ ' tests --include=CMakeLists.txt | sed -E 's/.*\((.*) /\1/'
)

for number in {1..52}; do
  id=$(printf 'B%02d' "$number")
  row=$(grep "^| $id |" docs/faults.md || true)
  [ "$(grep -c . <<<"$row")" = 1 ] || { fail "$id: not one row"; continue; }
  tests=${row##*| later:}
  own=$(grep -E "^${id}[A-Z]?[A-Za-z]*\.|\.${id}_" <<<"$names" || true)
  if [ "$tests" != "$row" ]; then
    [ -z "$own" ] || fail "$id: marked as later, but there is $(head -n 1 <<<"$own")"
    continue
  fi
  patterns=$(sed -E 's/^\| [^|]*\| [^|]*\| //' <<<"$row" | grep -oE '`[^`]+`' | tr -d '`' || true)
  [ -n "$patterns" ] || fail "$id: no test"
  while IFS= read -r pattern; do
    found=
    while IFS= read -r name; do
      # shellcheck disable=SC2053  # a pattern on the right
      if [[ $name == $pattern ]]; then found=1; break; fi
    done <<<"$names"
    [ -n "$found" ] || fail "$id: there is no test $pattern"
  done <<<"$patterns"
  while IFS= read -r name; do
    covered=
    while IFS= read -r pattern; do
      # shellcheck disable=SC2053
      [[ $name == $pattern ]] && covered=1
    done <<<"$patterns"
    [ -n "$covered" ] || fail "$id: the row does not name $name"
  done <<<"${own:-${patterns%%$'\n'*}}"
done

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "52 faults, and the tests that name them"
