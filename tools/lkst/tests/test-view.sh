# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # variables and functions of check.sh
# Tests of what reads a trace: print, convert, stat. Part of check.sh.

# json FILE EXPRESSION: of each line of a file of JSON, as Python has it, in "r"
json() {
	python3 -c "import json, sys
for line in open(sys.argv[1], encoding='utf-8'):
    r = json.loads(line)
    print($2)" "$1"
}

# agrees DIR: lkst print and babeltrace2 read the same there
agrees() {
	"$LKST" print --format=json --time=wall "$1" >"$tmp/ours"
	babeltrace2 --clock-seconds --no-delta "$1" >"$tmp/theirs"
	python3 "$here/compare.py" "$tmp/ours" "$tmp/theirs"
}

# What is missing can have ended a call and begun another.
test_stat_syscalls_and_gap() {
	make long_call
	calls() { "$LKST" stat -S "$1" 2>/dev/null | awk '$NF == "read" { print $1, $3, $4 }'; }
	[ "$(calls "$tmp/dump")" = "2 0.000005 2.255" ] || { calls "$tmp/dump"; return 1; }
	extract
	packets "$tmp/out/boot/cpu0" 0 2
	[ "$(calls "$tmp/out")" = "1 0.000000 0.500" ] || { calls "$tmp/out"; return 1; }
}

test_stat_syscalls() {
	make calls
	cat >"$tmp/want" <<-END
		calls errors total s mean us longest us at s by system call
		2 1 0.000006 3.000 5.001 0.000001 100-sh\x0a\x1b[1m\x5cx close
		1 0 0.000000 0.500 0.500 0.000007 100-sh\x0a\x1b[1m\x5cx read
	END
	"$LKST" stat -S "$tmp/dump" 2>"$tmp/err.txt" | sed -n 's/^ *//; s/ \+/ /g; /calls/,$p' |
		same "$tmp/want"
	quiet
	"$LKST" stat -S -l 1 --cpu=1 "$tmp/dump" 2>/dev/null | grep -q '^ *and 1 more$'
}

# What a forked thread was called later is in the list of threads, if its record is gone.
test_renamed_in_what_is_gone() {
	make renamed
	"$LKST" print -c 0-1 "$tmp/dump" 2>"$tmp/err.txt" |
		sed -n 's/^ .* cpu0 *\([^ ]*\) .* value=\(.*\) .*/\1 \2/p' >"$tmp/got"
	printf '200-workerä1 200\n300-parent 300\n' | same "$tmp/got"
}

# Nothing tells which threads ran, on any CPU, until the next switch there.
test_unknown_threads() {
	make unknown
	cat >"$tmp/want" <<-'END'
		1010 0 100-sh\x0a\x1b[1m\x5cx 1
		1015 1 200-workerä1 2
		1025 1 ? 3
		1030 0 ? 4
		1045 1 300-\xffbad 5
		1050 0 ? 6
	END
	"$LKST" print "$tmp/dump" 2>"$tmp/err.txt" |
		sed -n 's/^ *0.00000\([0-9]*\) cpu\(.\) *\([^ ]*\) .* value=\(.\).*/\1 \2 \3 \4/p' |
		same "$tmp/want"
	"$LKST" print --tid=100 "$tmp/dump" | grep -c value= | grep -qx 1
}

test_json_agrees_with_babeltrace() {
	for kind in kinds times texts lost wrap symbols; do
		make "$kind"
		extract || :
		[ "$(agrees "$tmp/out")" -gt 1 ]
	done
}

test_json_names() {
	make kinds
	"$LKST" print --format=json "$tmp/dump" >"$tmp/got"
	json "$tmp/got" 'r["names"] if "names" in r else ""' | grep . >"$tmp/names"
	same "$tmp/names" <<-END
	{'prev_state': 'I'}
	{'prev_state': 'I'}
	{'flags': 'O_WRONLY|O_CREAT|O_TRUNC|O_LARGEFILE'}
	{'how': 'few'}
	END
	"$LKST" print --format=json -e fs/open "$tmp/dump" >"$tmp/got"
	json "$tmp/got" 'r["time"], r["ns"], r["tid"], r["comm"], ascii(r["fields"]["filename"])' \
		>"$tmp/one"
	same "$tmp/one" <<-'END'
	0.00100302 1003020 400 "x" '/etc/\x01"q"\\\udcff\xe4'
	END
	[ "$("$LKST" print --format=json -r "$tmp/dump" | grep -c names)" = 0 ]
}

test_json_marks() {
	make lost
	"$LKST" print --format=json "$tmp/dump" >"$tmp/got"
	"$LKST" print "$tmp/dump" | grep -e ' lost ' -e ' packets ' >"$tmp/want"
	[ -s "$tmp/want" ]
	json "$tmp/got" 'r["mark"] + " " + str(r["count"]) if "mark" in r else ""' |
		grep . >"$tmp/marks"
	sed 's/.* lost \([0-9]*\) rec.*/lost \1/; s/.* \([0-9]*\) packets over.*/overwritten \1/
		s/.* \([0-9]*\) earlier.*/gone \1/' "$tmp/want" | same "$tmp/marks"
}

test_csv() {
	make kinds
	"$LKST" print --format=csv -e fs/open -e 'sched/*' "$tmp/dump" >"$tmp/got"
	python3 -c 'import csv, sys
for r in csv.DictReader(open(sys.argv[1])):
    print(r["time"], r["cpu"], r["comm"], r["event"], r["next_tid"], r["filename"])' \
		"$tmp/got" >"$tmp/rows"
	same "$tmp/rows" <<-'END'
	0.001001500 2 swapper/2 sched/switch 200 
	0.001003000 0 sh\x0a\x1b[1m\x5cx sched/switch 400 
	0.001003020 0 "x" fs/open  /etc/\x01"q"\x5c\xffä
	END
	"$LKST" print --format=csv "$tmp/dump" >"$tmp/got"
	python3 -c 'import csv, sys
for r in csv.DictReader(open(sys.argv[1])):
    print(r["fields"])' "$tmp/got" >"$tmp/rows"
	sed -n '6p; 7p' "$tmp/rows" >"$tmp/some"
	same "$tmp/some" <<-'END'
	flags=0x8241(O_WRONLY|O_CREAT|O_TRUNC|O_LARGEFILE) filename="/etc/\x01\x22q\x22\x5c\xffä"
	nr=-1 compat=0 arg=[0x0,0x1,0xffffffffffffffff,0x10,0xabcdef,0x5]
	END
}

test_print_time() {
	make kinds
	"$LKST" print --time=delta "$tmp/dump" | sed 's/ cpu.*//' | tail -n 4 >"$tmp/got"
	printf '    0.000000010\n    0.000000010\n    0.000000010\n    0.999998450\n' |
		same "$tmp/got"
	"$LKST" print -w "$tmp/dump" >"$tmp/want"
	"$LKST" print --time=wall "$tmp/dump" | same "$tmp/want"
}

test_print_raw() {
	make kinds
	sed 's/([A-Z_|]*)//; s/how=few/how=5/' "$here/kinds.txt" >"$tmp/want"
	"$LKST" print -r "$tmp/dump" | same "$tmp/want"
}

# chosen LINES OPTION...: these lines of kinds.txt are what the options leave
chosen() {
	sed -n "$1" "$here/kinds.txt" >"$tmp/want"
	shift
	"$LKST" print "$@" "$tmp/dump" | same "$tmp/want"
}

test_print_since_until() {
	make kinds
	chosen '5,7p' --since=0.00100301 --until=0.00100303
	chosen '10p' --since=2023-11-14T22:13:21
	chosen '1,9p' --until=2023-11-14T22:13:20.5Z
	chosen '9,10p' --since=-0.99999845
	chosen '10p' --since=-0.999998449
	chosen '1,8p' --until=-0.999998451
	chosen '5,7p' --since=1.00301ms --until=0.00100303s
	chosen '9,10p' --since=-999.99845ms
	chosen '1,9p' --until=0.005min
	chosen '1,10p' --since=-1h
	chosen '1,10p' --since=2023-11-14
	chosen '1,10p' --since=2023-11-14T22:13Z --until=2023-11-14T22:14
	chosen '' --until=2023-11-14
	for t in "" - x 1d 1.5x -1m 2023-11 2023-11-14T 2023-11-14T22 2023-11-14T22:13:21.x 2023-02-29 2023-11-14T22:13:60 \
		99999999999 5124096h 1969-12-31 2023-11-14Y; do
		refused "--since: \"$t\" is not a time such as" print --since="$t" "$tmp/dump"
	done
}

test_print_threads() {
	make kinds
	chosen '2p; 10p' --tid=200
	chosen '2,10p' --tid=200,300-500
	chosen '2p; 10p' --comm='worker*'
	chosen '3,9p' --comm=true --comm='"x"' --comm='new one'
	chosen '3,9p' --tgid=400
	chosen '2p' --comm='swapper/[1-3]' --event='sched/*'
}

test_print_match() {
	make kinds
	chosen '1p' -m 'value == 7'
	chosen '1p' -m 'minus < -6 && value >= 7'
	chosen '' -m 'minus < -7'
	chosen '2p; 4p' -m 'prev_state & 2'
	chosen '4p' -m 'prev_state & 2 && (next_tid == 400 || prev_tid == 400)'
	chosen '6p; 8p' -m 'filename ^= "/"'
	chosen '6p' -m 'filename ^= "/etc" && current.tid == 400'
	chosen '7p' -m 'arg[4] == 0xabcdef'
	chosen '5p' -m 'comm == "\"x\"" && current.comm ^= "\"x"'
	chosen '3p' -m 'comm == "new one"'
	chosen '2p; 4p' -m 'current.cpu >= 0 && next_tid != 0'
	chosen '4p' -m 'current.cpu != 2 && next_tid != 0'
	# Both must hold, and what is wrong is said of the one that it is in.
	chosen '4p' -m 'prev_state & 2' -m 'next_tid == 400 || prev_tid == 400'
	chosen '' -m 'prev_state & 2' -m 'value == 7'
	# What is wrong in any trace is an error of the command line.
	for bad in '2:value = 7:7:expected ==' '1:nothing == 1:1:there is no such field' \
		'1:value == "x":10:the field is a number' '1:arg == 1:1:an array takes' \
		'2:value == 1 &&:14:expected a comparison' '2:ret <:6:expected a number'; do
		code=${bad%%:*}
		bad=${bad#*:}
		fails "$code" "$LKST" print -m 'next_tid >= 0' -m "${bad%%:*}" "$tmp/dump" \
			>"$tmp/got" 2>"$tmp/err.txt"
		bad=${bad#*:}
		said "-m, --match: character ${bad%%:*}: ${bad#*:}"
		[ ! -s "$tmp/got" ]
	done
	for c in print stat "convert --to=text"; do
		# shellcheck disable=SC2086 # words
		refused "-m, --match: character 6: expected" $c -m 'ret <' "$tmp/nothing"
	done
	refused "does not tell the user" print -m 'current.uid == 0' "$tmp/dump"
}

# Options that choose nothing are told, those that would do nothing are refused.
test_print_nothing() {
	make kinds
	for options in --comm=NOPE --since=999 "--until=0 -n 3" "--tid=7777 --format=json" \
		"-m value==77 -e test/seq"; do
		# shellcheck disable=SC2086 # words
		fails 0 "$LKST" print $options "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
		said "no record was selected"
		[ ! -s "$tmp/got" ]
	done
	"$LKST" print -n 1 --comm=true "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	for options in --format=json --format=csv "-n 2"; do
		# shellcheck disable=SC2086 # words
		refused "-s, --summary: " print -s $options "$tmp/dump"
	done
}

test_print_archive() {
	make kinds
	extract
	mkdir "$tmp/tmp"
	TMPDIR=$tmp/tmp
	export TMPDIR
	tar -cf "$tmp/plain.tar" -C "$tmp" out
	tar -czf "$tmp/one.tgz" -C "$tmp/out/boot" .
	tar -cf - -C "$tmp" out | zstd -q >"$tmp/all.tar.zst"
	for a in plain.tar one.tgz all.tar.zst; do
		"$LKST" print "$tmp/$a" 2>"$tmp/err.txt" | same "$here/kinds.txt"
		quiet
	done
	# What is no file does not get in the way, and nothing is left.
	ln -s /etc/passwd "$tmp/out/boot/cpu7"
	mkfifo "$tmp/out/boot/cpu8"
	tar -cf "$tmp/odd.tar" -C "$tmp" out
	"$LKST" print "$tmp/odd.tar" 2>"$tmp/err.txt" | same "$here/kinds.txt"
	quiet
	# In a name without a slash tar takes what is before a colon for a machine.
	cp "$tmp/one.tgz" "$tmp/a:b.tgz"
	(cd "$tmp" && "$LKST" print a:b.tgz) 2>"$tmp/err.txt" | same "$here/kinds.txt"
	quiet
	# From a pipe it cannot be read, and that is said.
	for a in plain.tar one.tgz all.tar.zst; do
		fails 1 "$LKST" print - <"$tmp/$a" 2>"$tmp/err.txt"
		said "from a file"
	done
	# The tar of busybox has fewer options.
	if command -v busybox >/dev/null && busybox tar --help >/dev/null 2>&1; then
		mkdir "$tmp/bin"
		ln -s "$(command -v busybox)" "$tmp/bin/tar"
		for a in plain.tar one.tgz; do
			PATH=$tmp/bin:$PATH "$LKST" print "$tmp/$a" 2>"$tmp/err.txt" |
				same "$here/kinds.txt"
			quiet
		done
	fi
	head -c 500 "$tmp/one.tgz" >"$tmp/cut.tgz"
	fails 1 "$LKST" print "$tmp/cut.tgz" >"$tmp/got" 2>"$tmp/all.txt"
	grep '^lkst:' "$tmp/all.txt" >"$tmp/err.txt"
	said "cut.tgz: tar cannot unpack it"
	[ -z "$(ls "$tmp/tmp")" ]
}

# What a directory lacks is told apart from what may not be looked at.
test_print_no_directory() {
	make kinds
	extract
	rm "$tmp/out/boot/metadata" "$tmp/out/.current"
	fails 1 "$LKST" print "$tmp/out/boot" 2>"$tmp/err.txt"
	said "$tmp/out/boot/metadata: is missing"
	fails 1 "$LKST" print "$tmp/out" 2>"$tmp/err.txt"
	said "$tmp/out: holds no trace"
	chmod 755 "$top" "$tmp"
	as_user test -x "$LKST" || return 0
	for mode in 000 400 100; do
		chmod $mode "$tmp/out"
		fails 1 as_user "$LKST" print "$tmp/out" 2>"$tmp/err.txt"
		said "$tmp/out: Permission denied"
	done
	chmod 755 "$tmp/out"
}

# A packet is closed, another begun, and records come, while it is followed.
test_print_follow() {
	make_live wrap -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	d=$tmp/root/proc/lkst/buffers/boot
	half=$(sed -n "$(($(wc -l <"$tmp/want.sorted") / 2))s/ .*//p" "$tmp/want.sorted")
	mkdir "$tmp/later"
	for c in "$d"/cpu?; do
		mv "$c" "$c.open" "$tmp/later"
		python3 "$here/half.py" "$half" "$tmp/later/${c##*/}" "$c"
	done
	"$LKST" print -f >"$tmp/all" 2>"$tmp/err.txt" &
	pid=$!
	until [ -s "$tmp/all" ]; do sleep 0.1; done
	sleep 0.3
	first=$(wc -l <"$tmp/all")
	# It does not see one CPU further than another.
	kill -STOP $pid
	for c in "$tmp"/later/cpu?; do
		had=$(stat -c %s "$d/${c##*/}")
		tail -c +$((had + 1)) "$c" >>"$d/${c##*/}"
		cp "$c.open" "$d"
	done
	kill -CONT $pid
	sleep 0.6
	kill -INT $pid
	fails 0 wait $pid
	quiet
	[ "$(wc -l <"$tmp/all")" -gt "$first" ]
	grep ' test/seq ' "$tmp/all" |
		sed 's/^ *\([0-9.]*\) \(cpu[0-9]*\) .* \(value=[0-9]*\) .*/\1 \2 \3/' >"$tmp/got"
	sort -c -n "$tmp/got"
	sort "$tmp/got" | same "$tmp/want.sorted"
}

# A packet that is closed, but has a record that is not finished, comes after the open one.
test_print_follow_waits() {
	make_live wrap -x "$tmp/want"
	sort "$tmp/want" >"$tmp/want.sorted"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	d=$tmp/root/proc/lkst/buffers/boot
	mv "$d/cpu0" "$tmp/cpu0"
	head -c 8192 "$tmp/cpu0" >"$d/cpu0"
	"$LKST" print -f >"$tmp/all" 2>"$tmp/err.txt" &
	pid=$!
	until [ -s "$tmp/all" ]; do sleep 0.1; done
	tail -c +8193 "$tmp/cpu0" >>"$d/cpu0"
	tries=0
	until [ "$(grep -c ' test/seq ' "$tmp/all")" -ge "$(wc -l <"$tmp/want")" ] ||
		[ $((tries += 1)) -gt 50 ]; do
		sleep 0.1
	done
	kill -INT $pid
	fails 0 wait $pid
	quiet
	grep ' test/seq ' "$tmp/all" |
		sed 's/^ *\([0-9.]*\) \(cpu[0-9]*\) .* \(value=[0-9]*\) .*/\1 \2 \3/' |
		sort | same "$tmp/want.sorted"
	! grep -q ' overwritten$' "$tmp/all"
}

# converted FORM FILE: what was converted has all that print tells of the dump
converted() {
	"$LKST" print --format=json --time=wall "$tmp/dump" >"$tmp/json" 2>/dev/null || :
	python3 "$here/converted.py" "$1" "$2" "$tmp/json"
}

test_convert_perfetto() {
	for kind in kinds times texts lost wrap symbols strange unfinished; do
		make $kind
		"$LKST" convert --to=perfetto -o "$tmp/pb" "$tmp/dump" 2>/dev/null || :
		[ "$(converted perfetto "$tmp/pb")" -gt 1 ]
		"$LKST" convert --to=perfetto "$tmp/dump" 2>/dev/null | cmp - "$tmp/pb"
	done
}

test_convert_chrome() {
	for kind in kinds times texts lost wrap symbols strange unfinished; do
		make $kind
		"$LKST" convert --to=chrome -o "$tmp/chrome" "$tmp/dump" 2>/dev/null || :
		[ "$(converted chrome "$tmp/chrome")" -gt 1 ]
	done
	make kinds
	"$LKST" convert --to=chrome "$tmp/dump" >"$tmp/chrome"
	# The slices are those between switches.
	python3 -c 'import json, sys
for e in json.load(open(sys.argv[1]), parse_float=str)["traceEvents"]:
    if e["ph"] == "X": print(e["tid"], e["ts"], e["dur"], e["args"]["tid"], ascii(e["name"]))' \
		"$tmp/chrome" >"$tmp/got"
	same "$tmp/got" <<-'END'
	0 1001.000 2.000 100 'sh\n\x1b[1m\\x'
	0 1003.000 999998.500 400 'true'
	2 1001.500 1000000.000 200 'worker\xe41'
	END
}

test_convert_lttng() {
	for kind in kinds times texts lost wrap symbols; do
		make $kind
		rm -rf "$tmp/lttng"
		"$LKST" convert --to=lttng -o "$tmp/lttng" "$tmp/dump" 2>/dev/null || :
		babeltrace2 --clock-seconds --no-delta "$tmp/lttng" >"$tmp/bt.txt" 2>"$tmp/bt.err"
		! grep -v 'WARNING: Tracer discarded' "$tmp/bt.err" | grep .
		[ "$(converted lttng "$tmp/bt.txt")" -gt 1 ]
	done
	grep -q 'lttng_statedump_process_state: .* tid = 100, pid = 100, .* name = "sh' "$tmp/bt.txt"
	for key in 'domain = "kernel"' 'tracer_name = "lttng-modules"' 'tracer_major = 2' \
		'tracer_minor = 13'; do
		grep -q "$key;" "$tmp/lttng/metadata"
	done
}

# What babeltrace2 says of losses, without what names the place.
losses() {
	babeltrace2 "$1" 2>&1 >/dev/null | grep -o 'Tracer discarded [0-9]* [a-z]*' || :
}

test_convert_ctf() {
	for kind in kinds times texts lost wrap symbols unfinished; do
		make $kind
		extract || :
		rm -rf "$tmp/ctf"
		"$LKST" convert --to=ctf -o "$tmp/ctf" "$tmp/dump" 2>/dev/null || :
		"$LKST" print "$tmp/dump" >"$tmp/want" 2>/dev/null || :
		"$LKST" print "$tmp/ctf" 2>"$tmp/err.txt" | same "$tmp/want"
		quiet
		[ "$(agrees "$tmp/ctf")" -gt 1 ]
		[ "$(losses "$tmp/out")" = "$(losses "$tmp/ctf")" ]
	done
}

# Records are left out, and times are far apart then; marks are not.
test_convert_ctf_chosen() {
	make wrap
	for choice in '-e test/seq -m value>3000' '-c 1' '--since=-0.00001'; do
		rm -rf "$tmp/ctf"
		# shellcheck disable=SC2086 # words
		"$LKST" print $choice "$tmp/dump" >"$tmp/want"
		[ -s "$tmp/want" ]
		# shellcheck disable=SC2086 # words
		"$LKST" convert --to=ctf -o "$tmp/ctf" $choice "$tmp/dump"
		"$LKST" print "$tmp/ctf" | grep -v ' packets ' >"$tmp/got"
		grep -v ' packets ' "$tmp/want" | same "$tmp/got"
		agrees "$tmp/ctf" >/dev/null
	done
	make kinds
	rm -rf "$tmp/ctf"
	"$LKST" convert --to=ctf -o "$tmp/ctf" -e test/long -e test/seq "$tmp/dump"
	[ "$(agrees "$tmp/ctf")" = 2 ]
	chosen '1p; 10p' -e test/long -e test/seq
	"$LKST" print "$tmp/ctf" | same "$tmp/want"
}

# Without the switches each record has its thread all the same.
test_convert_ctf_threads() {
	for kind in switching wrap lost unknown; do
		make $kind
		rm -rf "$tmp/ctf"
		"$LKST" convert --to=ctf -o "$tmp/ctf" -e test/seq "$tmp/dump" 2>/dev/null || :
		"$LKST" print -e test/seq "$tmp/dump" >"$tmp/all" 2>/dev/null || :
		grep ' test/seq ' "$tmp/all" >"$tmp/want"
		[ -s "$tmp/want" ]
		"$LKST" print "$tmp/ctf" >"$tmp/all" 2>/dev/null || :
		grep ' test/seq ' "$tmp/all" | same "$tmp/want"
	done
}

# A mark is of the thread that ran at its end, and has as many cells as a record.
test_marks_as_records() {
	make lost
	"$LKST" print --format=csv -e test/seq "$tmp/dump" >"$tmp/got" 2>/dev/null || :
	python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
print({len(r) for r in rows} == {len(rows[0])}, any(r[5] == "lost" for r in rows))' \
		"$tmp/got" >"$tmp/rows"
	[ "$(cat "$tmp/rows")" = "True True" ]
}

# A name with a quote is none; one with blanks is one.
test_odd_names() {
	make symbols
	extract
	printf '%s\n' 'ffffffff81000000 T _stext' 'ffffffff81000100 t a"b\process_timeout' \
		'ffffffff81001000 T _etext' >"$tmp/out/boot/.symbols"
	"$LKST" print --format=json "$tmp/out" >"$tmp/got" 2>/dev/null || :
	json "$tmp/got" 1 >/dev/null
	tid=$(json "$tmp/got" 'r.get("tid", 0)' | grep -vx -e 0 -e -1 | head -n 1)
	printf '%s 1   lead\n' "$tid" >"$tmp/out/boot/.tasks"
	"$LKST" print --comm='  lead' "$tmp/out" | grep -q " $tid-  lead "
}

test_extract_json_errors() {
	make kinds
	mkdir "$tmp/full"
	: >"$tmp/full/file"
	for args in "-o $tmp/no -b nope" "-o $tmp/full"; do
		# shellcheck disable=SC2086 # words
		fails 1 "$LKST" extract -j $args "$tmp/dump" >"$tmp/got" 2>/dev/null
		python3 -c 'import json, sys
print(len(json.load(sys.stdin)["messages"]) > 0)' <"$tmp/got" >"$tmp/number"
		[ "$(cat "$tmp/number")" = True ]
	done
}

test_convert_arguments() {
	make kinds
	refused "--to: is missing" convert "$tmp/dump"
	refused '--to: "xml" is not ctf' convert --to xml "$tmp/dump"
	refused "-o, --output: is missing: ctf is a directory" convert --to ctf "$tmp/dump"
	fails 1 "$LKST" convert --to=ctf -o "$tmp" "$tmp/dump" 2>"$tmp/err.txt"
	said "-o, --output: $tmp: File exists"
	fails 1 "$LKST" convert --to=text -o "$tmp/no/where" "$tmp/dump" 2>"$tmp/err.txt"
	said "no/where: No such file"
	fails 1 "$LKST" convert --to=text -o /dev/full "$tmp/dump" 2>"$tmp/err.txt"
	said "/dev/full: cannot be written: No space"
	"$LKST" convert --to=text "$tmp/dump" | same "$here/kinds.txt"
}

# Some of these ways, each with the sanitizers, for every damaged copy; see fuzz.c.
test_flipped_bits_read_in_all_ways() {
	for kind in kinds lost symbols; do
		make $kind
		extract || :
		"$BIN/fuzz" file "$tmp/out/boot" cpu0 - 300
		"$BIN/fuzz" file "$tmp/out/boot" metadata - 300
	done
}

test_stat() {
	make kinds
	"$LKST" stat "$tmp/dump" >"$tmp/got" 2>"$tmp/err.txt"
	quiet
	# All sums are the same, and those of print.
	bytes=$("$LKST" convert --to=ctf -o "$tmp/ctf" "$tmp/dump" &&
		python3 -c 'import struct, sys
print(sum(struct.unpack_from("<Q", open(f, "rb").read(), 64)[0] // 8 - 88 for f in sys.argv[1:]))' \
			"$tmp/ctf"/cpu*)
	awk '/records/ { table = $NF; next } NF { n[table] += $1; b[table] += $2 }
		END { for (t in n) print t, n[t], b[t] }' "$tmp/got" | sort >"$tmp/sums"
	printf '%s\n' "all 10 $bytes" "cpu 10 $bytes" "event 10 $bytes" "task 10 $bytes" |
		same "$tmp/sums"
	grep -q '^ *10  *[0-9]*  *10  *[0-9]*  in 1.000 s$' "$tmp/got"
	grep -q '^ *2  *48 .*  sched/switch$' "$tmp/got"
	[ "$("$LKST" stat -l 1 -e 'sched/*' "$tmp/dump" | grep -c 'and 1 more')" = 2 ]
	! grep -q "$(printf '\033')" "$tmp/got"
	make lost
	"$LKST" stat "$tmp/dump" | grep -q ', 1170 lost'
	for t in 0 0.05 25h 1e3 x; do
		refused "-i, --interval: \"$t\" is not a time from" stat -i "$t"
	done
}

# clock SECONDS: when the clock began, since 1970
clock() { sed -i "s/freq = .*; offset_s = [0-9]*/freq = 1; offset_s = $1/" "$d/metadata"; }

# What was there before is not counted, and what comes is.
test_stat_live() {
	make_live wrap
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	d=$tmp/root/proc/lkst/buffers/boot
	"$LKST" print -c 0 -s >"$tmp/all"
	mv "$d/cpu0" "$d/cpu0.later"
	head -c 8192 "$d/cpu0.later" >"$d/cpu0"
	mv "$d/cpu0.open" "$d/open.later"
	: >"$d/cpu0.open"
	"$LKST" print -c 0 -s >"$tmp/some"
	# It is shortly before what comes then, by a clock that ticks once a second.
	begin=$(od -An -t u8 -j $((8192 + 48)) -N 8 "$d/cpu0.later")
	clock $(($(date +%s) - begin + 20))
	"$LKST" stat -n 1 -i 3 -c 0 >"$tmp/got" 2>"$tmp/err.txt" &
	pid=$!
	until find /proc/$pid/fd -lname '*/cpu0' | grep -q .; do sleep 0.1; done
	tail -c +8193 "$d/cpu0.later" >>"$d/cpu0"
	mv "$d/open.later" "$d/cpu0.open"
	clock 0
	fails 0 wait $pid
	quiet
	records() { sed -n 's/ records$//p' "$1"; }
	came=$(($(records "$tmp/all") - $(records "$tmp/some")))
	[ $came -gt 100 ]
	[ "$(awk 'NR == 2 { print $1 }' "$tmp/got")" = $came ]
}

# On a terminal a table takes the place of the one before.
test_stat_terminal() {
	make_live wrap
	LKST_ROOT=$tmp/root
	export LKST_ROOT
	for setting in TERM=linux NO_COLOR=1; do
		env "$setting" python3 -c 'import pty, sys
sys.exit(pty.spawn(sys.argv[1:]))' "$LKST" stat -n 2 -i 0.2 </dev/null >"$tmp/got"
		cleared=$(grep -c "^$(printf '\033\[H\033\[J\033\[1m') *records .*all" "$tmp/got") || :
		plain=$(grep -c "^ *records .*all" "$tmp/got") || :
		[ "$setting $cleared $plain" = "TERM=linux 2 0" ] ||
			[ "$setting $cleared $plain" = "NO_COLOR=1 0 2" ] ||
			{ echo "$setting: $cleared tables clear the screen, $plain do not"; return 1; }
	done
}

test_merge() {
	make kinds
	extract
	python3 "$here/merge.py" "$LKST" "$tmp/out/boot" "$tmp/merge"
}

# The library reads what print prints.
test_library() {
	for kind in kinds texts lost wrap; do
		make $kind
		"$BIN/decode" "$tmp/dump" >"$tmp/got" 2>/dev/null || :
		"$LKST" print --format=json "$tmp/dump" >"$tmp/json" 2>/dev/null || :
		PYTHONPATH=$here python3 -c 'import json, sys
from bt2text import number
n = total = 0
for line in open(sys.argv[1], encoding="utf-8"):
    r = json.loads(line)
    if "mark" in r: continue
    n, total = n + 1, total + r["ns"]
    for v in map(number, r["fields"].values()):
        if isinstance(v, str): v = list(v.encode("utf-8", "surrogateescape"))
        total += sum(v) if isinstance(v, list) else v
print(f"{n} records, sum {total % 2 ** 64}")' "$tmp/json" | same "$tmp/got"
	done
}

# The rest of a packet is what was checked, whichever record is damaged how.
test_damaged_records() {
	make kinds
	extract
	python3 "$here/damage.py" "$LKST" "$BIN/decode" "$tmp/out/boot" "$tmp/damaged"
}

# An event of 4 GiB has no fields at fixed places: the sum of their sizes has no room.
test_library_huge_event() {
	make kinds
	extract
	"$BIN/decode" "$tmp/out/boot" nothing >"$tmp/want"
	python3 -c 'import sys
many = "x64 a[2040];" * 32000 + "u8 huge[256];"
sys.stdout.write(sys.stdin.read().replace("u64 value; s64 minus;", many))' \
		<"$tmp/out/boot/metadata" >"$tmp/metadata"
	mv "$tmp/metadata" "$tmp/out/boot"
	"$BIN/decode" "$tmp/out/boot" huge | same "$tmp/want"
	"$BIN/decode" "$tmp/out/boot" | grep -q '^10 records, '
}
