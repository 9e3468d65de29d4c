#!/bin/sh
# Wine 10 on a system that has none, in a Debian 13 of its own: WINE=tests/windows/wine_of_debian_13.sh make windows
# Needs root and mmdebstrap; DEBIAN_13 names the folder (1.1 GB), which is made once.
root=${DEBIAN_13:-/var/tmp/anna-eins-debian-13}
if [ ! -x "$root/usr/bin/wine" ]; then
    mmdebstrap --quiet --variant=minbase --include=wine64,wine trixie "$root" >&2 || exit 1
fi
export ROOT="$root"
exec unshare -m sh -c '
    for folder in /proc /dev /tmp "$TREE"; do mkdir -p "$ROOT$folder" && mount --rbind "$folder" "$ROOT$folder"; done
    exec chroot "$ROOT" sh -c "cd \"\$0\" && exec wine \"\$@\"" "$PWD" "$@"' wine "$@"
