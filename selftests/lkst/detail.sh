#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a handler of type `detail` records is right: the stack from the hook's site
# on, the registers, the thread; in every context.

. ./functions.sh
insmod /modules/lkst_fire.ko || skip "no module lkst_fire"
plan 30

put handlers/create "detail close" >/dev/null
put masksets/create test >/dev/null
put buffers/create "test size=256K packet=4K" >/dev/null
put masksets/test/lkst/mark close >/dev/null
begin() {
	put masksets/current none >/dev/null
	put buffers/test/reset 1 >/dev/null
	put buffers/current test >/dev/null
	put masksets/current test >/dev/null
}
end() {
	put masksets/current none >/dev/null
	cat $P/trace
}
# The field $1 of the first record of $2.
field() { sed -n "s|.* $2 .* $1=\"*\([^ \"]*\).*|\1|p; s|.* $2 $1=\"*\([^ \"]*\).*|\1|p" /tmp/trace | head -n 1; }

# The functions of each stack in the trace on standard input, as a line, from the
# innermost on.
sort /proc/kallsyms | grep -i ' t ' >/tmp/kallsyms
functions() {
	awk '
		function name(address, low, high, at) {
			low = 1; high = n
			while (low < high) {
				at = int((low + high + 1) / 2)
				if (start[at] > address) high = at - 1; else low = at
			}
			return symbol[low]
		}
		FILENAME != "-" { start[++n] = $1; symbol[n] = $3; next }
		/ lkst\/stack / {
			sub(/.* frame=/, "")
			frames = split($0, frame, ",")
			for (i = 1; i <= frames && frame[i] != "0x0"; i++)
				printf "%s ", name(substr(frame[i], 3))
			print ""
		}' /tmp/kallsyms - >/tmp/functions
}
# in_order NAME...: one of the stacks has these, in this order, the first one first.
in_order() {
	awk -v want="$*" '
		{
			n = split(want, wanted, " "); i = 1
			for (j = 1; j <= NF && i <= n; j++) {
				sub(/\..*/, "", $j)
				if ($j == wanted[i]) i++
				else if (i == 1) break
			}
			found = found || i > n
		}
		END { exit !found }' /tmp/functions && return
	head -n 5 /tmp/functions | sed 's/^/# /'
	return 1
}

same "all details at first" "regs stack task" "$(get handlers/close/detail)"
same "which of them" "ok regs ok stack task ok none ok regs stack task" "$(
	for d in regs "task stack" none "regs stack task"; do
		put handlers/close/detail "$d"
		get handlers/close/detail
	done | xargs)"
same "others" "EINVAL EINVAL EINVAL E2BIG regs stack task" "$(
	for d in regs,stack "regs  stack" registers "regs stack task regs stack task regs"; do
		put handlers/close/detail "$d"
	done | xargs) $(get handlers/close/detail)"

start=$(awk '$3 == "_stext" { print $1 }' /tmp/kallsyms)
end=$(awk '$3 == "_etext" { print $1 }' /tmp/kallsyms)
text() { awk -v a="${1#0x}" -v from="$start" -v to="$end" 'BEGIN { exit !(a >= from && a < to) }'; }

for c in $contexts; do
	# Not before whoever writes sleeps, and has the CPU to itself.
	for _ in 1 2 3 4 5 6 7 8; do
		begin
		fire 1 "$c" 1 1 20000
		end >/tmp/trace
		case $c in hardirq | nmi) ;; *) break ;; esac
		[ "$(field comm lkst/task)" != swapper/1 ] || break
	done
	functions </tmp/trace
	case $c in
	thread) above="fire_store vfs_write ksys_write do_syscall_64" ;;
	softirq) above="tasklet_hit handle_softirqs" ;;
	hardirq) above="timer_hit __hrtimer_run_queues asm_sysvec_apic_timer_interrupt" ;;
	nmi) above="nmi_hit nmi_handle default_do_nmi exc_nmi" ;;
	esac
	# shellcheck disable=SC2086 # a list
	in_order lkst_fire_shoot $above
	result $? "$c: the stack begins where the hook is, and goes on by $above"
	id=$(get events/lkst/mark/id)
	same "$c: all are of the mark, and have its thread" "$id $id" \
		"$(field id lkst/stack) $(field id lkst/task)"
	if [ "$c" = thread ]; then
		tid=$(field tid lkst/task)
		same "$c: the thread is this one" "$tid $$ 0 $(cut -c1-15 /proc/$$/comm)" \
			"$(field tid lkst/stack) $(field tgid lkst/task) $(
			field uid lkst/task) $(field comm lkst/task)"
		same "$c: it came from user mode, by write" "1 $(field user_ip lkst/regs)" \
			"$(field user lkst/regs) $(field ip lkst/regs)"
	else
		same "$c: the thread is whoever ran on the CPU" "$(field tid lkst/task)" \
			"$(field tid lkst/stack)"
	fi
	[ "$c" != hardirq ] && [ "$c" != nmi ] && continue
	# The CPU had nothing to do.
	same "$c: what the interrupt interrupted is the idle thread" "0 0x0 swapper/1" \
		"$(field user lkst/regs) $(field user_ip lkst/regs) $(field comm lkst/task)"
	pass "$c: and an instruction of the kernel's" text "$(field ip lkst/regs)"
done

# What user mode was doing: a program that is nowhere else for long.
while :; do :; done &
spin=$!
taskset -p 2 $spin >/dev/null
# Else what is interrupted may be this shell, in the write that asks for it: that runs
# on the CPU too, and by then it sleeps.
taskset -p 1 $$ >/dev/null
for c in hardirq nmi; do
	for _ in 1 2 3 4 5 6 7 8; do
		begin
		fire 1 "$c" 1 1 20000
		end >/tmp/trace
		[ "$(field user lkst/regs)" != 1 ] || break
	done
	same "$c: user mode was interrupted" "1 $spin $(field ip lkst/regs)" \
		"$(field user lkst/regs) $(field tid lkst/task) $(field user_ip lkst/regs)"
done
kill $spin
taskset -p 3 $$ >/dev/null

# Each other kind of detail by itself.
for d in regs stack task; do
	put handlers/close/detail $d >/dev/null
	begin
	fire 1 thread 2
	same "only $d" "1 $d 2 $d" "$(end | sequence)"
done
put handlers/close/detail none >/dev/null
begin
fire 1 thread 2
same "none: the events themselves" "1-2" "$(end | sequence)"

# Events that come often, at their own sites.
put handlers/close/detail "regs stack task" >/dev/null
put masksets/test/lkst/mark none >/dev/null
# site EVENT FUNCTION...: any of its records has these in its stack.
site() {
	event=$1
	shift
	put "masksets/test/$event" close >/dev/null
	begin
	./marks 1 1 20
	usleep 10000
	end | head -n 500 | functions
	put "masksets/test/$event" none >/dev/null
	in_order "$@"
	result $? "$event: $*"
}
site net/transmit dev_hard_start_xmit __dev_queue_xmit ip_finish_output2 udp_sendmsg __sys_sendto
site sched/switch __schedule schedule
site syscall/enter do_syscall_64 entry_SYSCALL_64_after_hwframe
site irq/softirq_entry handle_softirqs
rmmod lkst_fire
finish
