#!/usr/bin/env bash
# Runs a command inside a Debian tree, as root, in namespaces of its own. Its mounts and processes always end with it, and
# the mounts are not visible outside: removing the tree cannot remove files of a mounted folder.
#
# usage: enter.sh TREE COMMAND...      BIND=FOLDER:... are folders of this machine that the command finds at the same path
set -eu

if [ "${1:-}" != --inside ]; then
  exec unshare --mount --pid --fork --kill-child --propagation private -- "$0" --inside "$@"
fi
tree=$2
shift 2

mount -t proc proc "$tree/proc"
mount --bind /dev "$tree/dev"
mount -t tmpfs tmpfs "$tree/dev/shm"
# JVMs keep a mapped file a process number in /tmp; two namespaces have the same numbers, and each would cut the other's.
mount -t tmpfs tmpfs "$tree/tmp"
IFS=: read -ra folders <<<"${BIND:-}"
for folder in "${folders[@]}"; do
  [ -d "$folder" ] || continue
  mkdir -p "$tree$folder"
  mount --bind "$folder" "$tree$folder"
done
# How this machine reaches the network, and whom it trusts there.
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
  [ -e "$file" ] || continue
  [ ! -L "$tree$file" ] && cmp -s "$file" "$tree$file" && continue
  mkdir -p "$tree$(dirname "$file")"
  # Several commands enter at once: each finds a whole file.
  copy=$(mktemp "$tree$file.XXXXXX")
  cat "$file" >"$copy"
  chmod 644 "$copy"
  mv -fT "$copy" "$tree$file"
done
exec chroot "$tree" "$@"
