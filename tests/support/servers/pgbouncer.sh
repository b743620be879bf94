# A private pgbouncer with transaction pooling, in front of the PostgreSQL of QUARK_TEST_POSTGRES, ours or
# another. Sourced by supervise.sh.

shopt -s extglob

start_pgbouncer() {
  local where=$folder/pgbouncer program target
  program=$(pgbouncer_program) || fail "pgbouncer was not found"
  [ -n "${QUARK_TEST_POSTGRES:-}" ] || start_postgres
  pgbouncer_target || fail "pgbouncer: QUARK_TEST_POSTGRES is not of the form postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE"
  as_server_user mkdir "$where"
  # Which signal means at once differs from version to version, and it has nothing to save.
  serve pgbouncer KILL "$where/log"
  tell "QUARK_TEST_PGBOUNCER=postgres://quark@127.0.0.1:$port/quark"
}

# The last part of a line in [databases].
pgbouncer_target() {
  [[ $QUARK_TEST_POSTGRES =~ ^postgres(ql)?://([^:@/]+)(:([^@/]*))?@([^:@/]+)(:([0-9]+))?/([^?]+) ]] || return 1
  target="host=${BASH_REMATCH[5]} port=${BASH_REMATCH[7]:-5432} dbname=${BASH_REMATCH[8]} user=${BASH_REMATCH[2]}"
  [ -z "${BASH_REMATCH[4]}" ] || target+=" password=${BASH_REMATCH[4]}"
}

launch_pgbouncer() {
  echo '"quark" ""' >"$where/users"
  cat >"$where/pgbouncer.ini" <<INI
[databases]
quark = $target
* = ${target/dbname=+([! ]) /}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = trust
auth_file = $where/users
pool_mode = transaction
max_client_conn = 100
default_pool_size = 2
min_pool_size = 2
server_round_robin = 1
server_tls_sslmode = disable
INI
  exec_as_server_user "$program" "$where/pgbouncer.ini"
}

pgbouncer_answers() { grep -q "listening on 127.0.0.1:$port" "$where/log" && grep -q 'process up' "$where/log"; }
