# A small disk that a test can fill: a tmpfs, in a folder that the servers may write to. Sourced by supervise.sh.

DISK_MEGABYTES=32

# Not every container lets its root mount, and nobody else may at all: then the test is told why.
start_disk() {
  local where=$folder/disk reason
  mkdir "$where"
  if reason=$(mount -t tmpfs -o "size=${DISK_MEGABYTES}m" quark-test "$where" 2>&1); then
    mounted+=("$where")
    mkdir "$where/postgres" "$where/mariadb" "$where/sqlite"
    [ -z "$server_user" ] || chown "$server_user" "$where" "$where"/*
    tell "QUARK_TEST_DISK=$where"
  else
    tell "QUARK_TEST_DISK=" "QUARK_TEST_DISK_MISSING=${reason//$'\n'/ }"
  fi
}
