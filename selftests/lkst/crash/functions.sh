# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# What the tests that crash guests share: where they are, and their results.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1
out=${OUT:-build/check/${0##*/}}
lkst=build/tools/lkst
# A test can have others of these.
makedumpfile=makedumpfile
crash_program=crash
extension=$PWD/build/tools/lkst.so
vmlinux=$out/vmlinux
# shellcheck source=selftests/lkst/results.sh
. selftests/lkst/results.sh

# ends_with NAME PATTERN FILE: the last line of FILE matches.
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

# same_trace NAME FILE...: the trace in $dir/trace comes out of these, to the last byte
# and without a complaint.
same_trace() {
	rm -rf "$dir/again"
	"$lkst" extract -o "$dir/again" "${@:2}" >"$dir/again.log" 2>"$dir/again.err" &&
		[ ! -s "$dir/again.err" ] && diff -r "$dir/trace" "$dir/again" >"$dir/diff"
	result $? "$1"
	cat "$dir/again.err" "$dir/diff" 2>/dev/null | sed 's/^/# /; 4q'
}

# made NAME OPTION...: and out of what makedumpfile makes of the dump. With -F that
# goes to standard output.
made() {
	local to=("$dir/made")
	[[ " ${*:2} " != *" -F "* ]] || to=()
	rm -f "$dir/made"
	"$makedumpfile" --message-level 0 "${@:2}" "$dir/vmcore" "${to[@]}" \
		>"$dir/made.out" 2>"$dir/made.log"
	[ ${#to[@]} -gt 0 ] || mv "$dir/made.out" "$dir/made"
	same_trace "$1" "$dir/made"
}

# dump NAME OPTION...: $dir/vmcore is the dump of a crash, $dir/trace what is in it.
dump() {
	dir=$out/$1
	mkdir -p "$dir"
	rm -rf "$dir"/vmcore* "$dir/trace"
	echo 'echo c >/proc/sysrq-trigger' >"$dir/script"
	qemu/run -n -t 300 -o "$dir" "${@:2}" "$dir/script" >"$dir/run.log" 2>&1
	"$lkst" extract "$dir/vmcore" -o "$dir/trace" >"$dir/extract.log" 2>&1 &&
		[ "$("$lkst" print -s "$dir/trace" | sed -n 's/^ *\([0-9]*\) records$/\1/p')" -gt 1000 ] &&
		grep -q 'sysrq: Trigger a crash' "$dir/trace/dmesg"
	result $? "$1: the dump has a trace and the kernel's log"
}

# all_made PREFIX: all that makedumpfile can make of the dump.
all_made() {
	local level form name of=$1
	for level in 0 1 23 31; do
		made "${of}kdump-compressed, no compression, level $level" -d $level
		for form in "-c zlib" "-l lzo" "-p snappy" "-z zstd"; do
			name=${form#* }
			# Without libraries for them it has the option, but not the compression.
			[ "$name" = zlib ] || "$makedumpfile" -v 2>&1 |
				grep -qE "^${name}[[:blank:]]+enabled" || continue
			made "${of}kdump-compressed, $name, level $level" "${form% *}" -d $level
		done
		made "${of}ELF, level $level" -E -d $level
		for form in -c -E; do
			made "${of}flattened $form, level $level" -F $form -d $level
		done
	done
	# shellcheck disable=SC2002 # it must be a pipe
	cat "$dir/made" | same_trace "${of}flattened, from a pipe" -
	rm -f "$dir"/[abc]
	"$makedumpfile" --message-level 0 -c -d 31 --split --splitblock-size 8 \
		"$dir/vmcore" "$dir/a" "$dir/b" "$dir/c" >"$dir/made.log" 2>&1
	same_trace "${of}split" "$dir/a" "$dir/b" "$dir/c"
	same_trace "${of}split, in another order" "$dir/c" "$dir/a" "$dir/b"
	rm -f "$dir"/[abc] "$dir/made"
}

has_debugging_data() { readelf -SW "$1" | grep -q '\.debug_info'; }

# Even with --minimal crash starts only if debugging data have this structure.
add_debugging_data() {
	local s sections=()
	cp build/kernel/vmlinux "$vmlinux"
	! has_debugging_data "$vmlinux" || return 0
	echo 'struct task_struct { int pid; } task;' >"$out/task.c"
	gcc -g -nostdlib -shared -fPIC -o "$out/task.so" "$out/task.c" || return
	for s in info abbrev line str line_str; do
		objcopy -O binary -j .debug_$s --set-section-flags .debug_$s=alloc \
			"$out/task.so" "$out/debug_$s"
		sections+=(--add-section ".debug_$s=$out/debug_$s")
	done
	objcopy "${sections[@]}" "$vmlinux"
}

# in_crash DUMP [OPTION...]: give crash the commands on standard input.
in_crash() {
	{ echo "extend $extension"; cat; } |
		timeout -k 5 60 "$crash_program" -s "${@:2}" "$vmlinux" "$1" \
			>"$out/crash.txt" 2>"$out/crash.err"
}

# want DUMP: what the command makes of it.
want() {
	rm -rf "$out"/want.*
	"$lkst" status "$1" >"$out/want.status" 2>"$out/want.err"
	"$lkst" print "$1" >"$out/want.print" 2>>"$out/want.err"
	"$lkst" extract "$1" -o "$out/want.save" >"$out/want.saved" 2>>"$out/want.err"
	[ "$(wc -l <"$out/want.print")" -gt 1000 ]
}

# same NAME: what was made in the debugger is the same.
same() {
	local what
	{
		for what in status print saved; do
			cmp "$out/want.$what" "$out/got.$what"
		done
		diff -r "$out/want.save" "$out/got.save"
	} >"$out/diff" 2>&1
	[ ! -s "$out/diff" ]
	result $? "$1"
	sed 's/^/# /; 4q' "$out/diff"
}

# crash_same NAME DUMP [OPTION...]: all three commands, their output redirected.
crash_same() {
	rm -rf "$out"/got.*
	in_crash "${@:2}" <<-END
		lkst status >$out/got.status
		lkst print | cat >$out/got.print
		lkst save $out/got.save >$out/got.saved
	END
	same "$1"
}

skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}
