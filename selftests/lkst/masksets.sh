#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Masksets: what the built-in ones hold; create, copy, change, switch, arm, remove.

. ./functions.sh
plan 45

# The events of a maskset that have a handler, as GROUP/EVENT=HANDLER.
mapped() {
	(cd "$K/masksets/$1" && grep -v '^none$' ./*/*) |
		sed 's/^..//; /^[a-z]*\/all:/d; s/:/=/'
}
hooks() { sed -n 's/^events  *\([0-9]*\) of.*/\1/p' $P/status; }

same "none holds nothing" "" "$(mapped none)"
same "locks holds the tracer's own events, and locks" \
	"lkst/buffer lkst/clock lkst/mark lkst/maskset lkst/start lkst/stop lkst/trigger $(
		cd $K/events && echo lock/*)" "$(mapped locks | sed 's/=record//' | sort | xargs)"
same "all holds every event that has a hook" "$(
	(cd $K/events && printf '%s=record\n' */*) |
		grep -v -E 'lkst/(unfinished|regs|stack|task|threads_unknown)=' | sort | xargs)" "$(mapped all | sort | xargs)"
# without SET SET: what the first holds and the second does not.
without() {
	mapped "$2" >/tmp/mapped
	mapped "$1" | grep -vxFf /tmp/mapped | sed 's/=.*//' | xargs
}
same "default is part of analysis" "" "$(without default analysis)"
same "analysis is part of all" "" "$(without analysis all)"
for e in mm/cache_alloc mm/kmalloc mm/page_alloc syscall/args timer/start sched/queue; do
	without all default | grep -q "\<$e\>"
	result $? "default is without $e"
done
same "analysis is without syscall/args" syscall/args \
	"$(without all analysis | xargs -n 1 | grep '^syscall')"

same "create" ok "$(put masksets/create plain)"
same "a new one holds nothing" "" "$(mapped plain)"
same "copy" ok "$(put masksets/create "copy from default")"
same "a copy holds the same" "$(mapped default)" "$(mapped copy)"
same "create one that exists" EEXIST "$(put masksets/create plain)"
same "copy one that does not exist" ENOENT "$(put masksets/create "other from nobody")"
same "nothing was created by that" ENOENT "$(./attempt read $K/masksets/other/armed)"
same "create with a word too many" EINVAL "$(put masksets/create "a from default b")"
same "create with a word for from" EINVAL "$(put masksets/create "a form default")"

same "change an event" ok "$(put masksets/plain/net/transmit record)"
same "only that event has changed" "net/transmit=record" "$(mapped plain)"
same "change a group" ok "$(put masksets/plain/irq/all count)"
same "the group has changed" \
	"$(cd $K/events/irq && printf '%s count\n' * | sort | xargs)" \
	"$(get masksets/plain/irq/all | sort | xargs)"
same "and each of its events" "$(cd $K/events/irq && printf 'irq/%s=count\n' * | sort | xargs)" \
	"$(mapped plain | grep irq | sort | xargs)"
same "change a group back" ok "$(put masksets/plain/irq/all none)"
same "that has changed too" "net/transmit=record" "$(mapped plain)"
same "lkst/unfinished takes no handler" "ok none" \
	"$(put masksets/plain/lkst/all record) $(get masksets/plain/lkst/unfinished)"
put masksets/plain/lkst/all none >/dev/null
same "an unknown handler" "ENOENT record" \
	"$(put masksets/plain/net/transmit nobody) $(get masksets/plain/net/transmit)"

same "change a built-in one" "EPERM none EPERM" \
	"$(put masksets/none/net/transmit record) $(get masksets/none/net/transmit) $(
		put masksets/default/irq/all none)"

same "switch" "ok plain" "$(put masksets/current plain) $(get masksets/current)"
same "the other hooks are off" 1 "$(hooks)"
same "the current one is armed" 1 "$(get masksets/plain/armed)"
same "disarm the current one" "EBUSY 1" \
	"$(put masksets/plain/armed 0) $(get masksets/plain/armed)"
same "remove the current one" "EBUSY plain" \
	"$(put masksets/remove plain) $(get masksets/current)"
same "the log says why" "maskset plain is current" "$(logged)"
same "switch to one that does not exist" "ENOENT plain" \
	"$(put masksets/current nobody) $(get masksets/current)"

put buffers/create "masks size=1M" >/dev/null
put buffers/current masks >/dev/null
./marks 0 1 10
put masksets/current none >/dev/null
./marks 0 11 20
put masksets/current copy >/dev/null
./marks 0 21 30
same "what is recorded is what the current one says" \
	"1-10 21-30 maskset=copy" \
	"$(marks_seen) $(
		sed -n 's/.* lkst\/maskset tid=[0-9]* name="\(.*\)"/maskset=\1/p' $P/trace)"

on=$(hooks)
same "arm another one" "ok 1" "$(put masksets/all/armed 1) $(get masksets/all/armed)"
same "its hooks are on" $(($(mapped all | wc -l) - $(mapped copy | wc -l))) $(($(hooks) - on))
same "disarm it" "ok 0 $on" "$(put masksets/all/armed 0) $(get masksets/all/armed) $(hooks)"

same "remove" ok "$(put masksets/remove plain)"
same "that is gone" "ENOENT ENOENT" \
	"$(put masksets/remove plain) $(./attempt read $K/masksets/plain/armed)"
same "remove a built-in one" EPERM "$(put masksets/remove none)"
finish
