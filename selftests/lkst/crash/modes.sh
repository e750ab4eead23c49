#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# However the kernel crashes, its dump holds the trace up to the crash: by kdump,
# and by QEMU where no capture kernel is loaded. Runs on the host.

. "$(dirname "$0")/functions.sh"

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
