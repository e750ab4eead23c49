# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # check.sh reads this file, and has the rest
# Control of a running kernel, of which the files are made here. They take what is
# written and do nothing: what a write does is tested in the guest.

# fake: a tree with three events of two groups, and what there always is
fake() {
	k=$tmp/root/sys/kernel/lkst
	mkdir -p "$k/handlers" "$k/buffers" "$tmp/root/proc/lkst"
	: >"$tmp/root/proc/lkst/marker"
	echo 1 >"$k/enabled"
	fake_event irq/entry "a handler of an interrupt begins" "u32 irq: its number"
	fake_event irq/lost "nothing has a hook here" "u32 irq: its number"
	fake_event sched/switch "another thread runs" "u32 prev_tid: who ran"
	for m in none default all; do fake_maskset $m; done
	for d in masksets handlers buffers; do : >"$k/$d/create"; : >"$k/$d/remove"; done
	echo default >"$k/masksets/current"
	echo record >"$k/masksets/default/sched/switch"
	echo record >"$k/masksets/all/sched/switch"
	echo record >"$k/masksets/all/irq/entry"
	fake_handler record record
	fake_handler count count
	printf '                   3\n                   4\n' >"$k/handlers/count/count"
	fake_buffer boot
	echo boot >"$k/buffers/current"
	LKST_ROOT=$tmp/root
	export LKST_ROOT
}

fake_event() {
	mkdir -p "$k/events/$1"
	echo "$2" >"$k/events/$1/description"
	echo "$3" >"$k/events/$1/fields"
}

fake_maskset() {
	mkdir -p "$k/masksets/$1/irq" "$k/masksets/$1/sched"
	for e in irq/entry irq/lost sched/switch; do echo none >"$k/masksets/$1/$e"; done
	echo all >"$k/masksets/$1/syscalls"
	echo 0 >"$k/masksets/$1/armed"
}

fake_handler() {
	mkdir -p "$k/handlers/$1"
	echo "$2" >"$k/handlers/$1/type"
}

fake_buffer() {
	mkdir -p "$k/buffers/$1"
	echo 4194304 >"$k/buffers/$1/size"
	echo 65536 >"$k/buffers/$1/packet"
	echo overwrite >"$k/buffers/$1/mode"
	echo none >"$k/buffers/$1/next"
}

# file_holds FILE VALUE: the kernel's file below /sys/kernel/lkst holds it
file_holds() {
	[ "$(cat "$k/$1")" = "$2" ] ||
		{ echo "$1 holds: $(cat "$k/$1"), not $2"; return 1; }
}

# does COMMAND...: it goes well and says nothing
does() {
	fails 0 "$LKST" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt" || { cat "$tmp/err.txt"; return 1; }
	quiet
}

# cannot TEXT COMMAND...: it ends with 1 and says so
cannot() {
	text=$1
	shift
	fails 1 "$LKST" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt"
	said "$text"
}

test_control_help() {
	for c in buffer handler list marker maskset start stop; do
		"$LKST" help $c | grep -q "^Usage: lkst $c"
		"$LKST" $c -h | grep -q "^Usage: lkst $c"
		refused "unrecognized option '--nothing'" $c --nothing
		said "\`lkst $c --help' lists the options"
		"$LKST" help | grep -q " ${c}[ ,]"
	done
	refused 'maskset: "a" is nothing that it does' maskset a b
	refused 'maskset set: something is missing' maskset set mine
	refused 'maskset show: "b" is one word too many' maskset show a b
	refused 'handler: "x" is nothing that it does' handler x
	refused 'list: "things" is nothing that it lists' list things
	refused 'list: -n, --names is for one kind' list -n
	refused 'stop: "x" is one word too many' stop x
	"$LKST" --version | grep -qx 'lkst [0-9.]*, trace layout 1, CTF 1.8'
}

test_control_without_lkst() {
	LKST_ROOT=$tmp/nothing
	export LKST_ROOT
	for c in list start stop maskset handler buffer "marker x"; do
		# shellcheck disable=SC2086 # words
		cannot "this kernel has no LKST" $c
	done
}

test_control_not_root() {
	chmod 755 "$top" "$tmp"
	as_user test -x "$LKST" || return 0
	fake
	chmod 000 "$k/enabled" "$k/buffers/current" "$tmp/root/proc/lkst"
	for c in stop list record print status stat "print -b boot" "stat -b boot"; do
		# shellcheck disable=SC2086 # words
		fails 1 as_user "$LKST" $c 2>"$tmp/err.txt"
		said "only root may control the tracer; run lkst as root"
	done
	chmod 755 "$tmp/root/proc/lkst"
}

test_list() {
	fake
	does list -n events
	printf '%s\n' irq/entry irq/lost sched/switch | same "$tmp/out.txt"
	does list events 'sched/*'
	printf '%-25s %s\n    %s\n' sched/switch "another thread runs" "u32 prev_tid: who ran" |
		same "$tmp/out.txt"
	does list masksets
	printf '%s %-31s    %s of 3 events\n' ' ' all 2 '*' default 1 ' ' none 0 | same "$tmp/out.txt"
	does list handlers
	printf '  %-31s %-8s hit 7 times\n  %-31s %s\n' count count record record |
		same "$tmp/out.txt"
	does list buffers
	printf '* %-31s overwrite, 4194304 bytes a CPU, packets of 65536\n' boot | same "$tmp/out.txt"
	does list
	for kind in events handlers masksets buffers; do
		grep -qx $kind "$tmp/out.txt"
		sed -n "/^$kind/,/^\$/p" "$tmp/out.txt" | grep -q '^[* a-z]'
	done
	! grep -q prev_tid "$tmp/out.txt"
	cannot "\"none/*\": no such event" list events 'none/*'
	for names in "" -n; do
		# shellcheck disable=SC2086 # an option or none
		cannot '"nope/x": no such event' list $names events irq/entry nope/x
		! grep irq/entry "$tmp/err.txt"
		grep -q '^irq/entry' "$tmp/out.txt"
	done
	refused "did you mean \`lkst list events sched/switch'?" list sched/switch
	echo 0 >"$k/enabled"
	does list masksets
	grep -q 'recording is stopped' "$tmp/out.txt"
}

test_start_and_stop() {
	fake
	does stop
	file_holds enabled 0
	does start
	file_holds enabled 1
	does stop
	does start all
	file_holds enabled 1
	file_holds masksets/current all
	cannot "masksets/some: there is no such thing, but these: all default none" start some
	file_holds masksets/current all
}

test_marker() {
	fake
	does marker two "words more"
	[ "$(cat "$tmp/root/proc/lkst/marker")" = "two words more" ]
	printf 'one\ntwo\n' | does marker
	grep -q two "$tmp/root/proc/lkst/marker"
	rm "$tmp/root/proc/lkst/marker"
	cannot "this kernel has no LKST" marker x
	ln -s /dev/full "$tmp/root/proc/lkst/marker"
	cannot "No space left" marker x
}

test_maskset_set() {
	fake
	fake_maskset mine
	does maskset set mine '*=record' 'irq/*=count'
	file_holds masksets/mine/sched/switch record
	file_holds masksets/mine/irq/entry count
	# It has no hook, as `all' shows, and a pattern leaves it out.
	file_holds masksets/mine/irq/lost none
	does maskset set mine irq/lost=count syscalls='openat close'
	file_holds masksets/mine/irq/lost count
	file_holds masksets/mine/syscalls 'openat close'
	cannot "\"net/*\": no such event" maskset set mine 'sched/*=none' 'net/*=record'
	file_holds masksets/mine/sched/switch record
	refused '"sched": is not of the form PATTERN=HANDLER' maskset set mine sched
	refused '"from": comes right after NAME' maskset set mine from default
	cannot "masksets/other: there is no such thing, but these: all default mine none" \
		maskset set other 'sched/*=none'
	does maskset show mine
	printf 'maskset mine\nsyscalls: openat close\n  %-27s count\n  %-27s count\n  %-27s record\n' \
		irq/entry irq/lost sched/switch | same "$tmp/out.txt"
	does maskset show
	printf 'maskset default, current\n  %-27s record\n' sched/switch | same "$tmp/out.txt"
	does maskset arm mine
	file_holds masksets/mine/armed 1
	does maskset disarm mine
	file_holds masksets/mine/armed 0
}

# Of three writes the second fails: the first is undone, the third is not made.
# Each writes what it was asked for, and nothing else.
test_maskset_set_at_once() {
	fake
	fake_maskset mine
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$LKST" maskset set mine irq/entry=record &
		"$LKST" maskset set mine sched/switch=record
		wait $!
		file_holds masksets/mine/irq/entry record
		file_holds masksets/mine/sched/switch record
		"$LKST" maskset set mine '*=none'
	done
}

# A link stays one, and what is no file is written to.
test_maskset_save_elsewhere() {
	fake
	fake_maskset mine
	does maskset set mine irq/entry=record
	"$LKST" maskset save mine >"$tmp/want"
	echo old >"$tmp/file"
	chmod 640 "$tmp/file"
	ln -s file "$tmp/link"
	does maskset save mine "$tmp/link"
	[ -L "$tmp/link" ] && cmp "$tmp/want" "$tmp/file"
	[ "$(stat -c %a "$tmp/file")" = 640 ]
	mkfifo "$tmp/fifo"
	timeout 20 cat "$tmp/fifo" >"$tmp/got" &
	does maskset save mine "$tmp/fifo"
	wait $!
	[ -p "$tmp/fifo" ] && cmp "$tmp/want" "$tmp/got"
	# What cannot be read does not take the place of what was.
	echo good >"$tmp/file"
	rm "$k/masksets/mine/irq/entry"
	mkdir "$k/masksets/mine/irq/entry"
	cannot "irq/entry: Is a directory" maskset save mine "$tmp/file"
	[ "$(cat "$tmp/file")" = good ]
	printf 'maskset=mine\nirq/exit=record\0\nsched/switch=record\n' >"$tmp/nul"
	cannot "$tmp/nul: is no text: it has a NUL" maskset load "$tmp/nul"
}

test_maskset_set_undone() {
	fake
	fake_maskset mine
	rm "$k/masksets/mine/irq/lost"
	ln -s /dev/full "$k/masksets/mine/irq/lost"
	echo count >"$k/masksets/all/irq/lost"
	cannot "masksets/mine/irq/lost: \"record\": No space left on device" maskset set mine '*=record'
	file_holds masksets/mine/irq/entry none
	file_holds masksets/mine/sched/switch none
}

test_maskset_create() {
	fake
	fake_maskset mine	# what the kernel makes when create is written
	does maskset create mine
	file_holds masksets/create "mine from none"
	does maskset create mine from default 'irq/*=count'
	file_holds masksets/create "mine from default"
	file_holds masksets/mine/irq/entry count
	cannot "masksets/some: there is no such thing" maskset create mine from some
	for words in "from" "irq/*=none from default"; do
		# shellcheck disable=SC2086 # words
		refused '"from": comes right after NAME, and before the name of a maskset' \
			maskset create mine $words
	done
	refused '"fom": is not of the form' maskset create mine fom default
	: >"$k/masksets/create"
	cannot "no such event" maskset create mine 'x/y=record'
	file_holds masksets/create ""
	fake_maskset mine
	ln -sf /dev/full "$k/masksets/mine/sched/switch"
	cannot "No space left on device" maskset create mine '*=count'
	file_holds masksets/mine/irq/entry none
	file_holds masksets/remove mine
	does maskset remove mine other
	file_holds masksets/remove other
	does maskset all
	file_holds masksets/current all
	does maskset switch default
	file_holds masksets/current default
	cannot "masksets/some: there is no such thing" maskset some
}

test_maskset_files() {
	fake
	fake_maskset mine
	echo count >"$k/masksets/mine/irq/entry"
	echo record >"$k/masksets/mine/sched/switch"
	echo "openat close" >"$k/masksets/mine/syscalls"
	does maskset save mine "$tmp/mine.maskset"
	does maskset save mine
	same "$tmp/out.txt" <"$tmp/mine.maskset"
	printf '%s\n' '# A maskset of the Linux Kernel State Tracer; see lkst-maskset(1).' \
		maskset=mine 'syscalls=openat close' irq/entry=count sched/switch=record |
		same "$tmp/out.txt"
	[ ! -e "$tmp/mine.maskset.new" ]
	fake_maskset mine
	does maskset load "$tmp/mine.maskset"
	does maskset save mine
	same "$tmp/out.txt" <"$tmp/mine.maskset"
	# Blanks, comments, a base, another name.
	fake_maskset other
	printf '%s\n' '# of a team' 'from = default' '' '  irq/* =  count  # all of them' >"$tmp/file"
	cannot "names no maskset" maskset load "$tmp/file"
	does maskset load "$tmp/file" other
	file_holds masksets/other/irq/entry count
	file_holds masksets/other/sched/switch record
	file_holds masksets/other/syscalls all
	file_holds masksets/create ""
	# Nothing is written when a line is wrong.
	printf '%s\n' maskset=other 'sched/*=none' 'nothing' >"$tmp/file"
	cannot "$tmp/file:3: \"nothing\": is not of the form PATTERN=HANDLER" maskset load "$tmp/file"
	file_holds masksets/other/sched/switch record
	printf '%s\n' maskset=other from=some >"$tmp/file"
	cannot "$tmp/file:2: masksets/some: there is no such thing" maskset load "$tmp/file"
	does maskset load - <"$tmp/mine.maskset"
	cannot 'standard input:1: "what": is not of the form' maskset load - mine <<-END
	what
	END
	cannot "$tmp/nothing: No such file" maskset load "$tmp/nothing"
	cannot "/dev/full" maskset save mine /dev/full/x
}

test_handler() {
	fake
	fake_handler alarm trigger
	for f in match action "then"; do echo none >"$k/handlers/alarm/$f"; done
	for f in after every limit ratelimit seen fired suppressed; do echo 0 >"$k/handlers/alarm/$f"; done
	does handler create trigger alarm match='sig == 11' action='maskset all; log'
	file_holds handlers/create "trigger alarm"
	file_holds handlers/alarm/match "sig == 11"
	does handler show alarm
	printf '%s\n' 'handler alarm, trigger' '  match sig == 11' '  after 0' '  every 0' '  limit 0' \
		'  ratelimit 0' '  action maskset all; log' '  then none' '  seen 0' '  fired 0' \
		'  suppressed 0' >"$tmp/want"
	sed 's/\([a-z]\)  */\1 /' "$tmp/out.txt" | same "$tmp/want"
	does handler show count
	grep -q '^  count  *7$' "$tmp/out.txt"
	# What was set before the word that is wrong is undone.
	cannot "handlers/alarm/nothing" handler set alarm after=5 nothing=1
	file_holds handlers/alarm/after 0
	refused '"every": is not of the form FILE=VALUE' handler set alarm after=5 every
	file_holds handlers/alarm/after 0
	refused '"../x=1": is not of the form' handler set alarm ../x=1
	refused '"every": is not of the form FILE=VALUE' handler create trigger more every
	echo 3 >"$k/handlers/alarm/fired"
	does handler reset alarm
	file_holds handlers/alarm/fired 0
	does handler remove alarm
	file_holds handlers/remove alarm
	cannot "handlers/some: there is no such thing, but these: alarm count record" handler show some
}

test_buffer() {
	fake
	does buffer create big size=16M mode=discard
	file_holds buffers/create "big size=16M mode=discard"
	fake_buffer big
	does buffer big
	file_holds buffers/current big
	does buffer next
	file_holds buffers/current next
	echo boot >"$k/buffers/current"
	does buffer next big boot
	file_holds buffers/big/next boot
	does buffer set big size=1M
	file_holds buffers/big/size 1M
	: >"$k/buffers/big/reset"
	does buffer reset big
	file_holds buffers/big/reset 1
	refused "is to be linked to what" buffer next big
	refused '"size": is not of the form FILE=VALUE' buffer set big size
	cannot "buffers/some: there is no such thing, but these: big boot" buffer some
	mkdir "$k/buffers/big/cpu0"
	for f in hits lost readable consumed overwritten unfinished bytes; do
		echo 5 >"$k/buffers/big/cpu0/$f"
	done
	does buffer show big
	grep -q 'buffer big: 1M a CPU, packets of 65536, overwrite' "$tmp/out.txt"
	grep -q '^  cpu0 ' "$tmp/out.txt"
}


# completes WANT WORD...: what bash makes of "lkst WORD..." and a tab
completes() {
	want=$1
	shift
	got=$(PATH=$(dirname "$LKST"):$PATH bash -c '. "$0"; COMP_WORDS=(lkst "$@"); COMP_CWORD=$#
		_lkst; echo "${COMPREPLY[@]}"' "$here/../completion/lkst.bash" "$@")
	[ "$got" = "$want" ] || { echo "lkst $*: $got, not $want"; return 1; }
}

test_completion() {
	command -v bash >/dev/null || return 0
	fake
	completes "maskset marker" ma
	completes "stop" sto
	completes "handler" help ha
	completes "default" maskset de
	completes "save set show switch" maskset s
	completes "none" maskset show n
	completes "sched/switch=" maskset set mine sched/
	completes "from" maskset create mine f
	completes "all" maskset create mine from a
	completes "trigger" handler create t
	completes "boot" buffer b
	completes "events" list e
	completes "irq/entry irq/lost" list events irq/
	completes "--buffer" print --bu
	completes "boot" print -b ''
	completes "irq/entry irq/lost" stat -e irq/
	completes "" print -m ''
	completes "none" record -m n
	completes "json" print --format = j
	completes "boot wall delta" print --time =
	completes "ctf chrome" convert --to = c
	completes "all" start a
}

# Of a command: what begins with two dashes in its help, on its page, on its tab key.
options_of_help() { "$LKST" "$1" --help | sed -n '/^ *-/p' | grep -o -e '--[a-z][a-z-]*' | sort -u; }
options_of_page() {
	sed -n 's/Fl . , -\([a-z]\)/Fl --\1/g; s/Fl -\([a-z]\)/Fl --\1/g; /^\./p' "$here/../man/lkst-$1.1" |
		grep -o -e 'Fl --[a-z-]*' | sed 's/^Fl //' | sort -u
}
options_of_tab() {
	PATH=$(dirname "$LKST"):$PATH bash -c '. "$0"; COMP_WORDS=(lkst "$1" -); COMP_CWORD=2
		_lkst; printf "%s\n" "${COMPREPLY[@]}"' "$here/../completion/lkst.bash" "$1" | sort -u
}
commands() { "$LKST" help | sed -n 's/^  \([a-z]*\)\(, \([a-z]*\)\)\{0,1\} .*/\1 \3/p' | xargs -n 1; }

# The options that a command takes are those in its help, on its page and on its tab key.
test_options() {
	LKST_ROOT=$tmp/nothing
	export LKST_ROOT
	commands | grep -vx help >"$tmp/commands"
	while read -r c; do options_of_help "$c"; done <"$tmp/commands" | sort -u >"$tmp/all"
	[ "$(wc -l <"$tmp/all")" -gt 30 ]
	while read -r c; do
		options_of_help "$c" >"$tmp/help"
		[ -s "$tmp/help" ]
		while read -r option; do
			"$LKST" "$c" "$option=x" </dev/null >/dev/null 2>"$tmp/err.txt" || :
			grep -q 'unrecognized option\|ambiguous' "$tmp/err.txt" || echo "$option"
		done <"$tmp/all" >"$tmp/taken"
		diff -u "$tmp/help" "$tmp/taken" || { echo "lkst $c does not take these"; return 1; }
		! command -v bash >/dev/null || options_of_tab "$c" | diff -u "$tmp/help" - ||
			{ echo "the tab key offers others of $c"; return 1; }
		# Two pages refer to the first one's options that choose.
		{
			echo --help
			options_of_page "$c"
			[ "$c" != convert ] && [ "$c" != stat ] ||
				printf -- '--%s\n' boot buffer comm cpu event match scan since tgid tid until
		} | sort -u | diff -u "$tmp/help" - || { echo "the page on $c has others"; return 1; }
	done <"$tmp/commands"
}

# Every command has a page, and every page can be read.
test_pages() {
	for c in $(commands); do
		[ "$c" = help ] || [ -f "$here/../man/lkst-$c.1" ] || { echo "no page on $c"; return 1; }
		[ "$c" = help ] || grep -q "lkst-\($c\|start\) 1" "$here/../man/lkst.1"
	done
	command -v groff >/dev/null || return 0
	for p in "$here"/../man/*.1; do
		(cd "$here/.." && mkdir -p "$tmp/man1" && cp man/*.1 "$tmp/man1" && cd "$tmp" &&
			groff -mandoc -Tascii -ww -z "$p" 2>&1) | tee -a "$tmp/err.txt"
	done
	quiet
}

test_install() {
	command make -s -C "$here/.." install O="$(dirname "$LKST")" DESTDIR="$tmp/root" PREFIX=/usr
	"$tmp/root/usr/bin/lkst" --version | grep -q '^lkst '
	(cd "$tmp/root" && find . -type f | sort) >"$tmp/got"
	{
		echo ./usr/bin/lkst
		[ ! -f /usr/include/crash/defs.h ] || echo ./usr/lib/crash/extensions/lkst.so
		echo ./usr/share/bash-completion/completions/lkst
		echo ./usr/share/lkst/lkst.py
		(cd "$here/../man" && printf './usr/share/man/man1/%s\n' *.1)
		echo ./usr/share/zsh/site-functions/_lkst
	} | same "$tmp/got"
	grep -q '=/usr/share/bash-completion/\|-/usr/share/bash-completion/' \
		"$tmp/root/usr/share/zsh/site-functions/_lkst"
}
