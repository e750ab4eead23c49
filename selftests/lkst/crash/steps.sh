#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check: full
# A panic while a record is half written, after any of the instructions that write it,
# or that switch packets. Runs on the host.

. "$(dirname "$0")/functions.sh"

echo "KTAP version 1"
mkdir -p "$out"
rm -rf "$out"/{gdb,disk,dump*}
cat >"$out/script" <<'END'
echo 1 >/proc/sys/kernel/unknown_nmi_panic
/selftests/marks 0 1 60000
END
qemu-img create -q -f qcow2 "$out/disk" 4G
# To be moved, code has to be where System.map says; the machine is smaller for speed.
qemu/run -n -p 1 -m 192M -t 1500 -a nokaslr -o "$out" -q "-gdb unix:gdb,server=on,wait=off
	-drive if=none,format=qcow2,file=disk" "$out/script" >"$out/run.log" 2>&1 &
selftests/lkst/crash/steps.py "$out" build/kernel/System.map "$lkst" | tee "$out/steps.log"
# If that has failed, the guest stands still.
kill $! 2>/dev/null
wait $!
echo 1..2
rm -rf "$out"/{disk,dump*}
[ "$(grep -c '^ok' "$out/steps.log")" -eq 2 ]
