#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# However the kernel crashes, its dump holds the trace up to the crash: by kdump,
# and by QEMU where no capture kernel is loaded. Runs on the host.

. "$(dirname "$0")/functions.sh"

# has NAME PATTERN FILE: the last line of FILE matches.
ends_with() {
	tail -n 1 "$3" | grep -qE "$2"
	result $? "$1"
	tail -n 1 "$3" | grep -E "$2" >/dev/null || tail -n 3 "$3" | sed 's/^/# /'
}

# The records of the CPU on which the last record of event $1 stands, but for what the
# kernel printed: a panic that no crash kernel follows goes on to say more.
crashing_cpu() {
	local cpu
	cpu=$(grep -o " cpu[0-9]* .* $1 " "$dir/trace.txt" | tail -n 1 | grep -o 'cpu[0-9]*')
	awk -v cpu="$cpu" '$2 == cpu && !/ lost | overwritten | kernel\/printk /' "$dir/trace.txt" >"$dir/cpu.txt"
}

# Every record that the descriptor counts is printed, and babeltrace2 agrees.
counts_agree() {
	local printed counted seen
	printed=$(grep -cE '^ *[0-9]+\.[0-9]{9} cpu[0-9]+ +.*[a-z]/[a-z]' "$dir/trace.txt")
	counted=$("$lkst" status "$dir/vmcore" |
		awk '/^buffer /{on=$2 == "boot"} on && /^ *cpu[0-9]/{sum += $5} END{print sum + 0}')
	babeltrace2 "$dir/trace" >"$dir/babeltrace.txt" 2>"$dir/babeltrace.err"
	seen=$(wc -l <"$dir/babeltrace.txt")
	[ "$printed" -gt 100 ] && [ "$printed" = "$counted" ] && [ "$printed" = "$seen" ]
	result $? "$mode: as many records as the descriptor says: $counted"
	[ "$printed" = "$seen" ] || echo "# printed $printed, counted $counted, babeltrace2 $seen"
	[ ! -s "$dir/babeltrace.err" ]
	result $? "$mode: babeltrace2 reads it to the end without a warning"
	sed 's/^/# /' "$dir/babeltrace.err" | head -n 5
}

# crash MODE LAST OPTIONS...: the guest crashes by the script on standard input; the
# last record of the CPU that crashed matches LAST.
crash() {
	local code
	mode=$1
	dir=$out/$mode
	mkdir -p "$dir"
	rm -f "$dir/vmcore"
	cat >"$dir/script"
	qemu/run -n -t 300 -o "$dir" "${@:3}" "$dir/script" >"$dir/run.log" 2>&1
	code=$?
	[ $code -eq 202 ]
	result $? "$mode: there is a dump"
	[ $code -eq 202 ] || { tail -n 5 "$dir/run.log" | sed 's/^/# /'; return; }
	rm -rf "$dir/trace"
	"$lkst" extract "$dir/vmcore" -o "$dir/trace" >"$dir/extract.log" 2>&1
	result $? "$mode: it is extracted whole"
	"$lkst" print "$dir/trace" >"$dir/trace.txt"
	grep -oE ' [a-z]+/[a-z0-9_]+ ' "$dir/trace.txt" | sort -u | xargs echo "# fired:"
	crashing_cpu "$(cut -d' ' -f1 <<<"$2")"
	ends_with "$mode: the crashing CPU's last record is the crash" "$2" "$dir/cpu.txt"
	counts_agree
	grep -qE ' timer/expire_entry .* function=[a-z_]+ ' "$dir/trace.txt"
	result $? "$mode: functions have names"
}

# seen NAME PATTERN: among the last records of the CPU that crashed.
seen() {
	tail -n 40 "$dir/cpu.txt" | grep -qE "$2"
	result $? "$mode: $1"
	rm -f "$dir/vmcore"
}

echo "KTAP version 1"
crash sysrq "kernel/crash_kexec " -c <<<'echo c >/proc/sysrq-trigger'
seen "the panic comes before it" 'kernel/panic .*text="sysrq triggered crash"'

crash bug "kernel/crash_kexec " -c -a oops=panic <<<'insmod /modules/lkst_crash.ko how=bug'
seen "the oops comes before it" 'kernel/oops .*text="invalid opcode"'

crash hardirq "kernel/crash_kexec " -c -a oops=panic <<'END'
insmod /modules/lkst_crash.ko how=hardirq
cat /dev/zero >/dev/null
END
seen "the oops comes before it" 'kernel/oops .*text="Oops"'

crash nmi "kernel/crash_kexec " -c -M <<'END'
echo 1 >/proc/sys/kernel/unknown_nmi_panic
echo '{"execute":"inject-nmi"}' >/dev/monitor
cat /dev/zero >/dev/null
END
seen "the panic comes before it" 'kernel/panic .*text="NMI: Not continuing"'

# A trigger's own panic: the event, the firing, the panic.
trigger_seen() {
	local last
	last=$(grep -oE '(lkst/mark|net/transmit|lkst/trigger|kernel/panic) .*' "$dir/cpu.txt" |
		tail -n 3 | sed -E 's/ (tid|id|skb)=[^ ]*//g' | tr -s ' ' | paste -sd ';')
	[ "$last" = "$1" ]
	result $? "$mode: the event, the firing and the panic follow one another"
	[ "$last" = "$1" ] || echo "# $last"
	rm -f "$dir/vmcore"
}

crash trigger-nmi "kernel/crash_kexec " -c <<'END'
insmod /modules/lkst_fire.ko
cd /sys/kernel/lkst
echo "trigger bomb" >handlers/create
echo "a == 5" >handlers/bomb/match
echo panic >handlers/bomb/action
echo "armed from default" >masksets/create
echo bomb >masksets/armed/lkst/mark
echo armed >masksets/current
echo "1 nmi 10" >/sys/module/lkst_fire/fire
END
trigger_seen 'lkst/mark a=0x5 b=0x3;lkst/trigger nr=1 name="bomb";kernel/panic text="lkst: trigger bomb"'

# Without a capture kernel the panic is the last that is recorded.
crash qemu "kernel/panic " -d -a panic=1 <<<'echo c >/proc/sysrq-trigger'
seen "its text is there" 'kernel/panic .*text="sysrq triggered crash"'

crash trigger "kernel/panic " -d -a panic=1 <<'END'
cd /sys/kernel/lkst
echo "trigger bomb" >handlers/create
echo "len == 52" >handlers/bomb/match
echo panic >handlers/bomb/action
echo "armed from default" >masksets/create
echo bomb >masksets/armed/net/transmit
echo armed >masksets/current
/selftests/marks 1 1 20
END
trigger_seen 'net/transmit len=52 ifindex=1 queue=0 rc=0;lkst/trigger nr=1 name="bomb";kernel/panic text="lkst: trigger bomb"'
echo "1..$n"
exit $bad
