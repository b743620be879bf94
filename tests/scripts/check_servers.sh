#!/usr/bin/env bash
# tests/support/with_servers.sh: the servers that it starts can be used, it passes the exit status on, a
# server that can't be had is a failure, and nothing is left whatever ends it. Run by ctest as
# scripts.servers.
#
#   check_servers.sh <repository> <folder for scratch files>
set -uo pipefail
root=$1 scratch=$2
wrapper=$root/tests/support/with_servers.sh
source "$root/scripts/packages.sh"
rm -rf "$scratch"
mkdir -p "$scratch/tmp"
# These tests are about servers of our own, even where others are given.
unset QUARK_TEST_POSTGRES QUARK_TEST_POSTGRES_SOCKET QUARK_TEST_MYSQL QUARK_TEST_MYSQL_SOCKET QUARK_TEST_PGBOUNCER
export TMPDIR=$scratch/tmp
failures=0
fail() { printf 'FAILED: %s\n' "$*"; failures=$((failures + 1)); }

# expect <exit code> <text in the output> <command...>
expect() {
  local code=0 output
  output=$("${@:3}" 2>&1) || code=$?
  [ "$code" = "$1" ] || fail "exit code $code instead of $1: ${*:3}: $output"
  [[ $output == *"$2"* ]] || fail "\"$2\" is not in the output of ${*:3}: $output"
}

within_seconds() { # <seconds> <command...>
  local end=$((SECONDS + $1))
  until "${@:2}"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# is_gone <folder>: neither the folder nor a process that has it in its command line. It comes to grep
# by its input, or grep would find itself.
is_gone() { [ ! -e "$1" ] && ! grep -qsaF --file=- /proc/[0-9]*/cmdline <<<"$1"; }

# --- used through the URLs -------------------------------------------------------------------

# Called by the wrapper: prints an answer of each server; its exit status is a number that nothing else has.
export -f postgres_programs version_at_least
cat >"$scratch/use.sh" <<'EOS'
set -euo pipefail
psql() { "$(postgres_programs)/psql" -XAtq "$@"; }
port_of() { local port=${1##*:}; echo "${port%%/*}"; }
mysql_port=$(port_of "$QUARK_TEST_MYSQL")
my() { mariadb --no-defaults --batch --skip-column-names --user=quark --password="$1" "${@:2}"; }

psql "$QUARK_TEST_POSTGRES" -c 'CREATE TABLE t (n int); INSERT INTO t VALUES (41)' -c 'UPDATE t SET n = n + 1'
echo "postgres: $(psql "$QUARK_TEST_POSTGRES" -c "SELECT n, current_user, current_setting('TimeZone') FROM t")"
echo "encoding: $(psql "$QUARK_TEST_POSTGRES" -c 'SHOW server_encoding')"
echo "socket: $(psql -h "$QUARK_TEST_POSTGRES_SOCKET" -p "$(port_of "$QUARK_TEST_POSTGRES")" -U quark quark -c 'SELECT n FROM t')"
echo "pgbouncer: $(psql "$QUARK_TEST_PGBOUNCER" -c 'SELECT n FROM t')"
login=${QUARK_TEST_POSTGRES/quark@/quark_login:PASSWORD@}
echo "login: $(psql "${login/PASSWORD/secret}" -c 'SELECT current_user')"
! psql "${login/PASSWORD/wrong}" -c 'SELECT 1' 2>/dev/null || echo "a wrong password is good enough for PostgreSQL"

my secret -h 127.0.0.1 -P "$mysql_port" quark -e 'CREATE TABLE t (n int); INSERT INTO t VALUES (42); CREATE DATABASE another'
echo "mysql: $(my secret -h 127.0.0.1 -P "$mysql_port" quark -e 'SELECT n, CURRENT_USER(), @@character_set_server FROM t')"
echo "mysql socket: $(my secret -S "$QUARK_TEST_MYSQL_SOCKET" quark -e 'SELECT n FROM t')"
! my wrong -h 127.0.0.1 -P "$mysql_port" quark -e 'SELECT 1' 2>/dev/null || echo "a wrong password is good enough for MariaDB"
echo "input: $(cat)"
exit 42
EOS
cat >"$scratch/expected" <<'EOS'
postgres: 42|quark|UTC
encoding: UTF8
socket: 42
pgbouncer: 42
login: quark_login
mysql: 42	quark@%	utf8mb4
mysql socket: 42
input: from outside
EOS
code=0
bash "$wrapper" postgres mariadb pgbouncer -- bash "$scratch/use.sh" <<<"from outside" >"$scratch/output" 2>&1 || code=$?
[ "$code" = 42 ] || fail "exit code $code instead of 42"
diff "$scratch/expected" "$scratch/output" || fail "the servers answer otherwise"

# A server that runs is used as it is, and a call without servers is the plain command.
QUARK_TEST_MYSQL=mysql://somebody@elsewhere/db expect 3 mysql://somebody@elsewhere/db \
  bash "$wrapper" mariadb -- bash -c 'echo "$QUARK_TEST_MYSQL ${QUARK_TEST_MYSQL_SOCKET:-}"; exit 3'
expect 0 plain bash "$wrapper" -- echo plain
expect 2 with_servers.sh bash "$wrapper" postgres
expect 2 with_servers.sh bash "$wrapper" oracle -- true

# A server is stopped and started by whoever has it, with what is in it; the disk is full when it is full.
cat >"$scratch/again.sh" <<'EOS'
set -uo pipefail
psql() { "$(postgres_programs)/psql" -XAtq "$QUARK_TEST_POSTGRES" -c "$1" 2>/dev/null || echo "not there"; }
order() {
  echo "$*" >"$QUARK_TEST_SERVERS/lifeline"
  until [ -e "$QUARK_TEST_SERVERS/answer.$1" ]; do sleep 0.02; done
  echo "$*: $(head -n 1 "$QUARK_TEST_SERVERS/answer.$1")"
}
psql 'CREATE TABLE t AS SELECT 43 AS n'
order 1 stop postgres INT
psql 'SELECT n FROM t'
order 2 start postgres QUIT
psql 'SELECT n FROM t'
order 3 stop oracle KILL
order 4 stop mariadb KILL
order 5 start mariadb TERM
if [ -n "$QUARK_TEST_DISK" ]; then
  head -c 40000000 /dev/zero >"$QUARK_TEST_DISK/zeros" 2>/dev/null && echo "the disk has no end"
  [ "$(stat -c %s "$QUARK_TEST_DISK/zeros")" -gt 30000000 ] && echo "disk: full"
else
  [ -n "$QUARK_TEST_DISK_MISSING" ] && echo "disk: full"
fi
EOS
cat >"$scratch/expected" <<'EOS'
1 stop postgres INT: done
not there
2 start postgres QUIT: done
43
3 stop oracle KILL: can't stop oracle
4 stop mariadb KILL: done
5 start mariadb TERM: done
disk: full
EOS
bash "$wrapper" postgres mariadb disk -- bash "$scratch/again.sh" >"$scratch/output" 2>&1
diff "$scratch/expected" "$scratch/output" || fail "servers that are stopped and started answer otherwise"

# --- servers that can't be had ---------------------------------------------------------------

mkdir "$scratch/bin" "$scratch/broken"
for tool in awk bash cat chown df dirname grep head id mkdir mkfifo mktemp rm sed setpriv setsid sleep sort tail; do
  ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
PATH=$scratch/bin expect 1 'MariaDB was not found' bash "$wrapper" mariadb -- echo started
printf '#!/bin/sh\necho "no disk, no cluster"; exit 1\n' >"$scratch/broken/mariadb-install-db"
printf '#!/bin/sh\nexit 0\n' >"$scratch/broken/works"
chmod +x "$scratch"/broken/*
PATH=$scratch/broken:$PATH expect 1 'no disk, no cluster' bash "$wrapper" mariadb -- echo started
mv "$scratch/broken/mariadb-install-db" "$scratch/broken/mariadbd"
mv "$scratch/broken/works" "$scratch/broken/mariadb-install-db"
PATH=$scratch/broken:$PATH expect 1 'mariadb does not start' bash "$wrapper" mariadb -- echo started
PATH=$scratch/broken:$PATH expect 1 'no disk, no cluster' bash "$wrapper" mariadb -- echo started

# --- nothing is left -------------------------------------------------------------------------

# Two at once, each with a server of its own; one is killed, the other one is asked to end.
for signal in KILL TERM; do
  bash "$wrapper" postgres mariadb disk -- \
    bash -c 'echo "$QUARK_TEST_POSTGRES_SOCKET $$" >"$1.new" && mv "$1.new" "$1"; exec sleep 120' _ "$scratch/$signal" &
  declare "pid_$signal=$!"
done
for signal in KILL TERM; do
  within_seconds 60 test -e "$scratch/$signal" || { fail "$signal: the command did not run"; exit 1; }
done
read -r killed killed_command <"$scratch/KILL"
read -r ended _ <"$scratch/TERM"
killed=${killed%/*} ended=${ended%/*}
[ "$killed" != "$ended" ] || fail "two wrappers have one folder"
is_gone "$killed" && fail "the test sees no server where there is one"
disown "$pid_KILL"  # or the shell would tell of the killing
kill -KILL "$pid_KILL"
within_seconds 20 is_gone "$killed" || fail "left after SIGKILL: $killed"
kill "$killed_command"
[ -d "$ended/postgres/data" ] || fail "the other wrapper lost its server"
kill -TERM "$pid_TERM"
code=0
wait "$pid_TERM" || code=$?
[ "$code" = 143 ] || fail "exit code $code instead of 143 after SIGTERM"
# The wrapper itself has waited.
is_gone "$ended" || fail "left after SIGTERM: $ended"
[ -z "$(ls -A "$TMPDIR")" ] || fail "left in TMPDIR: $(ls -A "$TMPDIR")"

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "servers come, answer and go"
