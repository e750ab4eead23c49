#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests of the lkst command, in KTAP. LKST is the command, BIN has mkdump, fuzz
# and measure. Every function test_* is one test, with an empty directory $tmp;
# what it prints is shown if it fails. Arguments are the tests to run: all if none.

set -eu
: "${LKST:?}" "${BIN:?}"
here=$(cd "$(dirname "$0")" && pwd)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
TZ=UTC
LC_ALL=C.UTF-8
export TZ LC_ALL

# make CASE [OPTION...]: makes $tmp/dump
make() {
	kind=$1
	shift
	"$BIN/mkdump" "$@" "$kind" "$tmp/dump"
}

# extract [OPTION...]: $tmp/dump to $tmp/out; out.txt and err.txt are what it says
extract() {
	rm -rf "$tmp/out"
	"$LKST" extract "$tmp/dump" -o "$tmp/out" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt"
}

# fails STATUS COMMAND...: it must end with that exit code
fails() {
	want=$1
	shift
	got=0
	"$@" || got=$?
	[ "$got" = "$want" ] || { echo "exit code $got, not $want: $*"; return 1; }
}

# said TEXT: a message has it
said() {
	grep -qF -- "$1" "$tmp/err.txt" ||
		{ echo "no message has: $1"; cat "$tmp/err.txt"; return 1; }
	! grep -v '^lkst: ' "$tmp/err.txt" || { echo "not all begins with lkst:"; return 1; }
}

# refused TEXT OPTION...: the command line is wrong, and a message says so; all
# there is to print is messages
refused() {
	text=$1
	shift
	fails 2 "$LKST" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt"
	said "$text"
	[ ! -s "$tmp/out.txt" ] || { echo "it prints:"; cat "$tmp/out.txt"; return 1; }
}

# as_user COMMAND...: as somebody who is not root; fails if that cannot be had
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

quiet() {
	[ ! -s "$tmp/err.txt" ] || { echo "unexpected messages:"; cat "$tmp/err.txt"; return 1; }
}

# same FILE: standard input is what is in the file
same() {
	diff -u "$1" -
}

# What is in the rings, in the form of mkdump -x.
listing() {
	"$LKST" print -e test/seq "$@" 2>"$tmp/err.txt" | grep ' test/seq ' |
		sed 's/^ *\([0-9.]*\) \(cpu[0-9]*\) .* \(value=[0-9]*\) .*/\1 \2 \3/' | sort
}

# witness N DIR: babeltrace2 reads N records and has nothing to say
witness() {
	babeltrace2 "$2" >"$tmp/bt.txt" 2>"$tmp/bt.err" || { cat "$tmp/bt.err"; return 1; }
	[ ! -s "$tmp/bt.err" ] || { cat "$tmp/bt.err"; return 1; }
	n=$(wc -l <"$tmp/bt.txt")
	[ "$n" = "$1" ] || { echo "babeltrace2 reads $n records, not $1"; return 1; }
}

# Records come out of a dump, and of what was extracted from it, as they went in.
round_trip() {
	make "$@" -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	listing "$tmp/dump" | same "$tmp/want.sorted"
	quiet
	extract
	listing "$tmp/out" | same "$tmp/want.sorted"
	quiet
}

# Tests.

test_print_values() {
	make kinds
	"$LKST" print "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	same "$tmp/got" <"$here/kinds.txt"
}

test_print_same_from_directory() {
	make kinds
	extract
	"$LKST" print "$tmp/out" | same "$here/kinds.txt"
	"$LKST" print "$tmp/out/boot" | same "$here/kinds.txt"
}

test_print_real_frequency() {
	make kinds -z 2445000000
	"$LKST" print -e test/seq "$tmp/dump" | grep -q '^    0\.000409406 cpu0 '
	"$LKST" print -e test/long "$tmp/dump" | grep -q '^    0\.409407566 cpu2 '
}

test_print_wall_time() {
	make kinds
	"$LKST" print -w -e test/long "$tmp/dump" |
		grep -q '^2023-11-14T22:13:21\.001001500Z cpu2 .* test/long '
}

test_print_events() {
	make kinds
	[ "$("$LKST" print -e 'process/*' -e sched/switch "$tmp/dump" | wc -l)" = 5 ]
	fails 1 "$LKST" print -e nothing "$tmp/dump" 2>"$tmp/err.txt"
	said "-e, --event: no event matches nothing"
	fails 1 "$LKST" print -e sched "$tmp/dump" 2>"$tmp/err.txt"
	said "-e, --event: no event matches sched; those of the group do 'sched/*'"
	# With a '!' all but those; the last pattern that matches decides.
	"$LKST" print "$tmp/dump" >"$tmp/all"
	"$LKST" print -e '!process/*' -e '!sched/switch' "$tmp/dump" >"$tmp/got"
	grep -v -e ' process/' -e ' sched/switch ' "$tmp/all" | same "$tmp/got"
	"$LKST" print -e '*' -e '!process/*' -e process/exec "$tmp/dump" >"$tmp/got"
	grep -v ' process/[^e]' "$tmp/all" | grep -v ' process/exit' | same "$tmp/got"
	[ "$("$LKST" print -e 'process/*' -e '!process/exec' "$tmp/dump" | wc -l)" = 2 ]
	fails 1 "$LKST" print -e '!sched' "$tmp/dump" 2>"$tmp/err.txt"
	said "-e, --event: no event matches sched; those of the group do 'sched/*'"
}

test_print_cpus() {
	make kinds
	[ "$("$LKST" print -c 2 "$tmp/dump" | wc -l)" = 2 ]
	[ "$("$LKST" print -c 0,2-5 "$tmp/dump" | wc -l)" = 10 ]
	[ "$("$LKST" print -c 0 -c 2 "$tmp/dump" | wc -l)" = 10 ]
	[ "$("$LKST" print -c 0-2 "$tmp/dump" | wc -l)" = 10 ]
}

test_print_cpus_that_are_not_there() {
	make kinds
	extract
	for from in "$tmp/dump" "$tmp/out"; do
		fails 0 "$LKST" print -c 2-9 "$from" >"$tmp/got" 2>"$tmp/err.txt"
		quiet
		fails 1 "$LKST" print -c 9 "$from" >"$tmp/got" 2>"$tmp/err.txt"
		said "-c, --cpu: the trace has nothing of CPU 9"
		[ ! -s "$tmp/got" ]
		fails 1 "$LKST" print -c 0,3-5 "$from" >"$tmp/got" 2>"$tmp/err.txt"
		said "-c, --cpu: the trace has nothing of CPUs 3-5"
		[ "$(wc -l <"$tmp/got")" = 8 ]
	done
}

test_print_thread() {
	make kinds
	"$LKST" print -t 200 "$tmp/dump" | awk '{ print $1 }' >"$tmp/got"
	printf '0.001001500\n1.001001500\n' | same "$tmp/got"
	[ "$("$LKST" print -t 400 "$tmp/dump" | wc -l)" = 7 ]
}

test_print_last() {
	make kinds
	tail -n 3 "$here/kinds.txt" >"$tmp/want"
	"$LKST" print -n 3 "$tmp/dump" | same "$tmp/want"
	"$LKST" print -n 100 "$tmp/dump" | same "$here/kinds.txt"
}

test_print_from_to() {
	make kinds
	"$LKST" print --from 0.00100301 --to 0.00100303 "$tmp/dump" >"$tmp/got"
	sed -n '5,7p' "$here/kinds.txt" | same "$tmp/got"
	[ "$("$LKST" print --from 1 "$tmp/dump" | wc -l)" = 1 ]
}

test_print_summary() {
	make wrap
	"$LKST" print -s "$tmp/dump" | awk '{ print $1, $2 }' >"$tmp/got"
	printf '1846 test/seq\n1846 records\n' | same "$tmp/got"
}

# In a dump, what fits no event is shown as unfinished, for other readers' sake.
test_strange_records() {
	make strange
	fails 1 "$LKST" print -c 0 "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
	said "buffer boot cpu0: 6 records fit no event"
	sed 's/^.*x //; s/  */ /' "$tmp/got" >"$tmp/got2"
	printf '%s\n' 'test/seq value=1 minus=-1' \
		'lkst/unfinished event=77(unknown) fill=[6,0,0,0,0,0,0,0]' \
		'lkst/unfinished event=6(test/seq) fill=[]' \
		'lkst/unfinished event=7(test/mark) fill=[]' \
		'lkst/unfinished event=6(test/seq) fill=[6,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0]' \
		'lkst/unfinished event=4(fs/open) fill=[111,111,111,111,111,111,111,111]' \
		'lkst/unfinished event=77(unknown) fill=[6,0,0,0,0,0,0,0]' \
		'test/seq value=2 minus=-2' | same "$tmp/got2"
	fails 1 extract
	said "cpu1 packet 0"
	said "is a record of no event; the rest of it is dropped"
	grep -q '^  cpu0  *1  *8  *0  *6 ' "$tmp/out.txt"
	grep -q '^  cpu1  *1  *1  *0  *0 ' "$tmp/out.txt"
	witness 9 "$tmp/out"
}

# In a directory, where nothing is changed, they are shown as they are.
test_strange_records_in_files() {
	make strange
	fails 1 extract
	make strange
	sed '/id = [67];/d' "$tmp/out/boot/metadata" >"$tmp/metadata"
	mv "$tmp/metadata" "$tmp/out/boot/metadata"
	fails 0 "$LKST" print "$tmp/out" >"$tmp/got" 2>"$tmp/err.txt"
	[ "$(grep -c ' unknown/6  *bytes=16' "$tmp/got")" = 3 ]
}

test_help() {
	fails 2 "$LKST" 2>"$tmp/err.txt"
	grep -q "^Usage: lkst COMMAND " "$tmp/err.txt"
	for c in extract print status; do
		"$LKST" help $c | grep -q "^Usage: lkst $c "
		"$LKST" $c -h | grep -q "^Usage: lkst $c "
		refused "unrecognized option '--nothing'" $c --nothing
		said "\`lkst $c --help' lists the options"
		refused "invalid option -- 'x'" $c -x
	done
	refused "nothing: no such command" nothing
	refused "nothing: no such command" help nothing
	"$LKST" --version | grep -q '^lkst [0-9]'
}

# A message names the option at fault, and what it is about.
test_bad_arguments() {
	for list in "" x 1x 1- -1 1,,2 "1," 3-2 4294967295 99999999999999999999; do
		refused "-c, --cpu: \"$list\" is not a list of CPUs" print --cpu="$list"
	done
	for n in "" 0 -1 x 10000001 99999999999999999999; do
		refused "-n, --last: \"$n\" is not a number of lines" print -n "$n"
	done
	refused '-t, --tid: "sh" is not' print -t sh
	refused '-t, --tid: "4294967296" is not' print -t 4294967296
	refused '-b, --buffer: "" is not' print -b ''
	refused '-b, --buffer: "a/b" is not' print -b a/b
	for t in x -x -1d 1.5m 2023-11 2023-11-14T22:13:20x 99999999999999999999; do
		refused "--since: \"$t\" is not a time" print --since "$t"
		refused "--until: \"$t\" is not a time" print --until "$t"
	done
	refused "--since is later than --until" print --from 2 --to 1.999999999
	refused "--since is later than --until" print --since -1 --until -1.5
	refused '--format: "xml" is not' print --format xml
	refused '--time: "utc" is not' print --time utc
	refused "only the running kernel can be followed" print -f a
	refused "option requires an argument -- 'c'" print -c
	refused "option '--boot' requires an argument" status --boot
	refused "no dump is named" extract -o dir
	refused "-o, --output: is missing" extract dump
}

test_bad_boots() {
	for id in "" 20g xyz 2021-22 0x20 202122232425262728292a2b2c2d2e2f0; do
		refused "-B, --boot: \"$id\" is not the begin of a boot's id" \
			extract "$tmp/dump" -o "$tmp/out" -B "$id"
		refused "-B, --boot: \"$id\"" status -B "$id" "$tmp/dump"
		refused "--boot: \"$id\"" print --boot "$id" "$tmp/dump"
	done
	# What is no dump has one boot.
	for option in --scan --boot=20; do
		refused "are for a dump" status $option
		refused "are for a dump, and the running kernel is none" print $option
		refused "are for a dump, and $tmp is none" print $option "$tmp"
	done
}

test_full_device() {
	[ -e /dev/full ] || return 0
	make wrap
	fails 1 "$LKST" print "$tmp/dump" >/dev/full 2>"$tmp/err.txt"
	said "cannot write"
}

test_wrapped_ring() { round_trip wrap; }
test_wrapped_ring_laps_over() { round_trip wrap -r 400000; }
test_large_packets() { round_trip big -r 300000 -m 40; }
test_extended_times() { round_trip times; }
test_discard_ring() { round_trip discard; }
test_lost_records() { round_trip lost; }
test_qemu_dump() { round_trip wrap -q; }
test_dump_without_vmcoreinfo() {
	make wrap -n -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	listing "$tmp/dump" | same "$tmp/want.sorted"
	quiet
}
test_qemu_without_vmcoreinfo() { round_trip wrap -q -n; }

test_lost_is_shown() {
	make lost
	"$LKST" print "$tmp/dump" | grep -v test/seq | sed 's/^ *//; s/  */ /g' >"$tmp/got"
	printf '%s\n' '0.000004330 cpu0 2 earlier packets are not in the trace' \
		'0.000021010 cpu0 lost 1170 records' | same "$tmp/got"
}

test_overwritten_is_shown() {
	make wrap -r 3000
	extract
	cp -r "$tmp/out/boot" "$tmp/gap"
	# Without its second packet.
	head -c 4096 "$tmp/out/boot/cpu0" >"$tmp/gap/cpu0"
	tail -c +8193 "$tmp/out/boot/cpu0" >>"$tmp/gap/cpu0"
	"$LKST" print "$tmp/gap" | grep -c 'cpu0   1 packets overwritten' | grep -qx 1
}

test_extract_counts() {
	make lost
	extract
	quiet
	sed 's/  */ /g' "$tmp/out.txt" >"$tmp/got"
	printf '%s\n' 'kernel 6.12.0-test' 'build id 0000000000000000000000000000000000000000' \
		'boot 101112131415161718191a1b1c1d1e1f' 'started 2023-11-14T22:13:20Z' \
		'crashed 2023-11-14T22:15:00Z' 'cpus 4' 'buffer boot (current)' \
		' cpu packets records unfinished strange lost overwritten cut dropped' \
		' cpu0 4 548 0 0 1170 332 0 0' | same "$tmp/got"
}

test_extract_files() {
	make kinds
	extract
	(cd "$tmp/out" && find . -type f | sort) >"$tmp/got"
	printf './%s\n' .current boot/.tasks boot/cpu0 boot/cpu2 boot/metadata | same "$tmp/got"
	printf '%s\n' '1 1 init' '100 100 sh\x0a\x1b[1m\x5cx' \
		'200 201 workerä1' '300 100 \xffbad' | same "$tmp/out/boot/.tasks"
}

test_extract_changes_nothing_else() {
	make wrap -M "$tmp/map"
	extract
	# Of a closed packet not a bit: the first one extracted is in the dump.
	head -c 4096 "$tmp/out/boot/cpu0" | od -v -An -tx1 >"$tmp/got"
	grep '^packet ' "$tmp/map" | while read -r _ offset size; do
		tail -c "+$((offset + 1))" "$tmp/dump" | head -c "$size" |
			od -v -An -tx1 >"$tmp/one"
		cmp -s "$tmp/one" "$tmp/got" && echo yes
	done | grep -qx yes
}

test_extract_keeps_what_is_there() {
	make kinds
	extract
	fails 1 "$LKST" extract "$tmp/dump" -o "$tmp/out" >/dev/null 2>"$tmp/err.txt"
	said "is not empty"
	echo stale >"$tmp/out/boot/cpu7"
	"$LKST" extract -f "$tmp/dump" -o "$tmp/out" >/dev/null
	"$LKST" print "$tmp/out" | same "$here/kinds.txt"
	[ ! -e "$tmp/out/boot/cpu7" ] || { echo "a stale file was left"; return 1; }
	# Not through a link.
	echo mine >"$tmp/mine"
	ln -sf "$tmp/mine" "$tmp/out/boot/cpu0"
	"$LKST" extract -f "$tmp/dump" -o "$tmp/out" >/dev/null
	[ "$(cat "$tmp/mine")" = mine ]
}

test_babeltrace_reads_wrapped() { make wrap; extract; witness 1846 "$tmp/out"; }
test_babeltrace_reads_times() { make times; extract; witness 600 "$tmp/out"; }
test_babeltrace_reads_kinds() { make kinds; extract; witness 10 "$tmp/out"; }
test_babeltrace_reads_switching() { make switching; extract; witness 869 "$tmp/out"; }
test_babeltrace_reads_unfinished() { make unfinished; extract; witness 9 "$tmp/out"; }
test_babeltrace_reads_two_buffers() { make two; extract; witness 3 "$tmp/out"; }

test_babeltrace_agrees_on_values() {
	make times
	extract
	witness 600 "$tmp/out"
	sed 's/^\[\([^]]*\)\].*value = \([0-9]*\),.*/\2/' "$tmp/bt.txt" >"$tmp/want"
	"$LKST" print "$tmp/out" | sed 's/.*value=\([0-9]*\) .*/\1/' | same "$tmp/want"
	babeltrace2 --clock-seconds "$tmp/out" 2>/dev/null |
		sed 's/^\[17\([0-9]*\.[0-9]*\)\].*/\1/' >"$tmp/want"
	"$LKST" print "$tmp/out" |
		awk '{ split($1, t, "."); printf "%08d.%s\n", t[1], t[2] }' | same "$tmp/want"
}

test_unfinished_records() {
	make unfinished
	"$LKST" print "$tmp/dump" | sed 's/^ *//; s/  */ /g; s/ \([^ ]*\) [^ ]* / \1 /' >"$tmp/got"
	same "$tmp/got" <"$here/unfinished.txt"
	extract
	grep -q '^  cpu0  *1  *6  *3  *0 ' "$tmp/out.txt"
	grep -q '^  cpu1  *1  *3  *2 ' "$tmp/out.txt"
	# Lap and state: the one with a payload is finished now, that of one word is not.
	state() { od -An -tx1 -j$(($1 * 8 + 3)) -N1 "$tmp/out/boot/cpu0" | tr -d ' '; }
	[ "$(state 14)" = 81 ]
	[ "$(state 17)" = 01 ]
}

test_open_packets() {
	make unfinished
	extract
	# End, content size in bits, and records reserved, on the two CPUs.
	field() { od -An -t"u$3" -j"$2" -N"$3" "$tmp/out/boot/cpu$1" | tr -d ' '; }
	[ "$(field 0 56 8)" = 8589935652 ]
	[ "$(field 0 64 8)" = $(((11 + 3 + 3 + 1 + 3 + 5 + 3) * 64)) ]
	[ "$(field 0 28 4)" = 6 ]
	[ "$(field 1 28 4)" = 3 ]
	[ "$(stat -c %s "$tmp/out/boot/cpu0")" = 4096 ]
}

test_crash_in_packet_switch() {
	make switching -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	listing "$tmp/dump" | same "$tmp/want.sorted"
	quiet
}

# numbers WANTED COMMAND...: what it prints is as print -a prints it, and it ends with
# that exit code
numbers() {
	fails "$1" "$LKST" print "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
	"$LKST" print -a "$tmp/dump" 2>/dev/null | same "$tmp/got"
	grep -q ' function=0xffffffff81000100 ' "$tmp/got"
}

test_print_symbols() {
	# As kernels for several CPUs and for one have them.
	for how in "" -u; do
		# shellcheck disable=SC2086 # an option or none
		make symbols $how
		"$LKST" print "$tmp/dump" 2>"$tmp/err.txt" | same "$here/symbols.txt"
		quiet
		extract
		quiet
		rm "$tmp/dump"
		"$LKST" print "$tmp/out" 2>"$tmp/err.txt" | same "$here/symbols.txt"
		quiet
		witness 3 "$tmp/out"
	done
	"$LKST" print -a "$tmp/out" | head -n 1 | grep -q ' function=0xffffffff81000100 data='
}

test_extract_symbols() {
	make symbols
	extract
	# Of those that are not used only what says how far another one goes.
	cut -c -24 "$tmp/out/boot/.symbols" >"$tmp/got"
	printf 'ffffffff8100%s\n' '0000 T start' '0100 t proce' '0200 T a_fun' \
		'0400 W sched' '0800 t unuse' '3040 t setup' \
		'0000 T _stex' '1000 T _etex' '3000 T _sini' '3100 T _eini' |
		same "$tmp/got"
	# Of no use to what is extracted next.
	make kinds
	"$LKST" extract -f "$tmp/dump" -o "$tmp/out" >/dev/null
	[ ! -e "$tmp/out/boot/.symbols" ]
}

test_no_symbols() {
	# Nothing says where they are.
	make symbols -n
	numbers 0
	quiet
	make symbols
	sed -i 's/SYMBOL(kallsyms_offsets)=/SYMBOL(kallsyms_offsetz)=/' "$tmp/dump"
	numbers 0
	quiet
	# They are those of the kernel that crashed, not of the one before.
	make symbols -b 2
	"$LKST" print "$tmp/dump" | grep -q ' function=process_timeout '
	"$LKST" print --boot 2021 "$tmp/dump" 2>/dev/null | grep -q ' function=process_timeout '
	"$LKST" print --boot 1011 "$tmp/dump" 2>/dev/null | grep -q ' function=0xffffffff81000100 '
}

# bad_table REGION OFFSET BYTES: these bytes in a table make it useless
bad_table() {
	make symbols -M "$tmp/map"
	at=$(awk -v name="kallsyms_$1" '$1 == name { print $2 }' "$tmp/map")
	# shellcheck disable=SC2059 # bytes are given as escapes
	printf "$3" | dd of="$tmp/dump" bs=1 seek=$((at + $2)) conv=notrunc 2>/dev/null
	bad_symbols
}

bad_symbols() {
	numbers 1
	said "the kernel's table of symbols is damaged"
	[ "$(wc -l <"$tmp/err.txt")" = 1 ]
	fails 1 extract
	said "the kernel's table of symbols is damaged"
	[ "$(wc -l <"$tmp/err.txt")" = 1 ]
	[ ! -e "$tmp/out/boot/.symbols" ]
}

test_damaged_symbols() {
	bad_table names 0 '\000'
	bad_table names 0 '\377\377'
	bad_table names 19 '\377\177'
	bad_table num_syms 0 '\000'
	bad_table num_syms 0 '\377\377\377\377'
	bad_table num_syms 2 '\001'
	bad_table relative_base 0 '\001'
	bad_table token_index 168 '\377\377'
	bad_table offsets 8 '\000'
	bad_table offsets 55 '\000'
	# An escape sequence; and a token without an end.
	bad_table token_table 4 '\033[2J'
	bad_table token_table 0 "$(printf '%0512d' 0)"
	for change in 's/_names)=ffffffff81/_names)=ffffffff71/' \
		's/_names)=ffffffff81/_names)=ffffffffb1/' \
		's/_offsets)=ffffffff8/_offsets)=fffffff:8/' \
		's/_index)=ffffffff8/_index)=ffff7fff8/' \
		's/(phys_base)=-1/(phys_base)=-9/' 's/(phys_base)=-/(phys_base)=x/' \
		's/(phys_base)=-/(phys_bose)=-/' 's/(_stext)=ff/(_stext)=0f/'; do
		make symbols
		sed -i "$change" "$tmp/dump"
		bad_symbols
	done
}

test_two_buffers() {
	make two
	extract
	[ "$(cat "$tmp/out/.current")" = other ]
	# Each has the symbols that it needs: "boot", which comes last, has none.
	grep -q ' process_timeout$' "$tmp/out/other/.symbols"
	[ ! -e "$tmp/out/boot/.symbols" ]
	for from in "$tmp/dump" "$tmp/out"; do
		[ "$("$LKST" print "$from" 2>/dev/null | wc -l)" = 2 ]
		[ "$("$LKST" print -b boot "$from" | wc -l)" = 1 ]
		fails 1 "$LKST" print -b none "$from" 2>"$tmp/err.txt"
		said "-b, --buffer: "
	done
	rm "$tmp/out/.current"
	fails 1 "$LKST" print "$tmp/out" 2>"$tmp/err.txt"
	said "choose one of its buffers with -b"
}

test_two_boots() {
	make wrap -b 2 -n -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	listing "$tmp/dump" | same "$tmp/want.sorted"
	said "descriptors of 2 boots"
	said "boot 202122232425262728292a2b2c2d2e2f, started 2023-11-14T"
	extract
	grep -q '20212223-2425' "$tmp/out/boot/metadata"
	extract --boot 1011
	grep -q '10111213-1415' "$tmp/out/boot/metadata"
	fails 1 grep -q ^crashed "$tmp/out.txt"
	extract --boot 101112131415161718191A1b
	grep -q '10111213-1415' "$tmp/out/boot/metadata"
	rm -rf "$tmp/out"
	fails 1 extract --boot 77
	said "no descriptor in the dump is of boot 77"
	[ ! -e "$tmp/out/boot" ]
}

# recovered DAMAGE MESSAGE...: everything is found in spite of it, and decoded
recovered() {
	make wrap -d "$1" -x "$tmp/want"
	shift
	sort "$tmp/want" >"$tmp/want.sorted"
	listing "$tmp/dump" | same "$tmp/want.sorted"
	for message in "$@"; do said "$message"; done
	fails 1 extract
	witness 1846 "$tmp/out"
	listing "$tmp/out" | same "$tmp/want.sorted"
}

# same_counters: the rings were found too
same_counters() {
	grep -q '^  cpu1  *4  *656  *0  *0  *0  *[1-9][0-9]*  *0  *0$' "$tmp/out.txt"
}

clock="its times are ticks"
no_tasks="the table of task names cannot be found"

test_damaged_descriptor() {
	recovered noise:descriptor "no good descriptor" "no descriptor found"
	same_counters
	[ "$(cat "$tmp/out/.current")" = boot ]
	grep -q '^1 1 init$' "$tmp/out/boot/.tasks"
}
test_damaged_descriptor_bit() { recovered flip:descriptor "no good descriptor"; }
test_lost_descriptor() {
	recovered zero:descriptor-page "no good descriptor" "state is lost"
	same_counters
}
test_damaged_position() { recovered noise:position "position makes no sense"; }
test_damaged_limit() { recovered zero:limit "the ring's limit makes no sense: 0"; }
test_damaged_ring() { recovered noise:ring "is none"; }
test_lost_ring() { recovered zero:ring-page "is none"; }
test_lost_table_of_packets() {
	recovered zero:packets "4 of its packets are not where they should be"
}
test_damaged_directory() {
	recovered noise:directory "there is no directory" "$no_tasks"
	same_counters
	[ "$(cat "$tmp/out/.current")" = boot ]
}
test_lost_directory() {
	recovered zero:directory-page "there is no directory" "$no_tasks"
	same_counters
}
test_flipped_directory() { recovered flip:entry-info "there is no buffer"; }
test_flipped_metadata_address() {
	recovered flip:entry-metadata "the metadata is not as the directory says"
}
test_flipped_metadata_size() {
	recovered flip:entry-size "the metadata is not as the directory says"
}
test_zero_metadata_size() {
	recovered zero:entry-size "the metadata is not as the directory says"
}
test_damaged_descriptor_and_directory() {
	recovered noise:descriptor,directory "no descriptor found" "$no_tasks"
	same_counters
	grep -q '^buffer boot' "$tmp/out.txt"
}
test_lost_descriptor_and_directory() {
	recovered zero:descriptor-page,directory-page "no descriptor found" "$no_tasks"
	same_counters
	grep -q '^buffer boot' "$tmp/out.txt"
}
test_damaged_buffer() {
	recovered noise:info "its page at" "impossible number of rings"
	grep -q '^buffer boot (current)$' "$tmp/out.txt"
	same_counters
}
test_damaged_buffer_magic() { recovered flip:info-magic "its page at"; same_counters; }
test_damaged_uuid() { recovered flip:uuid "its page at"; same_counters; }
test_lost_uuid() { recovered zero:uuid "its page at"; same_counters; }
test_damaged_head_size() { recovered noise:head-size "its page at"; same_counters; }
test_damaged_head() {
	recovered flip:head "metadata, line 9" "made anew from the state"
	same_counters
}
test_lost_head() { recovered zero:head "made anew from the state"; same_counters; }
test_lost_buffer() {
	recovered zero:info-page "there is no buffer" "made anew from the state"
	grep -q '^buffer unknown-1$' "$tmp/out.txt"
	same_counters
}
test_lost_buffer_and_descriptor() {
	recovered zero:info-page,descriptor-page,state "no descriptor found" "$clock"
	same_counters
}
test_nothing_left_but_packets() {
	recovered zero:descriptor-page,directory-page,info-page,ring-page,state \
		"no descriptor found" "unknown-1: its page is lost" "$clock"
	grep -q '^  cpu1  *4  *656  *0  *0  *?  *?' "$tmp/out.txt"
}
test_damaged_state() { recovered noise:state "LKST's state is damaged"; }

test_wall_time_from_state() {
	make wrap -z 2445000000
	"$LKST" print -w "$tmp/dump" >"$tmp/want"
	make wrap -z 2445000000 -d zero:info-page
	fails 1 "$LKST" print -w "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
	same "$tmp/want" <"$tmp/got"
}

test_damaged_body() {
	make wrap -d noise:body
	fails 1 extract
	said "metadata, line 17"
	grep -q '^  cpu1  *4  *656 ' "$tmp/out.txt"
	fails 1 "$LKST" print "$tmp/dump" 2>"$tmp/err.txt"
	said "metadata, line 17"
	make wrap -d zero:body
	fails 1 extract
	said "the metadata cannot be found"
	grep -q '^  cpu1  *4  *656 ' "$tmp/out.txt"
	fails 1 "$LKST" print "$tmp/dump" 2>"$tmp/err.txt"
	said "cannot be decoded"
}

test_damaged_count_of_lost() {
	make wrap -M "$tmp/map"
	offset=$(grep '^packet ' "$tmp/map" | awk '{ print $2 }' | head -n 1)
	printf '\377' | dd of="$tmp/dump" bs=1 seek=$((offset + 87)) conv=notrunc 2>/dev/null
	fails 1 extract
	said "records were lost, which cannot be"
	witness 1846 "$tmp/out"
}

# Of two boots that left no good descriptor.
test_two_boots_without_descriptor() {
	make wrap -b 2 -d zero:descriptor-page,directory-page
	fails 1 extract -B 2021
	said "12 packets are of boot 202122232425262728292a2b"
	grep -q '20212223-2425' "$tmp/out/boot/metadata"
	witness 1846 "$tmp/out"
	fails 1 extract -B 1011
	grep -q '10111213-1415' "$tmp/out/boot/metadata"
	rm -rf "$tmp/out"
	fails 1 extract -B 77
	said "no packet in the dump is of boot 77"
	[ ! -e "$tmp/out/boot" ]
}

test_status_of_dump() {
	make lost
	"$LKST" status "$tmp/dump" >"$tmp/got"
	sed 's/  */ /g' "$tmp/got" >"$tmp/got2"
	same "$tmp/got2" <"$here/status.txt"
}

# A running kernel's files, made from a dump.
make_live() {
	make "$@"
	extract
	rm -rf "$tmp/root"
	mkdir -p "$tmp/root/proc/lkst/buffers" "$tmp/root/sys/kernel/lkst/buffers/boot"
	cp -r "$tmp/out/boot" "$tmp/root/proc/lkst/buffers/boot"
	rm "$tmp/root/proc/lkst/buffers/boot/.tasks"
	echo boot >"$tmp/root/sys/kernel/lkst/buffers/current"
	for c in "$tmp/root/proc/lkst/buffers/boot"/cpu*; do
		tail -c 4096 "$c" >"$c.open"
		head -c -4096 "$c" >"$c.closed"
		mv "$c.closed" "$c"
	done
}

test_print_live() {
	make_live wrap -x "$tmp/want"
	mkdir "$tmp/root/proc/100"
	echo alive >"$tmp/root/proc/100/comm"
	sort "$tmp/want" >"$tmp/want.sorted"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	listing | same "$tmp/want.sorted"
	quiet
	"$LKST" print -n 1 -c 1 | grep -q ' 100-alive  '
	"$LKST" print -b boot -n 1 -c 2 | grep -q ' 200-?  '
}

# The open packet was closed, and is there twice, before it could be read.
test_print_live_closed_meanwhile() {
	make_live wrap -x "$tmp/want"
	for c in "$tmp/root/proc/lkst/buffers/boot"/cpu?; do
		cat "$c.open" >>"$c"
	done
	sort "$tmp/want" >"$tmp/want.sorted"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	listing | same "$tmp/want.sorted"
	quiet
}

test_print_live_symbols() {
	make_live symbols
	rm "$tmp/root/proc/lkst/buffers/boot/.symbols"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	"$LKST" print -a >"$tmp/want" 2>"$tmp/err.txt"
	quiet
	# None, and hidden ones.
	"$LKST" print 2>"$tmp/err.txt" | same "$tmp/want"
	quiet
	printf '0000000000000000 T %s\n' startup_64 _stext process_timeout _etext \
		>"$tmp/root/proc/kallsyms"
	fails 0 "$LKST" print >"$tmp/got" 2>"$tmp/err.txt"
	same "$tmp/want" <"$tmp/got"
	said "tells no addresses"
	printf '%s\n' '0000000000000000 A fixed_percpu_data' 'ffffffff81000000 T _stext' \
		'ffffffff81000100 t process_timeout' 'ffffffff81000200 T other' \
		'ffffffff81001000 T _etext' 'ffffffff81002000 d data' \
		'ffffffffc0001000 t in_a_module	[module]' >"$tmp/root/proc/kallsyms"
	fails 0 "$LKST" print >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	grep -q ' function=process_timeout data=0xffffffff81002000 number=' "$tmp/got"
	grep -q ' frame=\[other+0x461,other+0x1ff,other+0x5ff,0xffffffff81001000,0xffffffff81003050,.*,0xffffffffc0001234,' "$tmp/got"
}

# Of the boot before: its threads are not those of /proc, and its functions lay elsewhere.
test_print_live_past() {
	make_live symbols
	d=$tmp/root/proc/lkst/buffers/boot
	rm "$d/.symbols"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	echo 0xffffffff81000000 >"$tmp/root/sys/kernel/lkst/buffers/boot/text"
	printf '%s\n' 'ffffffff92000000 T _stext' 'ffffffff92000100 t process_timeout' \
		'ffffffff92000200 T other' 'ffffffff92001000 T _etext' \
		>"$tmp/root/proc/kallsyms"
	tid=$("$LKST" print -a | awk 'NR == 1 { print $3 + 0 }')
	mkdir -p "$tmp/root/proc/$tid"
	echo new >"$tmp/root/proc/$tid/comm"
	"$LKST" print >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	grep -q ' function=process_timeout ' "$tmp/got"
	grep -q ' frame=\[other+0x461,' "$tmp/got"
	fails 1 grep -q " $tid-new " "$tmp/got"
	printf "%s\n" "$tid 1 old\\x21" >"$d/.tasks"
	"$LKST" print >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	grep -q " $tid-old! " "$tmp/got"
}

test_status_live() {
	make_live wrap
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	echo "enabled 1" >"$tmp/root/proc/lkst/status"
	b=$tmp/root/sys/kernel/lkst/buffers/boot
	mkdir "$b/cpu0" "$b/cpu10" "$b/cpu2"
	echo 4194304 >"$b/size"
	echo 65536 >"$b/packet"
	echo overwrite >"$b/mode"
	for c in 0 2 10; do
		n=0
		for f in hits lost readable consumed overwritten unfinished bytes; do
			n=$((n + 1))
			echo "$c$n" >"$b/cpu$c/$f"
		done
	done
	"$LKST" status | sed 's/  */ /g' >"$tmp/got"
	printf '%s\n' 'enabled 1' '' \
		'buffer boot: 4194304 a CPU, packets of 65536, overwrite' \
		' cpu hits lost readable consumed overwritten unfinished bytes' \
		' cpu0 01 02 03 04 05 06 07' ' cpu2 21 22 23 24 25 26 27' \
		' cpu10 101 102 103 104 105 106 107' | same "$tmp/got"
}

test_no_lkst_in_kernel() {
	LKST_ROOT=$tmp/nothing
	export LKST_ROOT
	fails 1 "$LKST" print 2>"$tmp/err.txt"
	said "this kernel has no LKST"
	fails 1 "$LKST" status 2>"$tmp/err.txt"
	said "this kernel has no LKST"
}

test_no_dump() {
	: >"$tmp/dump"
	fails 1 extract
	said "is empty"
	head -c 1000000 /dev/zero >"$tmp/dump"
	fails 1 extract
	said "is no dump"
	head -c 2000000 /dev/zero >"$tmp/dump"
	fails 1 extract
	said "no trace found"
	for kind in 'KDUMP   and more:the header of the dump is damaged' \
		'DISKDUMP:is a diskdump, of before kdump, which cannot be read' \
		'QEVM:there is no memory in the stream that can be read'; do
		printf '%s' "${kind%%:*}" >"$tmp/dump"
		fails 1 extract
		said "${kind#*:}"
	done
	rm "$tmp/dump"
	fails 1 extract
	said "No such file"
	mkdir "$tmp/empty"
	fails 1 "$LKST" print "$tmp/empty" 2>"$tmp/err.txt"
	said "holds no trace"
	fails 1 "$LKST" status "$tmp/empty" 2>"$tmp/err.txt"
	said "$tmp/empty: is a directory, not a dump"
	fails 1 "$LKST" extract "$tmp/empty" -o "$tmp/out" 2>"$tmp/err.txt"
	said "$tmp/empty: is a directory, not a dump"
	[ ! -e "$tmp/out" ]
	mkfifo "$tmp/pipe"
	: >"$tmp/pipe" &
	fails 1 "$LKST" print "$tmp/pipe" 2>"$tmp/err.txt"
	said "$tmp/pipe: is empty"
}

test_dump_without_trace() {
	make kinds
	# All of memory zeroed, the headers kept.
	size=$(stat -c %s "$tmp/dump")
	truncate -s 8192 "$tmp/dump"
	truncate -s "$size" "$tmp/dump"
	fails 1 extract
	said "no trace found"
}

test_truncated_packet_is_said() {
	make wrap
	extract
	truncate -s -100 "$tmp/out/boot/cpu1"
	fails 1 "$LKST" print "$tmp/out" >/dev/null 2>"$tmp/err.txt"
	said "is cut off in a packet"
}

test_cut_off_at_400_places() {
	make wrap -m 4 -M "$tmp/map"
	"$BIN/fuzz" cut "$tmp/dump" "$tmp/map" "$tmp/fuzz" 400
}

test_2000_dumps_with_flipped_bits() {
	make wrap -m 4 -M "$tmp/map"
	"$BIN/fuzz" flip "$tmp/dump" "$tmp/map" "$tmp/fuzz" 1000
	make texts -m 4 -M "$tmp/map"
	"$BIN/fuzz" flip "$tmp/dump" "$tmp/map" "$tmp/fuzz" 1000
}

test_500_with_flipped_bits_in_symbols() {
	make symbols -m 4 -M "$tmp/all"
	grep -e kallsyms -e packet "$tmp/all" >"$tmp/map"
	"$BIN/fuzz" flip "$tmp/dump" "$tmp/map" "$tmp/fuzz" 500
}

test_symbols_cut_off_at_100_places() {
	make symbols -m 4 -M "$tmp/map"
	"$BIN/fuzz" cut "$tmp/dump" "$tmp/map" "$tmp/fuzz" 100
}

test_500_with_flipped_bits_without_vmcoreinfo() {
	make unfinished -m 4 -n -M "$tmp/map"
	"$BIN/fuzz" flip "$tmp/dump" "$tmp/map" "$tmp/fuzz" 500
}

test_120_with_flipped_bits_read_by_babeltrace() {
	make wrap -m 4 -M "$tmp/map"
	"$BIN/fuzz" read "$tmp/dump" "$tmp/map" "$tmp/fuzz" 60
	make texts -m 4 -M "$tmp/map"
	"$BIN/fuzz" read "$tmp/dump" "$tmp/map" "$tmp/fuzz" 60
}

test_flipped_bits_in_files() {
	make texts
	extract
	"$BIN/fuzz" file "$tmp/out/boot" cpu0 - 500
	"$BIN/fuzz" file "$tmp/out/boot" metadata - 1000
	"$BIN/fuzz" file "$tmp/out/boot" .tasks - 100
	make symbols
	extract
	"$BIN/fuzz" file "$tmp/out/boot" .symbols - 100
}

# The figures are printed; they make no test pass or fail, as machines differ.
test_extract_of_512_mib() {
	make huge -m 512 -r 8000000
	cat "$tmp/dump" >/dev/null
	for how in "" --scan; do
		rm -rf "$tmp/out"
		# shellcheck disable=SC2086 # an option or none
		"$BIN/measure" "$LKST" extract "$tmp/dump" -o "$tmp/out" $how \
			>/dev/null 2>"$tmp/err.txt"
		sed "s/^/# extract of a 512 MiB dump ${how:-by vmcoreinfo}: /" \
			"$tmp/err.txt" >>"$top/figures"
	done
	"$BIN/measure" "$LKST" print -s "$tmp/out" 2>>"$tmp/figures.err" >"$tmp/got"
	"$BIN/measure" "$LKST" print "$tmp/out" 2>>"$tmp/figures.err" >/dev/null
	records=$(sed -n 's/^ *\([0-9]*\) records/\1/p' "$tmp/got")
	sed "1s/^/# decode of $records records: /; 2s/^/# print of $records records: /" \
		"$tmp/figures.err" >>"$top/figures"
}

# More of them, a file for each part of the command.
for f in "$here"/test-*.sh; do
	# shellcheck disable=SC1090 # each is checked by itself
	. "$f"
done
tests=$(cat "$0" "$here"/test-*.sh | sed -n 's/^test_\([a-z0-9_]*\)().*/\1/p')
[ $# = 0 ] || tests=$*
echo "KTAP version 1"
echo "1..$(echo "$tests" | wc -w)"
n=0
bad=0
for t in $tests; do
	n=$((n + 1))
	# A test runs in a shell of its own that ends at the first thing wrong; in
	# a condition it would not.
	tmp=$top/$n
	mkdir "$tmp"
	set +e
	(set -e; "test_$t") >"$top/log" 2>&1
	status=$?
	set -e
	if [ $status = 0 ]; then
		echo "ok $n - $t"
	else
		bad=$((bad + 1))
		tail -n 20 "$top/log" | sed 's/^/# /'
		echo "not ok $n - $t"
	fi
	[ ! -f "$top/figures" ] || { cat "$top/figures"; rm "$top/figures"; }
	rm -rf "$tmp"
done
[ $bad = 0 ]
