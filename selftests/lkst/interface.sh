#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every file of the interface is there, no other, each with its mode; and what
# describes the events says the same everywhere.

. ./functions.sh
plan 13

# GROUP/EVENT of all events
events() { (cd $K/events && printf '%s\n' */*); }
groups() { events | sed 's|/.*||' | uniq; }

maskset_files() {
	echo "600 masksets/$1/armed"
	echo "600 masksets/$1/syscalls"
	groups | sed "s|.*|600 masksets/$1/&/all|"
	events | sed "s|.*|600 masksets/$1/&|"
}

expected() {
	echo "600 enabled"
	echo "400 clock"
	for f in count description fields id; do
		events | sed "s|.*|400 events/&/$f|"
	done
	for d in masksets handlers buffers; do
		echo "200 $d/create"
		echo "200 $d/remove"
	done
	echo "600 masksets/current"
	echo "600 buffers/current"
	for m in none default analysis locks all; do
		maskset_files $m
	done
	echo "400 handlers/count/count"
	echo "400 handlers/count/type"
	echo "400 handlers/record/type"
	for f in size packet mode next; do
		echo "600 buffers/boot/$f"
	done
	echo "200 buffers/boot/reset"
	for f in hits lost readable consumed overwritten unfinished bytes; do
		cpus | sed "s|.*|400 buffers/boot/&/$f|"
	done
}

found() { (cd $K && find . -type f -exec stat -c '%a %n' {} +) | sed 's|\./||'; }

expected | sort >/tmp/expected
found | sort >/tmp/found
diff /tmp/expected /tmp/found | sed 's/^/# /'
pass "sysfs: all files, with their modes" cmp /tmp/expected /tmp/found

{
	echo "500 $P"
	echo "500 $P/buffers"
	echo "500 $P/buffers/boot"
	for f in status trace metadata buffers/boot/metadata; do
		echo "400 $P/$f"
	done
	echo "200 $P/marker"
	cpus | sed "s|.*|400 $P/buffers/boot/&|"
	cpus | sed "s|.*|400 $P/buffers/boot/&.open|"
} | sort >/tmp/expected
find $P -exec stat -c '%a %n' {} + | sort >/tmp/found
diff /tmp/expected /tmp/found | sed 's/^/# /'
pass "proc: all files and directories, with their modes" cmp /tmp/expected /tmp/found

same "one directory for each possible CPU" \
	"$(cd /sys/devices/system/cpu && echo cpu[0-9]*)" "$(cpus | xargs)"

# What a user of this version relies on.
sort >/tmp/expected <<-'END'
	exception/page_fault_entry
	exception/page_fault_exit
	exception/page_fault_kind
	exception/trap_entry
	exception/trap_exit
	ipc/futex_wait_begin
	ipc/futex_wait_end
	ipc/futex_wake
	ipc/msg_receive
	ipc/msg_send
	ipc/pipe_read
	ipc/pipe_write
	ipc/semop
	ipc/shm_attach
	ipc/shm_detach
	irq/entry
	irq/exit
	irq/ipi_send
	irq/local_timer_entry
	irq/local_timer_exit
	irq/nmi_entry
	irq/nmi_exit
	irq/softirq_entry
	irq/softirq_exit
	irq/softirq_raise
	irq/tasklet_entry
	irq/tasklet_exit
	irq/thread_entry
	irq/thread_exit
	irq/vector_entry
	irq/vector_exit
	kernel/crash_kexec
	kernel/hard_lockup
	kernel/hung_task
	kernel/module_load
	kernel/module_unload
	kernel/oops
	kernel/panic
	kernel/printk
	kernel/rcu_stall
	kernel/soft_lockup
	kernel/warn
	lkst/buffer
	lkst/clock
	lkst/mark
	lkst/maskset
	lkst/regs
	lkst/stack
	lkst/start
	lkst/stop
	lkst/task
	lkst/threads_unknown
	lkst/trigger
	lock/acquire
	lock/release
	lock/spin_begin
	lock/spin_end
	lock/wait_begin
	lock/wait_end
	mm/cache_alloc
	mm/cache_free
	mm/kfree
	mm/kmalloc
	mm/page_alloc
	mm/page_free
	net/drop
	net/napi_poll
	net/qdisc_dequeue
	net/qdisc_enqueue
	net/receive
	net/sock_accept
	net/sock_close
	net/sock_connect
	net/sock_create
	net/sock_receive
	net/sock_send
	net/sock_state
	net/tcp_retransmit
	net/transmit
	power/frequency
	power/hotplug_begin
	power/hotplug_end
	power/idle_begin
	power/idle_end
	power/phase
	process/cgroup
	process/credentials
	process/exec
	process/exit
	process/fork
	process/kthread
	process/reap
	process/rename
	sched/idle_enter
	sched/idle_exit
	sched/migrate
	sched/pi
	sched/policy
	sched/queue
	sched/schedule_entry
	sched/schedule_exit
	sched/switch
	sched/wakeup
	sched/wakeup_new
	sched/waking
	sched/yield
	signal/coredump_entry
	signal/coredump_exit
	signal/deliver
	signal/generate
	syscall/args
	syscall/enter
	syscall/exit
	timer/cancel
	timer/expire_entry
	timer/expire_exit
	timer/hrtimer_cancel
	timer/hrtimer_expire_entry
	timer/hrtimer_expire_exit
	timer/hrtimer_start
	timer/itimer_expire
	timer/itimer_set
	timer/start
	timer/tick_restart
	timer/tick_stop
	user/number
	user/text
	waitq/begin
	waitq/end
	waitq/wake
	workqueue/begin
	workqueue/end
	workqueue/queue
END
events | sort | grep -x -f /tmp/expected >/tmp/found
diff /tmp/expected /tmp/found | sed 's/^/# /'
pass "the events that there must be" cmp /tmp/expected /tmp/found

total=$(events | wc -l)
same "the numbers of the events are 0 and up, each once" \
	"$(seq 0 $((total - 1)) | xargs)" "$(cat $K/events/*/*/id | sort -n | xargs)"
same "number 0 is lkst/unfinished" 0 "$(get events/lkst/unfinished/id)"
same "status counts those that have a hook" $((total - 1)) \
	"$(sed -n 's/^events .* of \([0-9]*\) hooks on$/\1/p' $P/status)"

same "the fields of sched/switch" \
	"s32 prev_tid, s32 next_tid, x32 prev_state, u16 prev_prio, u16 next_prio, " \
	"$(sed 's/:.*/,/' $K/events/sched/switch/fields | tr '\n' ' ')"
same "a unit stands behind the name" "u64 asked bytes: size asked for" \
	"$(grep asked $K/events/mm/kmalloc/fields)"
same "texts and sequences have their size" "utf8 filename[256] utf8 comm[16] x64 arg[6]" \
	"$(sed -n 's/:.*//p' $K/events/process/exec/fields | tail -n 1) $(
		sed -n 's/:.*//p' $K/events/process/fork/fields | tail -n 1) $(
		sed -n 's/:.*//p' $K/events/syscall/args/fields | tail -n 1)"

same "each event has a description" "$(events)" \
	"$(cd $K/events && grep -l '^[A-Z]' ./*/*/description | sed 's|^./||; s|/description||')"
same "and a count for each CPU" "$((total * $(cpus | wc -l)))" \
	"$(cat $K/events/*/*/count | grep -c '^ *[0-9]*$')"

same "the values at boot" "1 default boot 4194304 65536 overwrite record count" \
	"$(get enabled) $(get masksets/current) $(get buffers/current) $(
		get buffers/boot/size) $(get buffers/boot/packet) $(
		get buffers/boot/mode) $(get handlers/record/type) $(
		get handlers/count/type)"
finish
