#!/usr/bin/env bash
# What of the house style a machine can see without clang-format, which differs from version to version:
# lines of at most 120 characters, no tabs, no blanks at line ends, a header guard, and two lines at the
# top that say what a file is for. Run by ctest as layers.style.
#
#   style.sh <repository> [--fix]      --fix: breaks lines that are too long by clang-format, no others
set -euo pipefail
cd "$1"
export LC_ALL=C.UTF-8  # characters, not bytes
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }

# Generated from a table (cmake/generate_arity.cmake).
mapfile -t files < <(find include src -name '*.hpp' -o -name '*.cpp' | grep -vx include/quark/model/arity.hpp | sort)
[ "${#files[@]}" -gt 0 ] || fail "no files"

too_long() { grep -nE '^.{121,}' "${files[@]}" || true; }

if [ "${2:-}" = --fix ]; then
  # From the end of a file on, so that the numbers stay right.
  while IFS=: read -r file line _; do
    clang-format -i --lines="$line:$line" "$file"
  done < <(too_long | sort -t: -k1,1 -k2,2nr)
fi
while IFS=: read -r file line _; do
  fail "$file:$line: more than 120 characters; with --fix this script breaks the line"
done < <(too_long)
while IFS=: read -r file line _; do
  fail "$file:$line: a tab, or a blank at the end of the line"
done < <(grep -nE $'\t|[[:blank:]]$' "${files[@]}")
for file in "${files[@]}"; do
  [[ $(head -c 3 "$file") == "// " ]] || fail "$file: the first line must say what the file is for"
  [ -z "$(tail -c 1 "$file")" ] || fail "$file: the last line has no end"
  [[ $file != *.hpp ]] || grep -qx '#pragma once' "$file" || fail "$file: no #pragma once"
done

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "${#files[@]} files look as they should"
