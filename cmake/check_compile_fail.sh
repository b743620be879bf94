#!/usr/bin/env bash
# One program that must not compile: with QUARK_MISTAKE defined the compiler must refuse it with the
# expected sentence, without it the same file must compile (so that it fails for that reason only).
# Run by ctest, see quark_compile_fail_tests in quark_test.cmake.
#
#   check_compile_fail.sh <compiler> <folder with flags and quark_all.hpp> <file> <reflection backend>
#
# The file says what it expects in its first lines:
#   // expect: <extended regular expression, matched against one line of the compiler's output>
#   // within: <N>    (optional) the sentence is in one of the first N lines that say "error:"
#   // errors: <N>    (optional) there are at most N lines that say "error:": nothing follows the sentence
#   // only: <backend>   (optional) a mistake with that reflection backend only; with another one the
#                     file must compile with it
set -uo pipefail
compiler=$1 dir=$2 file=$3 backend=$4
export LC_ALL=C  # messages in English with plain quotes
cd "$dir" || exit 1

expected=$(sed -n '1,5s|^// expect: *||p' "$file" | head -n 1)
within=$(sed -n '1,5s|^// within: *\([0-9][0-9]*\).*|\1|p' "$file" | head -n 1)
errors=$(sed -n '1,5s|^// errors: *\([0-9][0-9]*\).*|\1|p' "$file" | head -n 1)
only=$(sed -n '1,5s|^// only: *||p' "$file" | head -n 1)
if [ -z "$expected" ]; then
  echo "$file: the first line must be: // expect: <regular expression>"
  exit 1
fi

compile() {
  "$compiler" @flags -include quark_all.hpp -fsyntax-only "$@" "$file" 2>&1
}

if ! output=$(compile); then
  printf '%s\n\n%s\n' "$output" "FAILED: does not compile without the mistake."
  exit 1
fi
if [ -n "$only" ] && [ "$only" != "$backend" ]; then
  if ! output=$(compile -DQUARK_MISTAKE); then
    printf '%s\n\n%s\n' "$output" "FAILED: a mistake with $only only, but $backend refuses it too."
    exit 1
  fi
  echo "compiles, as it should with $backend"
  exit 0
fi
if output=$(compile -DQUARK_MISTAKE); then
  echo "FAILED: compiles with the mistake; expected: $expected"
  exit 1
fi
if ! grep -qE -- "$expected" <<<"$output"; then
  printf '%s\n\n%s\n' "$output" "FAILED: refused, but without the sentence: $expected"
  exit 1
fi
if [ -n "$within" ]; then
  if ! grep 'error:' <<<"$output" | head -n "$within" | grep -qE -- "$expected"; then
    printf '%s\n\n%s\n' "$output" \
      "FAILED: the sentence is not in the first $within error line(s): $expected"
    exit 1
  fi
fi
if [ -n "$errors" ] && [ "$(grep -c 'error:' <<<"$output")" -gt "$errors" ]; then
  printf '%s\n\n%s\n' "$output" "FAILED: more than $errors error line(s)"
  exit 1
fi
grep -E -- "$expected" <<<"$output" | head -n 1
