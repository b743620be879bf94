#!/usr/bin/env bash
# Runs a command with private, throw-away database servers, and exits with its status.
#
#   with_servers.sh [postgres] [mariadb] [pgbouncer] [disk] -- COMMAND ARGUMENTS...
#
# What the command finds in its environment:
#   QUARK_TEST_POSTGRES          postgres://quark@127.0.0.1:PORT/quark, a superuser
#   QUARK_TEST_POSTGRES_SOCKET   the folder of its Unix socket
#   QUARK_TEST_MYSQL             mysql://quark:secret@127.0.0.1:PORT/quark, all privileges
#   QUARK_TEST_MYSQL_SOCKET      the file of its Unix socket
#   QUARK_TEST_PGBOUNCER         postgres://quark@127.0.0.1:PORT/quark, transaction pooling
#   QUARK_TEST_DISK              a folder with a small file system of its own; empty where none can be mounted, and then
#   QUARK_TEST_DISK_MISSING      says why
#   QUARK_TEST_SERVERS           a folder through which our own servers are stopped and started (own_servers.hpp)
# A URL that is set already names a server that runs: it is used, nothing is started or stopped.
# A server that was asked for and can't be had is a failure, never a reason to leave tests out.
#
# The servers are started and stopped by servers/supervise.sh, a process that is no child of ours. It
# reads a FIFO that only we hold open, so that it learns of our end at once, whatever ended us:
# ctest, when a test takes too long, kills us and all our children with SIGKILL.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2; exit 2; }

servers=()
while [ $# -gt 0 ]; do
  case "$1" in
    postgres) [ -n "${QUARK_TEST_POSTGRES:-}" ] || servers+=(postgres) ;;
    mariadb) [ -n "${QUARK_TEST_MYSQL:-}" ] || servers+=(mariadb) ;;
    pgbouncer) [ -n "${QUARK_TEST_PGBOUNCER:-}" ] || servers+=(pgbouncer) ;;
    disk) servers+=(disk) ;;
    --) break ;;
    *) usage ;;
  esac
  shift
done
[ $# -gt 1 ] || usage
shift
[ "${#servers[@]}" -gt 0 ] || exec "$@"

# Only the FIFOs are here; the servers' folder is the supervisor's affair, as is removing both.
talk=$(mktemp -d "${TMPDIR:-/tmp}/quark-talk.XXXXXX")
mkfifo "$talk/lifeline" "$talk/answers"
: >"$talk/errors"
# Open for both directions, so that opening does not wait for the other side.
exec {lifeline}<>"$talk/lifeline"
# The subshell ends at once: the supervisor has no parent that anybody would look for it under.
(setsid bash "$here/servers/supervise.sh" "$talk" "${servers[@]}" \
  <"$talk/lifeline" >"$talk/answers" 2>"$talk/errors" {lifeline}>&- &)
exec {answers}<"$talk/answers" {errors}<"$talk/errors"

# NAME=VALUE for the environment, until `ready`; or `failed`, and after it the reason.
answer=
while [ "$answer" != ready ]; do
  if ! IFS= read -r answer <&"$answers"; then
    echo "with_servers.sh: the supervisor ended without a word" >&2
    cat <&"$errors" >&2
    exit 1
  fi
  case "$answer" in
    ready) ;;
    failed) cat <&"$answers" >&2; exit 1 ;;
    *=*) export "${answer?}" ;;
  esac
done

export QUARK_TEST_SERVERS=$talk
# In the background, or bash would see to signals only after the command has ended. The command keeps
# our input and, unlike other commands in the background, does not ignore SIGINT.
(trap - INT QUIT; exec "$@" {lifeline}>&- {answers}<&- {errors}<&-) <&0 &
command=$!
for signal in INT TERM HUP; do
  # shellcheck disable=SC2064  # the name of the signal is that of now
  trap "kill -$signal $command 2>/dev/null || true" "$signal"
done
status=0
wait "$command" || status=$?
# A signal ends `wait`, but not always the command.
while kill -0 "$command" 2>/dev/null; do
  status=0
  wait "$command" || status=$?
done

# The supervisor stops the servers, removes their files and then closes its side of `answers`.
exec {lifeline}>&-
cat <&"$answers" >/dev/null
exit "$status"
