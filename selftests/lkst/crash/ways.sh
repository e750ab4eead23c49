#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check: full
# The other ways down: whatever ends the kernel, the trace's last records show it, and
# any form of the dump gives the same trace. What modes.sh has is not here. Runs on the
# host.

. "$(dirname "$0")/functions.sh"

module() { echo "insmod /modules/lkst_crash.ko how=$1; cat /dev/zero >/dev/null"; }
trouble() { echo "insmod /modules/lkst_trouble.ko how=$1 seconds=60"; }

# way NAME EVENTS OPTION...: the last records of the kernel's troubles are these, with
# the beginning of their texts, and then the crash.
way() {
	local found form
	crash "$1" "kernel/crash_kexec " -c "${@:3}"
	found=$(grep -oE 'kernel/(panic|oops|soft_lockup|hard_lockup|hung_task|crash_kexec) .*' \
		"$dir/trace.txt" | sed -E 's/^kernel.([a-z_]+) .*text="([^"]*)".*/\1: \2/
			s/^kernel.([a-z_]+) .*/\1/' | tail -n 3 | paste -sd ';')
	[[ ";$found" == *";$2;crash_kexec" ]]
	result $? "$mode: before it is why"
	[[ ";$found" == *";$2;crash_kexec" ]] || echo "# $found"
	for form in "-c -d 31" "-l -d 23" "-E -d 31" "-F -c -d 31"; do
		# shellcheck disable=SC2086 # options
		made "$mode: the same from makedumpfile $form" $form
	done
	rm -rf "$dir"/{vmcore,made,again}
}

echo "KTAP version 1"
way process "oops: Oops" -a oops=panic < <(module process)
way softirq "oops: Oops" < <(module softirq)
way stack "oops: stack guard page" < <(module stack)
way soft-lockup "soft_lockup;panic: softlockup: hung tasks" \
	-a "softlockup_panic=1 watchdog_thresh=2" < <(trouble soft)
way hard-lockup "hard_lockup;panic: Hard LOCKUP" \
	-a "nmi_watchdog=panic watchdog_thresh=2" < <(trouble hard)
way hung-task "hung_task;panic: hung_task: blocked tasks" \
	-a hung_task_panic=1 <<<"echo 2 >/proc/sys/kernel/hung_task_timeout_secs
$(trouble hung)"
way oom "panic: Out of memory: system-wide panic_on_oom is enabled" <<<'echo 1 >/proc/sys/vm/panic_on_oom; tail /dev/zero'
way notifiers "panic: sysrq triggered crash" -a crash_kexec_post_notifiers=1 \
	<<<'echo c >/proc/sysrq-trigger'
way handler "panic: in a handler" <<END
$(module handler | cut -d ';' -f 1)
cd /sys/kernel/lkst
echo "armed from default" >masksets/create
echo crash >masksets/armed/user/text
echo armed >masksets/current
echo last words >/proc/lkst/marker
END

# last_of CPU: its last record, without the time.
last_of() { grep -E "^ *[0-9.]+ cpu$1 .*[a-z]/[a-z]" "$dir/trace.txt" | tail -n 1; }

crash stuck "kernel/crash_kexec " -c < <(module stuck)
cpu=$(grep -o ' cpu[01] .*lkst/mark ' "$dir/trace.txt" | grep -o '[01]' | head -n 1)
[[ $(last_of "$cpu") == *"lkst/mark "*"a=0x57c"* ]]
result $? "$mode: the CPU that takes no interrupt keeps its records"
rm -f "$dir/vmcore"

crash offline "kernel/crash_kexec " -c <<'END'
/selftests/marks 1 1 1
echo 0 >/sys/devices/system/cpu/cpu1/online
echo c >/proc/sysrq-trigger
END
grep -qE ' cpu1 .*net/transmit .*len=43 ' "$dir/trace.txt"
result $? "$mode: the CPU that is away keeps its records"
rm -f "$dir/vmcore"

crash triple "lkst/mark " -d -p 1 < <(module triple)
[[ $(last_of 0) == *"lkst/mark "*"a=0x3"* ]]
result $? "$mode: the last record is the last thing done"
rm -f "$dir/vmcore"

# QEMU is killed at some instant; its guest's memory is a file.
mode=killed
dir=$out/$mode
mkdir -p "$dir"
rm -rf "$dir"/{ram,output,vmcore,trace}
ram=$(realpath -m "$dir/ram")
cat >"$dir/script" <<'END'
echo last words >/proc/lkst/marker
echo ready
cat /dev/zero >/dev/null
END
qemu/run -n -t 300 -o "$dir" -q "-machine memory-backend=ram
	-object memory-backend-file,id=ram,size=384M,mem-path=$ram,share=on" \
	"$dir/script" >"$dir/run.log" 2>&1 &
until grep -qs ready "$dir/output" || ! kill -0 $!; do sleep 0.1; done
pkill -KILL -f "^qemu-system.*mem-path=$ram"
wait $!
mv "$ram" "$dir/vmcore"
"$lkst" extract "$dir/vmcore" -o "$dir/trace" >"$dir/extract.log" 2>&1
result $? "$mode: it is extracted whole"
"$lkst" print "$dir/trace" >"$dir/trace.txt"
grep -q 'user/text .*text="last words"' "$dir/trace.txt"
result $? "$mode: what was recorded last is there"
counts_agree
rm -f "$dir/vmcore"

echo "1..$n"
exit $bad
