#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Handlers: create, use, count on each CPU by itself, remove.

. ./functions.sh
plan 19

zeros=$(cpus | sed 's/.*/0/' | xargs)
# How the counts in file $1 grow while $2 marks are made on CPU 0, and $3 on CPU 1.
growth() {
	get "$1" >/tmp/before
	./marks 0 1 "$2"
	[ "$3" -eq 0 ] || ./marks 1 1 "$3"
	get "$1" | paste /tmp/before - | awk '{ print $2 - $1 }' | xargs
}
two=$(echo "$zeros" | sed 's/0 0/100 50/')

same "create" ok "$(put handlers/create "count mine")"
same "its type" count "$(get handlers/mine/type)"
same "it counts from 0 on each CPU" "$zeros" "$(get handlers/mine/count | xargs)"
same "create one that exists" EEXIST "$(put handlers/create "count mine")"
same "create one of an unknown type" EINVAL "$(put handlers/create "nothing other")"
same "create one without a name" EINVAL "$(put handlers/create count)"
same "a second record handler" EINVAL "$(put handlers/create "record other")"
same "a name that is in use" EEXIST "$(put handlers/create "count record")"
same "no directory came of that" "count create mine record remove" "$(names handlers)"

put masksets/create counting >/dev/null
same "use it" "ok mine" "$(put masksets/counting/net/transmit mine) $(
	get masksets/counting/net/transmit)"
put masksets/current counting >/dev/null
same "hits are counted on their CPU" "$two" "$(growth handlers/mine/count 100 50)"
same "what is counted so is not recorded, nor counted elsewhere" "0 $zeros" "$(
	put buffers/create "hits size=64K packet=4K" >/dev/null
	put buffers/current hits >/dev/null
	growth events/net/transmit/count 10 10 >/tmp/growth
	cat $K/buffers/hits/cpu*/hits | awk '{ n += $1 } END { printf "%d ", n }'
	cat /tmp/growth)"
same "remove it while it is used" "EBUSY mine" \
	"$(put handlers/remove mine) $(get masksets/counting/net/transmit)"
same "use the built-in one" "ok $two" \
	"$(put masksets/counting/net/transmit count) $(
		growth events/net/transmit/count 100 50)"
same "its own count is the sum over all events" "$two" "$(growth handlers/count/count 100 50)"
same "none: nothing is counted" "ok $zeros" \
	"$(put masksets/counting/net/transmit none) $(
		growth events/net/transmit/count 100 50)"
same "remove it" "ok ENOENT" "$(put handlers/remove mine) $(./attempt read $K/handlers/mine/type)"
same "remove one that does not exist" ENOENT "$(put handlers/remove mine)"
same "remove the built-in ones" "EPERM EPERM" \
	"$(put handlers/remove record) $(put handlers/remove count)"
finish
