#!/usr/bin/env bash
# Runs the unpacked image as a container would, for machines without a container runtime: as 10001, without capabilities, on a
# read-only root, in namespaces of its own, without a network. Needs root, and shows that
#   the service gets ready on its embedded PostgreSQL, HEALTHCHECK says so, nothing outside /data was written,
#   SIGTERM ends it in order, and a second container opens the same volume.
#
#   buildah bud --isolation chroot -f deploy/Dockerfile -t seathold . && deploy/trials/run-image.sh "$(buildah mount "$(buildah from seathold)")"
set -euo pipefail

root=${1:?the folder of the unpacked image}

if [ "${2:-}" != inside ]; then
  exec unshare --mount-proc --net --pid --ipc --uts --fork --kill-child "$0" "$root" inside
fi

ip link set lo up
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=750,uid=10001,gid=10001 tmpfs "$root/data"
mount -o remount,bind,ro "$root"

# As Docker does with USER 10001, --read-only and --cap-drop=ALL, and with the entry point of the image.
in_container() {
  chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin SEATHOLD_HOST=0.0.0.0 SEATHOLD_METRICS_HOST=0.0.0.0 \
    SEATHOLD_DATA_DIR=/data HOME=/data \
    setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
    sh -c 'cd /data && exec "$@"' sh "$@"
}

say() { printf 'ok  %s\n' "$*"; }

ready() {
  local tries=0
  until in_container node /opt/seathold/healthcheck.mjs >/tmp/health 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 120 ] || { cat /tmp/health; cat "$log"; exit 1; }
    sleep 1
  done
}

log=$(mktemp)
for attempt in first second; do
  in_container seathold serve >"$log" 2>&1 &
  ready
  say "the $attempt container is ready: $(head -c 60 /tmp/health | tr -d '\n')"
  # Of the PATH above, since the pid of the subshell is not that of the service.
  pid=$(pgrep -o -u 10001 -f 'seathold serve')
  say "it runs as $(awk '/^Uid/ {print $2}' "/proc/$pid/status"), capabilities $(awk '/^CapEff/ {print $2}' "/proc/$pid/status")"
  in_container sh -c 'touch /opt/seathold/written 2>&1 || true' | grep -q 'Read-only' && say "its root is read-only"
  in_container seathold doctor >/dev/null && say "seathold doctor finds nothing"
  kill -TERM "$pid"
  status=0
  wait %% || status=$?
  [ "$status" -eq 0 ] || { cat "$log"; exit 1; }
  say "SIGTERM ended it with 0"
done
