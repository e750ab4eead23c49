#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Buffers: create, switch, change size, packet and mode, reset, remove; readers.

. ./functions.sh
plan 41

shape() { echo "$(get "buffers/$1/size") $(get "buffers/$1/packet") $(get "buffers/$1/mode")"; }
# The sum of a counter over all CPUs.
sum() { cat "$K/buffers/$1/"cpu*/"$2" | awk '{ n += $1 } END { print n }'; }
incarnation() { sed -n 's/.*uuid = "[-0-9a-f]*\([0-9a-f]\{8\}\)".*/\1/p' "$P/buffers/$1/metadata"; }

put masksets/create marks >/dev/null
put masksets/marks/net/transmit record >/dev/null
put masksets/marks/lkst/buffer record >/dev/null
put masksets/current marks >/dev/null

same "create" ok "$(put buffers/create one)"
same "as the boot buffer is by default" "4194304 65536 overwrite" "$(shape one)"
same "create one with all options" "ok 262144 4096 discard" "$(
	put buffers/create "two size=256K packet=4K mode=discard") $(shape two)"
same "the options in another order, and other units" "ok 1048576 8192 overwrite" "$(
	put buffers/create "three mode=overwrite packet=8192 size=1M") $(shape three)"
same "the number of packets is a power of two" "ok 262144 4096 overwrite" "$(
	put buffers/create "four size=300K packet=4K") $(shape four)"
same "create one that exists" EEXIST "$(put buffers/create one)"
same "unknown options and values" "EINVAL EINVAL EINVAL EINVAL EINVAL" "$(
	for o in length=4K mode=maybe size= size=4X size; do
		put buffers/create "five $o"
	done | xargs)"
same "too few packets, too small, too large, no power of two" \
	"EINVAL EINVAL EINVAL EINVAL" "$(
	for o in "size=12K packet=4K" packet=2K packet=512K packet=5000; do
		put buffers/create "five $o"
	done | xargs)"
same "more than there is memory" "ENOMEM ERANGE ERANGE" "$(
	for o in "size=32G packet=256K" size=1024G size=17179869184G; do
		put buffers/create "five $o"
	done | xargs)"
same "nothing came of that" "$(printf '%s\n' boot create current four one remove three two | xargs)" \
	"$(names buffers)"

same "a new one is empty" "0 0 0 0" "$(sum two hits) $(sum two lost) $(sum two readable) $(sum two bytes |
	awk -v cpus="$(cpus | wc -l)" '{ print $1 - 88 * cpus }')"
same "switch" "ok two" "$(put buffers/current two) $(get buffers/current)"
./marks 0 1 100
./marks 1 1 50
same "the switch and the marks are in it" "151 0 151 0 0 0" "$(
	for c in hits lost readable consumed overwritten unfinished; do
		sum two $c
	done | xargs)"
same "on their CPUs" "50" "$(sed -n 's/.*cpu1 .*net\/transmit.*/&/p' $P/trace | wc -l)"
same "it tells who became the current one" two \
	"$(sed -n 's/.*lkst\/buffer tid=[0-9]* name="\(.*\)"/\1/p' $P/trace)"
same "remove the current one" "EBUSY two" "$(put buffers/remove two) $(get buffers/current)"
same "the log says why" "buffer two is current" "$(logged)"
same "switch to one that does not exist" "ENOENT two" \
	"$(put buffers/current nobody) $(get buffers/current)"
same "switch back" "ok boot" "$(put buffers/current boot) $(get buffers/current)"
before=$(sum two hits)
./marks 0 1 100
same "the one before is untouched from then on" "$before" "$(sum two hits)"

# Readers. What a discard buffer gives out is gone from it.
exec 5<$P/buffers/two/cpu0
same "a second reader of a discard buffer" EBUSY "$(./attempt read $P/buffers/two/cpu0)"
same "of its open packet, and of another CPU" "ok ok" \
	"$(./attempt read $P/buffers/two/cpu0.open) $(./attempt read $P/buffers/two/cpu1)"
exec 5<&-
same "once the first has closed it" ok "$(./attempt read $P/buffers/two/cpu0)"
same "what was read: a packet that was still open is not consumed" "151 151 0" \
	"$(sum two hits) $(sum two readable) $(sum two consumed)"
put buffers/current two >/dev/null
./marks 0 101 400
put buffers/current boot >/dev/null
./packets two >/tmp/packets
same "reading consumes" \
	"cpu0 marks=400 first=1 last=400" "$(sed -n 's/\(cpu0\).*\(marks=.*\)/\1 \2/p' /tmp/packets)"
# With the one that says that the buffer is current again.
same "and is counted" "453 $(cat $K/buffers/two/cpu*/readable | awk '{ n += $1 } END { print n }')" \
	"$(sum two hits) $(($(sum two hits) - $(sum two consumed)))"
exec 5<$P/buffers/one/cpu0
same "a second reader of an overwrite buffer" ok "$(./attempt read $P/buffers/one/cpu0)"
exec 5<&-

was=$(incarnation two)
same "reset" "ok 0 0 0 0" "$(put buffers/two/reset 1) $(sum two hits) $(sum two lost) $(
	sum two consumed) $(sum two readable)"
pass "its packets are told apart from those before" [ "$(incarnation two)" != "$was" ]
same "its shape is as before" "262144 4096 discard" "$(shape two)"
same "reset with another number" "EINVAL EINVAL" "$(put buffers/two/reset 0) $(put buffers/two/reset 2)"
same "change the size" "ok 524288 4096 discard" "$(put buffers/two/size 512K) $(shape two)"
same "change the packet" "ok 524288 16384 discard" "$(put buffers/two/packet 16K) $(shape two)"
same "change the mode" "ok 524288 16384 overwrite" "$(put buffers/two/mode overwrite) $(shape two)"
same "changes that cannot be had" "EINVAL EINVAL ENOMEM EINVAL 524288 16384 overwrite" "$(
	put buffers/two/size 48K) $(put buffers/two/packet 256K) $(
	put buffers/two/size 3G) $(put buffers/two/mode none) $(shape two)"

# The current one goes on in its new shape; a reader keeps the old one.
put buffers/current two >/dev/null
./marks 0 1 10
exec 5<$P/buffers/two/cpu0
same "change the current one" "ok 1048576 16384 overwrite" "$(put buffers/two/size 1M) $(shape two)"
./marks 0 11 20
same "it records in the new shape only" "11-20" "$(marks_seen)"
same "an open file still has the old one" 16384 "$(wc -c <&5)"
exec 5<&-
put buffers/current boot >/dev/null

exec 5<$P/buffers/four/cpu0
same "remove one that is open" ok "$(put buffers/remove four)"
exec 5<&-
same "remove" "ok ENOENT ENOENT" "$(put buffers/remove one) $(
	./attempt read $K/buffers/one/size) $(./attempt read $P/buffers/one/cpu0)"
same "remove one that does not exist" ENOENT "$(put buffers/remove one)"
finish
