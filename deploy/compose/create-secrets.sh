#!/bin/sh
# Creates the secrets that compose.yaml names, once: a second run changes nothing. Keep a copy of secrets/master-key in another
# place than the backups of the database, which nobody can use without it.
set -eu

folder=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)/secrets
# Only the owner enters the folder. The files themselves are readable, because the users of the containers read them there.
mkdir -p "$folder"
chmod 700 "$folder"
umask 022

keep() {
  [ -e "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"
}

keep master-key "$(openssl rand -base64 32)"
keep metrics-token "$(openssl rand -hex 32)"
keep postgres-password "$(openssl rand -hex 32)"
keep redis-config "requirepass $(openssl rand -hex 32)"

password=$(cat "$folder/postgres-password")
redis_password=$(sed -n 's/^requirepass //p' "$folder/redis-config")
keep database-url "postgres://seathold:$password@postgres:5432/seathold"
keep sandbox-database-url "postgres://seathold:$password@postgres:5432/seathold_sandbox"
keep redis-url "redis://:$redis_password@redis:6379"

echo "The secrets are in $folder"
