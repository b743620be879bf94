#!/usr/bin/env bash
# Every sentence that the headers have for the compiler ("quark: ...") is expected by a program in this folder, so that
# none of them can stop to be said, or to be true. Run by ctest as compile_fail.sentences.
#
#   check_sentences.sh <repository>
set -uo pipefail
root=$1
export LC_ALL=C

# What no program can provoke: bugs of ours, a compiler that we don't know or have, the other reflection backend, a
# model that is refused for another reason before.
exempt='quark: (one branch for each number of bases|this compiler prints the enumerators'
exempt+='|give the enumeration E a fixed|a model with a C array is filled|Boost.PFR counts the members)'

sentences=$(find "$root/include" -name '*.hpp' -print0 | sort -z | xargs -0 awk '
  # A sentence may be cut into literals on several lines: these are joined first.
  function flush() {
    gsub(/"[ \t]*\n[ \t]*"/, "", text)
    while (match(text, /"quark: [^"\\]*(\\.[^"\\]*)*"/)) {
      sentence = substr(text, RSTART + 1, RLENGTH - 2)
      gsub(/\\"/, "\"", sentence)
      gsub(/\n/, " ", sentence)
      print sentence
      text = substr(text, RSTART + RLENGTH)
    }
    text = ""
  }
  FNR == 1 { flush() }
  { sub(/^[ \t]*\/\/.*/, ""); text = text $0 "\n" }
  END { flush() }' | sort -u)

count=$(wc -l <<<"$sentences")
[ "$count" -gt 50 ] || { echo "FAILED: only $count sentences were found in $root/include"; exit 1; }
missing=$(grep -vE -f <(sed -n 's|^// expect: *||p' "$root"/tests/compile_fail/*.cpp) -e "$exempt" <<<"$sentences")
if [ -n "$missing" ]; then
  printf 'FAILED: no program in tests/compile_fail expects\n%s\n' "$missing"
  exit 1
fi
echo "$count sentences"
