#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whatever page of those that lead to the trace is lost from a real dump, the trace
# is found, decoded, and said to be incomplete. Runs on the host.

. "$(dirname "$0")/functions.sh"
vmcore=$out/vmcore

# Without the names of threads.
listing() { "$lkst" print -a "$@" | sed 's/ \([0-9]*\)-[^ ]* .* \([a-z]*\/[a-z_]*\)/ \1 \2/'; }

# Wall time of the last record, in s.
wall() { date -d "$("$lkst" print -a -w -n 1 "$@" | cut -d' ' -f1)" +%s; }

# lost PARTS MESSAGE: what `lkst print` lists is the same, and so is when.
lost() {
	local code skew
	rm -rf "$out/trace"
	selftests/lkst/crash/wound.py "$vmcore" "$1" \
		"$lkst" extract "$vmcore" -o "$out/trace" >"$out/extract.log" 2>&1
	code=$?
	[ $code -eq 1 ] && grep -q "$2" "$out/extract.log"
	result $? "$1: says: $2"
	[ $code -eq 1 ] || sed 's/^/# /' "$out/extract.log"
	listing "$out"/trace/*/ >"$out/listing"
	cmp -s "$out/whole" "$out/listing"
	result $? "$1: all $(grep -c . "$out/listing") records are there"
	skew=$(($(wall "$out"/trace/*/) - end))
	[ ${skew#-} -le 1 ]
	result $? "$1: at the right time"
	babeltrace2 "$out/trace" 2>&1 >"$out/babeltrace.txt" | grep . | sed 's/^/# /'
	[ "$(wc -l <"$out/babeltrace.txt")" -eq "$(wc -l <"$out/whole")" ]
	result $? "$1: babeltrace2 reads as many"
}

echo "KTAP version 1"
mkdir -p "$out"
echo 'echo c >/proc/sysrq-trigger' >"$out/script"
qemu/run -n -t 300 -d -a panic=1 -o "$out" "$out/script" >"$out/run.log" 2>&1
[ $? -eq 202 ]
result $? "there is a dump"
listing "$vmcore" >"$out/whole"
[ "$(wc -l <"$out/whole")" -gt 1000 ]
result $? "it holds a trace"
end=$(wall "$vmcore")

lost descriptor "no descriptor found"
lost directory "the table of task names cannot be found"
lost info "the head of its metadata is lost; made anew from the state"
lost ring "buffer boot cpu0: the ring at"
lost descriptor,directory "no descriptor found"
lost directory,info "its page is lost"
echo "1..$n"
rm -f "$vmcore"
exit $bad
