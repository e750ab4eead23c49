#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the lkst command does to the tracer is what it was told; what the kernel
# refuses changes nothing, and the command says what to do.

. ./functions.sh
command -v lkst >/dev/null || skip "no lkst command"
plan 49

# refused NAME TEXT COMMAND...: it ends with 1 and says so.
refused() {
	name=$1
	text=$2
	shift 2
	c=$(code "$@")
	[ "$c" = 1 ] && grep -qF -- "$text" /tmp/err
	result $? "$name"
	[ $bad = 0 ] || sed 's/^/# /' /tmp/err
}

# All that a maskset maps, a line each.
mapped() { (cd "$K/masksets/$1" && grep -v '^none$' -r . | grep -v -e /all: -e armed | sort); }

same "list of events" "$(cd $K/events && echo ./*/* | tr ' ' '\n' | sed 's/^..//' | sort | xargs)" \
	"$(lkst list -n events | sort | xargs)"
same "list of masksets" "all analysis default locks none" "$(lkst list -n masksets | xargs)"
same "list ends well" 0 "$(code lkst list)"
same "it says nothing else" "" "$(cat /tmp/err)"
same "fields" "$(cat $K/events/sched/switch/fields)" \
	"$(lkst list events sched/switch | sed -n 's/^    //p')"

same "create, as another" 0 "$(code lkst maskset create mine from default 'irq/*=none')"
same "what it maps" "$(mapped default | grep -v '^./irq/')" "$(mapped mine)"
same "set by patterns" 0 "$(code lkst maskset set mine '*=record' 'sched/*=count')"
same "all that can be" "$(mapped all | sed '/^.\/sched/s/record/count/')" "$(mapped mine)"
refused "an event without a hook" "lkst/unfinished has no hook" \
	lkst maskset set mine 'irq/*=none' lkst/unfinished=record
same "it changed nothing" "$(mapped all | sed '/^.\/sched/s/record/count/')" "$(mapped mine)"
refused "no such handler" "handlers: there are these: count record" \
	lkst maskset set mine 'irq/*=some'
refused "a built-in maskset" "lkst maskset create NAME from default" \
	lkst maskset set default 'irq/*=none'
refused "no such system call" "syscalls" lkst maskset set mine 'irq/*=none' syscalls=nothing
same "handlers have nothing to do with it" "" "$(grep handlers: /tmp/err)"
same "it changed nothing" record "$(get masksets/mine/irq/entry)"
same "system calls" 0 "$(code lkst maskset set mine 'syscalls=openat close')"
same "save" 0 "$(code lkst maskset save mine /tmp/mine.maskset)"
same "load under another name" 0 "$(code lkst maskset load /tmp/mine.maskset yours)"
same "it maps the same" "$(mapped mine)" "$(mapped yours)"
same "and the same calls" "openat close" "$(get masksets/yours/syscalls)"
printf 'maskset=third\nirq/*=record\nsched/switch=some\n' >/tmp/third
refused "load of what cannot be" "there are these" lkst maskset load /tmp/third
[ ! -e $K/masksets/third ]
result $? "no half of it stays"
same "switch" 0 "$(code lkst maskset mine)"
same "it is current" mine "$(get masksets/current)"
refused "removal of the current one" "It is current" lkst maskset remove mine
refused "a reserved name" "the kernel says: the name next is reserved" lkst maskset create next

refused "no such detail" "there are these: regs stack task" \
	lkst handler create detail f2 detail=regs,stack
[ ! -e $K/handlers/f2 ]
result $? "no half of the handler stays"
same "a trigger" 0 "$(code lkst handler create trigger alarm 'match=sig == 11' 'action=maskset yours; log')"
same "its condition" "sig == 11" "$(get handlers/alarm/match)"
refused "a wrong condition" "the kernel says: match: character" \
	lkst handler create trigger wrong 'match=sig ==='
[ ! -e $K/handlers/wrong ]
result $? "no half of it stays"
refused "removal of what an action names" "The action of trigger alarm names it" \
	lkst maskset remove yours
same "mapped" 0 "$(code lkst maskset set yours signal/generate=alarm)"
refused "removal of what is mapped" "masksets/yours/signal/generate names it" \
	lkst handler remove alarm

same "a buffer" 0 "$(code lkst buffer create spare size=256K packet=4K)"
same "its size" "262144 4096" "$(get buffers/spare/size) $(get buffers/spare/packet)"
same "linked" 0 "$(code lkst buffer next boot spare)"
refused "removal of what is linked" "buffers/boot/next names it" lkst buffer remove spare
same "shifted to" 0 "$(code lkst buffer next)"
same "it is current" spare "$(get buffers/current)"
same "stop" "0 0" "$(code lkst stop) $(get enabled)"
same "start with a maskset" "0 1 default" \
	"$(code lkst start default) $(get enabled) $(get masksets/current)"
same "markers" "0 0" "$(code lkst marker here it is) $(code lkst marker 0x10)"
same "they are recorded" "1 1" "$(grep -c 'user/text .*text="here it is"' $P/trace) $(
	grep -c 'user/number .*value=16$' $P/trace)"
long=$(printf '%0300d' 0)
same "lines, of which some cannot be" 1 \
	"$(code sh -c "printf 'line 1\n\n$long\nline\t2\nline 3\n' | lkst marker")"
same "the others are recorded" "line 1 line 3" \
	"$(sed -n 's/.*user\/text .*text="\(line.*\)"/\1/p' $P/trace | xargs)"
same "not root" "1" "$(su user -c 'lkst stop; echo $?' 2>/dev/null)"
finish
