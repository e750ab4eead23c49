#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Over a warm reboot the trace stays in reserved memory: after a panic without a capture
# kernel, a triple fault and a reset the next boot has it in the buffer previous, whole;
# and what junk was written over is left out. Runs on the host.

. "$(dirname "$0")/functions.sh"

# What the guest runs, in every boot: the first one does $1, works, and ends by $2; the
# second gives what the first one left.
guest() {
	cat <<-'END'
	#!/bin/sh
	K=/sys/kernel/lkst/buffers P=/proc/lkst/buffers/previous
	if ! dmesg | grep -q "reserved area: there is none"; then
		mkdir -p /tmp/out/trace
		cd /tmp/out
		dmesg >dmesg
		[ -d $P ] || exec tar cf - .
		cp $P/metadata $P/.tasks $P/cpu0 $P/cpu1 trace
		lkst snapshot -b previous -o snapshot >snapshot.log 2>&1
		lkst print -b previous >live.txt 2>live.err
		lkst list buffers >list.txt 2>&1
		lkst status >status.txt 2>&1
		cat $K/previous/damaged >damaged
		cat $K/previous/cpu*/readable >readable
		cat $K/previous/cpu*/hits >hits
		while read file value; do
			/selftests/attempt write $K/$file $value
		done >refused <<-WRITES
			current previous
			previous/size 65536
			previous/packet 4096
			previous/mode discard
			previous/reset 1
			previous/next boot
			boot/next previous
			boot/size 65536
			boot/mode discard
		WRITES
		cat $K/current >current
		free >free.before
		echo previous >$K/remove
		free >free.after
		ls $K /proc/lkst/buffers >gone
		exec tar cf - .
	fi
	END
	echo "$1"
	cat <<-'END'
	# Among its records one has a function.
	until grep -q 'timer/expire_entry .*function=' /proc/lkst/trace; do usleep 10000; done
	i=0
	while [ $i -lt 500 ]; do
		i=$((i + 1))
		echo $i >/proc/lkst/marker
	done
	END
	echo "$2"
}

# reboots MODE OPTIONS BEFORE HOW: the guest does BEFORE, works, and reboots by HOW; the
# results are in $dir.
reboots() {
	mode=$1
	dir=$out/$mode
	rm -rf "$dir"
	mkdir -p "$dir"
	guest "$3" "$4" >"$dir/script"
	started=$(date +%s)
	qemu/run -n -r -t 200 -o "$dir" -a "nokaslr reserve_mem=4M:4096:trace lkst.persist=trace $2" \
		"$dir/script" >"$dir/run.log" 2>&1
	result $? "$mode: the guest boots again, and has the trace"
	tar -C "$dir" -xf "$dir/output" 2>>"$dir/run.log"
	[ $bad -eq 0 ] || tail -n 5 "$dir/run.log" | sed 's/^/# /'
	[ -e "$dir/trace/metadata" ] || return
	"$lkst" print "$dir/trace" >"$dir/trace.txt" 2>"$dir/print.err"
	babeltrace2 "$dir/trace" >"$dir/babeltrace.txt" 2>"$dir/babeltrace.err"
	records=$(grep -cE '^ *[0-9]+\.[0-9]{9} cpu[0-9]+ +.*[a-z]/[a-z]' "$dir/trace.txt")
}

# is NAME COMMAND...
is() {
	local name=$1
	shift
	"$@"
	result $? "$mode: $name"
}

sum() { awk '{ n += $1 } END { print n + 0 }' "$dir/$1"; }

# Is the last record of the time in which the guest ran?
on_time() {
	local last
	last=$(date -d "$("$lkst" print -w -n 1 "$dir/trace" | cut -d' ' -f1)" +%s)
	[ "$last" -ge $((started - 1)) ] && [ "$last" -le "$(date +%s)" ]
}

# The numbers that the guest wrote, as far as they are in order.
numbers() {
	grep -oE 'user/number .* value=[0-9]+' "$dir/trace.txt" | sed 's/.*=//' |
		awk '$1 == n + 1 { n++ } END { print n, NR }'
}

# Every record that was made is there, in all readers.
whole() {
	is "no packet was damaged" [ "$(cat "$dir/damaged")" = 0 ]
	is "all $(sum hits) records are readable" [ "$(sum hits)" = "$(sum readable)" ]
	is "lkst prints them" [ "$records" -eq "$(sum readable)" -a "$records" -gt 1000 ]
	is "without a complaint" [ ! -s "$dir/print.err" ]
	is "babeltrace2 reads as many" [ "$(wc -l <"$dir/babeltrace.txt")" -eq "$records" ]
	is "without a warning" [ ! -s "$dir/babeltrace.err" ]
	cat "$dir"/*.err | sed 's/^/# /; 4q'
	is "at the right time" on_time
	"$lkst" print "$dir/snapshot" >"$dir/snapshot.txt" 2>&1
	is "lkst shows the same in the guest" cmp -s "$dir/live.txt" "$dir/snapshot.txt"
	is "functions and threads have their names" \
		grep -qE ' [0-9]+-[a-z].* timer/expire_entry .* function=[a-z_]+ ' "$dir/live.txt"
	is "and list and status have the buffer" \
		grep -q '^ *previous .*overwrite' "$dir/list.txt"
	is "with its counts" grep -q '^buffer previous: ' "$dir/status.txt"
}

# Nothing is written to it, and what removes it gives the memory back.
read_only() {
	is "it cannot be written to" [ "$(xargs <"$dir/refused")" = \
		"EPERM EPERM EPERM EPERM EPERM EPERM ENOENT EPERM EPERM" ]
	is "nor become current" [ "$(cat "$dir/current")" = boot ]
	is "it can be removed" eval "! grep -q previous '$dir/gone'"
	is "which gives 2 MB back" [ $(($(awk '/Mem/ { print $4 }' "$dir/free.after") -
		$(awk '/Mem/ { print $4 }' "$dir/free.before"))) -ge 1800 ]
}

echo "KTAP version 1"

reboots panic "" "" 'echo c >/proc/sysrq-trigger'
whole
is "all 500 numbers are there" [ "$(numbers)" = "500 500" ]
is "the panic is the last, but for what the kernel printed" [ "$(
	grep -vE ' kernel/printk ' "$dir/trace.txt" | awk '/ kernel\/panic /{ cpu = $2; last = 1; next }
	$2 == cpu { last = 0 } END { print last + 0 }')" = 1 ]
is "with its text" grep -qE 'kernel/panic .*text="sysrq triggered crash"' "$dir/trace.txt"
read_only

# Recording begins anew in the same place.
reboots triple reboot=triple "echo 1 >/sys/kernel/lkst/buffers/boot/reset" "reboot -f"
whole
is "all 500 numbers are there" [ "$(numbers)" = "500 500" ]
is "the trace begins with the reset" [ "$(grep -c 'lkst/start' "$dir/trace.txt")" = 1 ]
is "and not before" eval "! grep -q 'process/exec .*/init' '$dir/trace.txt'"

# As it does where the clock is found to be bad.
reboots clock tsc=unstable "" 'echo b >/proc/sysrq-trigger'
whole
is "all 500 numbers are there" [ "$(numbers)" = "500 500" ]
is "the clock is the other one" grep -q 'description = "monotonic"' "$dir/trace/metadata"

# Packets of 4 KB, some of which are overwritten behind the back of the recorder.
reboots junk lkst.packet=4K "" \
	"insmod /modules/lkst_junk.ko name=trace from=200000 bytes=40000; reboot -f"
damaged=$(cat "$dir/damaged")
is "what was overwritten is left out: $damaged packets" [ "$damaged" -ge 9 -a "$damaged" -le 13 ]
is "the log says so" grep -q "lkst: .*; $damaged damaged packets are left out" "$dir/dmesg"
is "the rest is readable" [ "$(sum readable)" -gt 1000 ]
is "lkst prints it" [ "$records" -eq "$(sum readable)" ]
is "babeltrace2 reads it to the end" [ "$(wc -l <"$dir/babeltrace.txt")" -eq "$records" ]
is "all 500 numbers are there" [ "$(numbers)" = "500 500" ]

# Nothing is left of a head that was overwritten.
reboots head "" "" "insmod /modules/lkst_junk.ko name=trace from=100 bytes=8; reboot -f"
is "there is no trace" [ ! -e "$dir/damaged" ]
is "and the log says why" grep -q \
	"lkst: no trace .* the reserved area: its head is damaged" "$dir/dmesg"
echo "1..$n"
exit $bad
