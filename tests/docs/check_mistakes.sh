#!/usr/bin/env bash
# What a page says does not compile must not, and must say what the page says. The program made of
# the page holds each mistake behind QUARK_DOCS_MISTAKE; run by ctest as docs.<page>.mistakes.
#
#   check_mistakes.sh <compiler> <file with flags> <program made by extract.awk>
set -uo pipefail
compiler=$1 flags=$2 source=$3
export LC_ALL=C  # messages in English with plain quotes
failures=0 count=0

while IFS= read -r line; do
  number=${line#// mistake }
  number=${number%%:*}
  text=${line#*: }
  count=$((count + 1))
  if output=$("$compiler" "@$flags" -fsyntax-only "-DQUARK_DOCS_MISTAKE=$number" "$source" 2>&1); then
    echo "FAILED: compiles, but the page says: $text"
    failures=$((failures + 1))
  elif ! grep -F -- "$text" <<<"$output" | grep -qE 'error|note: |[|]'; then
    printf '%s\n%s\n' "$(grep -m 8 'error' <<<"$output")" "FAILED: refused without: $text"
    failures=$((failures + 1))
  fi
done < <(grep '^// mistake [0-9]*: ' "$source")

[ "$count" -gt 0 ] || { echo "FAILED: no mistake found in $source"; exit 1; }
[ "$failures" = 0 ] || exit 1
echo "$count mistakes are refused as the page says"
