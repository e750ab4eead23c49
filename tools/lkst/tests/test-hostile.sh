# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # variables and functions of check.sh
# Tests of inputs that somebody made to do harm, and of mistakes that would do some. Part
# of check.sh.

# shown FILE...: nothing in them does anything to a terminal
shown() {
	for f; do
		! LC_ALL=C grep -n '[^	 -~]' "$f" || { echo "above is not fit to be shown"; return 1; }
	done
}

test_names_of_others_in_messages() {
	make kinds
	extract
	title=$(printf 'b\033]0;title\007\n\233x')
	cp -r "$tmp/out/boot" "$tmp/out/$title"
	rm "$tmp/out/.current"
	fails 1 "$LKST" print "$tmp/out" 2>"$tmp/err.txt"
	shown "$tmp/err.txt"
	said 'b\x1b]0;title\x07\x0a\x9bx'
	fails 2 "$LKST" "$title" 2>"$tmp/err.txt"
	shown "$tmp/err.txt"
	mv "$tmp/out/$title" "$tmp/$title"
	rm "$tmp/$title/metadata"
	fails 1 "$LKST" print -b "$title" "$tmp" 2>"$tmp/err.txt"
	shown "$tmp/err.txt"
	# It is the message that is escaped, not what stands for it in JSON.
	fails 1 "$LKST" extract -j "$tmp/$title" -o "$tmp/new" >"$tmp/json" 2>"$tmp/err.txt"
	shown "$tmp/json" "$tmp/err.txt"
	python3 -c 'import json, sys; print(json.load(sys.stdin)["messages"][0])' <"$tmp/json" |
		grep -qF 'b\x1b]0;title\x07\x0a\x9bx'
}

test_odd_labels() {
	make kinds
	extract
	for label in '\x1b' '\x9b' '\x5c' ';' '7'; do
		cp -r "$tmp/out" "$tmp/odd"
		sed -i "s/ few = 1 / $label = 1 /" "$tmp/odd/boot/metadata"
		fails 1 "$LKST" print "$tmp/odd" >"$tmp/got" 2>"$tmp/err.txt"
		shown "$tmp/got"
		said "metadata, line 41: a "
		rm -r "$tmp/odd"
	done
}

# What comes from a pipe can be had once only.
test_time_before_the_end_of_a_pipe() {
	make wrap
	"$LKST" print --since=-0.00002 "$tmp/dump" >"$tmp/want"
	[ "$(wc -l <"$tmp/want")" -gt 10 ]
	# shellcheck disable=SC2002 # it has to be a pipe
	cat "$tmp/dump" | "$LKST" print --since=-0.00002 - 2>"$tmp/err.txt" | same "$tmp/want"
	quiet
	mkfifo "$tmp/pipe"
	cat "$tmp/dump" >"$tmp/pipe" &
	"$LKST" stat --until=-0.00002 "$tmp/pipe" >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	"$LKST" stat --until=-0.00002 "$tmp/dump" | same "$tmp/got"
}

test_convert_over_its_source() {
	make kinds
	extract
	tar -C "$tmp" -cf "$tmp/out.tar" out
	ln -s out/boot/cpu0 "$tmp/link"
	cp -r "$tmp" "$tmp.before"
	for file in dump link out.tar out/boot/cpu0 out/boot/metadata out/boot/.tasks; do
		for source in dump out out.tar; do
			# Neither is a part of the other.
			[ "${file%/*}" != "$file" ] || [ "$file" = link ] ||
				[ "$file" = "$source" ] || continue
			fails 1 "$LKST" convert --to=chrome -o "$tmp/$file" "$tmp/$source" \
				2>"$tmp.err"
			grep -qF "lkst: -o, --output: $tmp/$file: is what is read" "$tmp.err"
		done
	done
	(cd "$tmp/out/boot" && fails 1 "$LKST" convert --to=text -o cpu0 . 2>/dev/null)
	diff -r "$tmp" "$tmp.before"
	# What only has such a name is no trace.
	echo old >"$tmp/cpu0"
	"$LKST" convert --to=text -o "$tmp/cpu0" "$tmp/out"
	[ "$(wc -l <"$tmp/cpu0")" = 10 ]
}

test_force_leaves_other_files() {
	make kinds
	mkdir -p "$tmp/out/boot"
	touch "$tmp/out/boot/cpu0" "$tmp/out/boot/cpu7" "$tmp/out/boot/cpuinfo" \
		"$tmp/out/boot/cpu" "$tmp/out/boot/cpu0.bak"
	"$LKST" extract -f -o "$tmp/out" "$tmp/dump" >/dev/null
	[ ! -e "$tmp/out/boot/cpu7" ]
	ls "$tmp/out/boot/cpuinfo" "$tmp/out/boot/cpu" "$tmp/out/boot/cpu0.bak"
}

# Messages go nowhere then, and not into files that are open.
test_closed_streams() {
	for kind in strange wrap; do
		make $kind
		extract || :
		for open in '<&- >&- 2>&-' '>&- 2>&-' '2>&-' '<&- 2>&-' '>&-'; do
			rm -rf "$tmp/got"
			case $open in
			*2*) eval "\"$LKST\" extract \"$tmp/dump\" -o \"$tmp/got\" >\"$tmp/log\" $open" || : ;;
			*) eval "fails 1 \"$LKST\" extract \"$tmp/dump\" -o \"$tmp/got\" $open" ;;
			esac
			diff -r "$tmp/out" "$tmp/got"
		done
	done
	"$LKST" convert --to=chrome -o "$tmp/want" "$tmp/dump"
	"$LKST" convert --to=chrome -o "$tmp/chrome" "$tmp/dump" <&- >&- 2>&- || :
	cmp "$tmp/want" "$tmp/chrome"
	fails 1 "$LKST" print - <&- 2>"$tmp/err.txt"
	said "standard input: "
}

# evil KIND: makes $tmp/dump
evil() {
	python3 "$here/evil.py" "$1" "$tmp/dump"
}

# briefly COMMAND...: it takes no more than 2 seconds of a CPU
briefly() {
	(
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -t 2
		"$@"
	)
}

# within SECONDS MIB COMMAND...: it takes no more of a CPU and of memory, and fails with 1;
# messages are in $tmp/err.txt
within() {
	seconds=$1
	mib=$2
	shift 2
	(
		# shellcheck disable=SC3045 # dash and bash have it
		ulimit -t "$seconds"
		fails 1 "$BIN/measure" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt"
	)
	took=$(tail -n 1 "$tmp/err.txt")
	sed -i '$d' "$tmp/err.txt"
	used=${took#*s, }
	[ "${used%.*}" -lt "$mib" ] || { echo "$took: $*"; return 1; }
	shown "$tmp/err.txt"
}

test_directory_in_a_circle() {
	evil cycle
	within 20 50 "$LKST" print "$tmp/dump"
	said "the directory comes to its page at 0x100000 again"
	[ "$(wc -l <"$tmp/err.txt")" -lt 200 ]
	evil comb
	within 10 50 "$LKST" print "$tmp/dump"
	said "no trace found"
}

# Small files that lead to the same bytes over and over.
test_dumps_that_grow() {
	evil notes
	within 10 50 "$LKST" print "$tmp/dump"
	said "no trace found"
	evil copies
	within 5 50 "$LKST" print "$tmp/dump"
	said "bytes of it are memory more than once"
	evil ring
	within 5 50 "$LKST" extract "$tmp/dump" -o "$tmp/out"
	said "no packet header in its place; dropped"
	said "buffer boot cpu0: 130972 more packets are damaged"
	grep -q '^  cpu0 .* 131072$' "$tmp/out.txt"
	rm -r "$tmp/out"
	evil overlap
	within 10 50 "$LKST" extract "$tmp/dump" -o "$tmp/out"
	[ "$(du -sm "$tmp/out" | cut -f1)" -lt 20 ]
}

test_log_that_grows() {
	evil log
	within 20 50 "$LKST" extract "$tmp/dump" -o "$tmp/out"
	said "the kernel's log has more text than its buffer; ends after "
	[ "$(du -sm "$tmp/out" | cut -f1)" -lt 60 ]
	shown "$tmp/out/dmesg"
}

# Threads whose numbers share what a table is likely to look at.
test_threads_that_collide() {
	make kinds
	extract
	seq 65535 | awk '{ printf "%.0f 1 a\n", $1 * 65536 }' >"$tmp/out/boot/.tasks"
	briefly "$LKST" print -s "$tmp/out"
	briefly "$LKST" stat "$tmp/out"
}

test_many_threads() {
	make kinds
	extract
	{
		seq 1500000 | sed 's/$/ 1 aaaaaaaaaaaaaaa/'
		# Not the names of others.
		printf '100 1 %0300d\n200 1 b\n' 0
	} >"$tmp/out/boot/.tasks"
	within 20 200 "$LKST" print "$tmp/out"
	said "more than 1048576 threads; the rest have no names"
	grep -q ' 100-000000000000000 ' "$tmp/out.txt"
	grep -q ' 200-b ' "$tmp/out.txt"
}

test_metadata_that_is_too_much() {
	make kinds
	extract
	cp "$tmp/out/boot/metadata" "$tmp/metadata"
	python3 - "$tmp" <<-END
	import sys
	tmp = sys.argv[1]
	text = open(f'{tmp}/metadata').read()
	event = 'event { id = %d; name = "a_b"; stream_id = 0; fields := struct { %s }; };\n'
	def write(name, text):
	    open(f'{tmp}/{name}', 'w').write(text)
	write('labels', text.replace(' few = 1 ', ','.join(f'a{i}' for i in range(99999)) + ', few = 1 '))
	write('fields', text + event % (999, ''.join(f'u8 f{i};' for i in range(300000))))
	write('events', text + ''.join(event % (i, f'u8 f{i};') for i in range(100, 40000)))
	write('enums', text + event % (999, ''.join(
	    f'enum : u8 {{ {",".join(f"a{i}" for i in range(4000))} }} e{k};' for k in range(20))))
	END
	for name in labels fields events enums; do
		cp "$tmp/$name" "$tmp/out/boot/metadata"
		within 10 60 "$LKST" print --format=csv -e '*' "$tmp/out"
		case $name in
		fields | events) said "more fields than can be" ;;
		*) said "more labels than can be" ;;
		esac
	done
}

# rename_buffers NAME OTHER: in a dump of two, whose map is there
rename_buffers() {
	grep '^info ' "$tmp/map" | while read -r _ offset _; do
		printf '%-32s' "$1" | tr ' ' '\0' |
			dd of="$tmp/dump" bs=1 seek=$((offset + 8)) conv=notrunc 2>/dev/null
		shift
	done
}

# Names that the kernel takes, and that a directory has other uses for.
test_names_of_buffers() {
	make two -M "$tmp/map"
	long=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
	for names in 'dmesg metadata' 'metadata dmesg' 'boot metadata' 'part-000001 part-1' \
		'.current .x' 'dmesg buffer-dmesg' "$long $long" 'a-1 a' 'a a'; do
		# shellcheck disable=SC2086 # two words
		rename_buffers $names
		"$LKST" extract -f "$tmp/dump" -o "$tmp/out" >/dev/null 2>"$tmp/err.txt"
		[ "$("$LKST" print "$tmp/out" 2>/dev/null | wc -l)" = 2 ]
		ls "$tmp"/out/*/metadata >"$tmp/list"
		[ "$(wc -l <"$tmp/list")" = 2 ] || { cat "$tmp/list"; return 1; }
		for dir in "$tmp"/out/*/; do
			"$LKST" print -b "$(basename "$dir")" "$tmp/out"
		done >"$tmp/got"
		[ "$(wc -l <"$tmp/got")" = 3 ]
		"$LKST" print -b "${names#* }" "$tmp/dump" >"$tmp/got"
		rm -r "$tmp/out"
	done
	for names in '../../x /etc/x' '.. .' '? a/b'; do
		# shellcheck disable=SC2086 # two words
		rename_buffers $names
		fails 1 "$LKST" extract "$tmp/dump" -o "$tmp/out" >/dev/null 2>&1
		(cd "$tmp/out" && ls ./*/metadata) | grep -c '/boot/\|/other/' | grep -x 2
		rm -r "$tmp/out"
	done
}

test_current_leads_nowhere_else() {
	make kinds
	extract
	mkdir "$tmp/top"
	mv "$tmp/out" "$tmp/top/out"
	cp -r "$tmp/top/out/boot" "$tmp/secret"
	for name in ../../secret "$tmp/secret" .. .; do
		echo "$name" >"$tmp/top/out/.current"
		fails 1 "$LKST" print "$tmp/top/out" >"$tmp/got" 2>"$tmp/err.txt"
		said "/.current: \"$name\" is not the name of a buffer"
		[ "$(wc -l <"$tmp/got")" = 10 ]
	done
}

test_archive_of_holes() {
	make kinds
	extract
	truncate -s 1T "$tmp/out/boot/cpu7"
	# Where holes cannot be found this would read them.
	timeout 20 tar -C "$tmp" -cSf "$tmp/out.tar" out || return 0
	for source in out out.tar; do
		fails 1 briefly "$LKST" print "$tmp/$source" >"$tmp/got" 2>"$tmp/err.txt"
		said "/cpu7: there is no packet where one should be"
		[ "$(wc -l <"$tmp/got")" = 10 ]
	done
	make symbols
	extract
	truncate -s 200M "$tmp/out/boot/.symbols"
	within 10 100 "$LKST" print "$tmp/out"
	said ".symbols: File too large; functions have no names"
}

# Nobody will ever write to them.
test_pipes_in_a_trace() {
	make symbols
	extract
	cp -r "$tmp/out" "$tmp/whole"
	for name in boot/metadata boot/cpu0 boot/.tasks boot/.symbols .current; do
		rm -rf "$tmp/out"
		cp -r "$tmp/whole" "$tmp/out"
		rm -f "$tmp/out/$name"
		mkfifo "$tmp/out/$name"
		fails 1 timeout 20 "$LKST" print "$tmp/out" >"$tmp/got" 2>"$tmp/err.txt"
		said "/$name: Operation not supported"
	done
}

test_signal_while_an_archive_is_unpacked() {
	make kinds
	extract
	mkdir "$tmp/bin" "$tmp/tmp"
	printf '#!/bin/sh\ntouch "%s"\n%s\n' "$tmp/begun" 'exec sleep 5' >"$tmp/bin/tar"
	chmod +x "$tmp/bin/tar"
	tar -C "$tmp" -cf "$tmp/out.tar" out
	for signal in TERM HUP; do
		# A run of the tests can be one that ignores them.
		TMPDIR=$tmp/tmp PATH=$tmp/bin:$PATH env --default-signal=$signal \
			"$LKST" print "$tmp/out.tar" &
		pid=$!
		while [ ! -e "$tmp/begun" ]; do
			kill -0 $pid
			sleep 0.1
		done
		[ "$(ls "$tmp/tmp")" ]
		kill -s $signal $pid
		status=0
		wait $pid || status=$?
		[ "$status" -gt 128 ]
		[ ! "$(ls "$tmp/tmp")" ]
		rm "$tmp/begun"
	done
}

# Two crashes of one kernel: vmcoreinfo tells them apart.
test_parts_of_two_crashes() {
	make wrap
	"$BIN/redump" kdump zlib "$tmp/dump" "$tmp/a1" "$tmp/a2" "$tmp/a3"
	make texts
	"$BIN/redump" kdump zlib "$tmp/dump" "$tmp/b1" "$tmp/b2" "$tmp/b3"
	"$LKST" print "$tmp/a3" "$tmp/a1" "$tmp/a2" >"$tmp/got"
	for parts in 'a1 b2 a3' 'b1 b2 a3'; do
		# shellcheck disable=SC2086 # words
		(cd "$tmp" && fails 1 "$LKST" print $parts >"$tmp/got" 2>"$tmp/err.txt")
		said "are not parts of the same dump"
		[ ! -s "$tmp/got" ]
	done
}
