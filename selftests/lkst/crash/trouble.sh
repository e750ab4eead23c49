#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the kernel complains of is in the trace: warnings, a hung task, lockups and
# stalls. Runs on the host, as a guest in which that happens has failed otherwise.

. "$(dirname "$0")/functions.sh"

# one NAME PATTERN [COUNT]: as many lines of the trace, 1 or more, are that.
one() {
	found=$(grep -cE "kernel/$2" "$out/output")
	[ "$found" -ge 1 ] && [ "$found" -le "${3:-1}" ]
	result $? "$1"
}

echo "KTAP version 1"
mkdir -p "$out"
cat >"$out/script" <<'END'
cd /sys/kernel/lkst
echo trouble >masksets/create
for e in warn hung_task soft_lockup hard_lockup rcu_stall; do
	echo record >masksets/trouble/kernel/$e
done
echo trouble >buffers/create
echo trouble >masksets/current
echo trouble >buffers/current
trouble() {
	insmod /modules/lkst_trouble.ko "$@"
	rmmod lkst_trouble
}
s=/proc/sys/kernel
echo 0 >$s/soft_watchdog
echo 0 >$s/nmi_watchdog
trouble how=warn
trouble how=warn
echo 2 >$s/hung_task_timeout_secs
trouble how=hung
echo 0 >$s/hung_task_timeout_secs
echo 4 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
echo 4000 >/sys/module/rcupdate/parameters/rcu_exp_cpu_stall_timeout
trouble how=rcu seconds=7
echo 60 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
echo 2 >$s/watchdog_thresh
echo 1 >$s/soft_watchdog
trouble how=soft seconds=7
echo 0 >$s/soft_watchdog
echo 1 >$s/nmi_watchdog
trouble how=hard seconds=12
echo none >masksets/current
cat /proc/lkst/trace
END
qemu/run -n -t 300 -o "$out" "$out/script" >"$out/run.log" 2>&1
code=$?
[ $code -eq 201 ]
result $? "the kernel complains"
one "two warnings" 'warn ip=0x[0-9a-f]+ tid=[0-9]+ line=[0-9]+ taint=9 file=".*lkst_trouble.c"' 2
one "a hung task" 'hung_task tid=[0-9]+ seconds=[2-6] comm="lkst_trouble"' 3
one "a soft lockup" 'soft_lockup ip=0x[0-9a-f]+ tid=[0-9]+ seconds=[4-7]' 2
one "a hard lockup" 'hard_lockup ip=0x[0-9a-f]+ cpu=1 by=0'
one "a stall of RCU" 'rcu_stall kind=[012] seconds=[4-7]' 3
grep -oE ' kernel/[a-z_]+ ' "$out/output" | sort -u | xargs echo "# fired:"
[ $bad -eq 0 ] || tail -n 20 "$out/run.log" "$out/output" | sed 's/^/# /'
echo "1..$n"
exit $bad
