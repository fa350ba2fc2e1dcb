#!/usr/bin/env bash
# Installs Debian packages that a target needs, where it may: as root, or with a sudo that asks nothing.
# Otherwise it stops with the one line to type.
#
# usage: debian.sh COMMAND=PACKAGE...      COMMAND is what must be on the PATH afterwards, or a file that must exist
set -eu

wanted=()
for pair in "$@"; do
  command -v "${pair%%=*}" >/dev/null || [ -e "${pair%%=*}" ] || wanted+=("${pair#*=}")
done
[ ${#wanted[@]} -eq 0 ] && exit 0

line="apt-get install -y --no-install-recommends ${wanted[*]}"
if [ "$(id -u)" = 0 ]; then as=(); elif sudo -n true 2>/dev/null; then as=(sudo -n); else as=(none); fi
if [ "${as[0]:-}" = none ] || ! command -v apt-get >/dev/null; then
  echo "missing Debian packages; type: sudo $line" >&2
  exit 1
fi

echo "installing Debian packages: ${wanted[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{
  "${as[@]}" apt-get update -qq && "${as[@]}" env DEBIAN_FRONTEND=noninteractive $line -qq
} >"$log" 2>&1 || { cat "$log" >&2; echo "apt-get failed; type: sudo $line" >&2; exit 1; }
