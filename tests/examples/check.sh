#!/usr/bin/env bash
# The quickstart as a newcomer meets it: a first run, a second one that finds the file and doubles
# nothing, and input that is missing or odd. Run by ctest as `examples.quickstart`.
#
#   check.sh <program> <folder for scratch files>
set -uo pipefail
program=$1 scratch=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
failures=0

fail() { printf 'FAILED: %s\n' "$*"; failures=$((failures + 1)); }

# The answers, without the SQL, which has tests of its own.
answers() { grep -v -e '^  sql | ' -e '^        ' "$1" | sed -e 1d -e "s|$here/input|INPUT|"; }

run_and_compare() { # <name of the run> <expected answers>
  "$program" "$here/input" zones.db >"$1.out" 2>"$1.err" || fail "$1: exit code $?: $(cat "$1.err")"
  answers "$1.out" | diff -u "$2" - || fail "$1: the answers differ"
  grep -q 'sql | INSERT INTO "zones".*' "$1.out" || fail "$1: the SQL is not shown"
  [ ! -s "$1.err" ] || fail "$1: wrote to standard error: $(cat "$1.err")"
}

run_and_compare first "$here/expected.txt"
# Two rows were deleted at the end of the first run; nothing else may be different.
sed 's/^    before: 0 countries and 0 zones$/    before: 8 countries and 10 zones/' \
  "$here/expected.txt" >second.txt
run_and_compare second second.txt
run_and_compare third second.txt

# expect_failure <exit code> <text in standard error> <arguments...>
expect_failure() {
  local code=$1 text=$2
  shift 2
  "$program" "$@" >failure.out 2>failure.err
  local actual=$?
  [ "$actual" = "$code" ] || fail "($*): exit code $actual instead of $code"
  grep -qF -- "$text" failure.err || fail "($*): says \"$(cat failure.err)\" instead of \"$text\""
}

# odd <text in standard error> <line of zone1970.tab>: after a comment, so that it is line 2.
odd() {
  mkdir -p odd
  cp "$here/input/iso3166.tab" odd/
  printf '# one line\n%b\n' "$2" >odd/zone1970.tab
  rm -f odd.db
  expect_failure 1 "$1" odd odd.db
  expect_failure 1 "odd/zone1970.tab:2: " odd odd.db
}

expect_failure 1 "can't open nowhere/iso3166.tab: No such file" nowhere new.db
odd 'expected country codes, coordinates' 'CH +4723+00832 Europe/Zurich'
odd 'country code "XX" is not in iso3166.tab' 'CH,XX\t+4723+00832\tEurope/Zurich'
odd 'country code "" is not in iso3166.tab' 'CH,\t+4723+00832\tEurope/Zurich'
for position in '4723+00832' '+4723' '+4760+00832' '+9001+00832' '+4723+18001' '+472+00832' \
                '+47230+00832' '+4723+0083' '+47a3+00832' '' '+-'; do
  odd 'is no position' "CH\t$position\tEurope/Zurich"
done
odd 'the zone has no name' 'CH\t+4723+00832\t\tcomment'
odd 'not UTF-8' 'CH\t+4723+00832\tEurope/Z\xfcrich'
odd 'not UTF-8' 'CH\t+4723+00832\tEurope/Zurich\t\xed\xa0\x80'
mkdir -p empty
printf '# nothing\n' >empty/iso3166.tab
expect_failure 1 'there is no country in it' empty odd.db
rm -rf folder && mkdir -p folder/iso3166.tab
expect_failure 1 "can't read folder/iso3166.tab" folder odd.db

# Line ends of Windows and a last line without an end are no reason to refuse.
mkdir -p windows
sed 's/$/\r/' "$here/input/iso3166.tab" >windows/iso3166.tab
printf 'CH\t+4723+00832\tEurope/Zurich' >windows/zone1970.tab
"$program" windows windows.db >windows.out 2>&1 || fail "line ends of Windows: $(tail -n 1 windows.out)"
grep -q 'now:    8 countries and 1 zones' windows.out || fail 'line ends of Windows: wrong answer'

# A database that is none, one that can't be made, and wrong arguments.
printf 'This is a letter, not a database. It is long enough to have a header of its own.' >letter.db
expect_failure 1 'letter.db' "$here/input" letter.db
grep -q '^This is a letter' letter.db || fail 'a file that is no database was changed'
expect_failure 1 'no/such/folder/zones.db' "$here/input" no/such/folder/zones.db
expect_failure 2 'usage: ' one two three
expect_failure 2 'usage: ' --unknown
"$program" --help | grep -q '^usage: ' || fail '--help'

# Whatever failed above stored nothing.
"$program" "$here/input" zones.db >last.out 2>&1 || fail 'the last run'
answers last.out | diff -u second.txt - || fail 'the last run: the answers differ'

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "quickstart: all runs as expected"
