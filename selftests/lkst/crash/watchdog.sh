#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The sample watchdog with panic=1: a beat that is missed is a panic, and the dump
# has what led to it, kept in the buffer before, and the panic in the one after.
# Runs on the host.

. "$(dirname "$0")/functions.sh"

# The events' names in buffer $1, a line each, as far as $2 matches.
events() { "$lkst" print "$out/trace/$1" | grep -oE "$2"; }

echo "KTAP version 1"
mkdir -p "$out"
rm -f "$out/vmcore"
cat >"$out/script" <<'END'
cd /sys/kernel/lkst
echo after >buffers/create
insmod /modules/lkst_watchdog.ko buffer=after timeout=500 panic=1
/selftests/marks 0 1 100
echo 1 >/sys/module/lkst_watchdog/parameters/beat
cat /dev/zero >/dev/null
END
qemu/run -n -c -t 300 -o "$out" "$out/script" >"$out/run.log" 2>&1
code=$?
[ $code -eq 202 ]
result $? "there is a dump"
grep -q 'Kernel panic - not syncing: lkst_watchdog: no beat' "$out/console"
result $? "it says why"
rm -rf "$out/trace"
"$lkst" extract "$out/vmcore" -o "$out/trace" >"$out/extract.log" 2>&1
result $? "it is extracted whole"
[ "$(events boot 'net/transmit' | wc -l)" = 100 ]
result $? "what led to it is kept"
! events boot 'kernel/(panic|crash_kexec)' >/dev/null
result $? "without what came after"
[ "$(events after '(lkst/buffer|kernel/(panic|crash_kexec)) ' | xargs)" = \
	"lkst/buffer kernel/panic kernel/crash_kexec" ]
result $? "the buffer after has the switch, the panic and the crash"
[ $bad -eq 0 ] || tail -n 5 "$out/run.log" "$out/extract.log" | sed 's/^/# /'
rm -f "$out/vmcore"
echo "1..$n"
exit $bad
