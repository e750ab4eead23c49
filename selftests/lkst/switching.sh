#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: time=900
# 100,000 switches of maskset and buffer from every context while hooks fire on
# all CPUs, and masksets and buffers come and go meanwhile. Nothing is counted
# through a set, and nothing recorded in a buffer, once its removal has returned.
#
# Some of the sets have an event that the others lack, so that its hook is patched
# on and off. Here nobody hits it: QEMU before 8.1 may go on with an old
# translation of code that is patched where another processor runs. patching.sh
# has one that is hit.
#
# usage: switching.sh [SWITCHES [EVENT]]

. ./functions.sh
S=/sys/module/lkst_stress/parameters
switches=${1:-100000}
event=${2:-kernel/oops}
each=$((switches / 20))	# that many in any one context

insmod /modules/lkst_stress.ko || skip "no module lkst_stress"
plan 10
for name in held0 held1; do
	put buffers/create "$name size=16K packet=4K" >/dev/null
	put masksets/create $name >/dev/null
	put masksets/$name/lkst/all record >/dev/null
	put masksets/$name/armed 1 >/dev/null
done

# try FILE TEXT: as long as it is busy.
try() {
	until echo "$2" 2>/dev/null >"$K/$1"; do
		tries=$((tries + 1))
		[ $tries -lt 10000 ] || return 1
		usleep 1000
	done
}

# Some moments in use, until the module switches away again.
current() {
	for _ in 1 2 3; do
		echo "$2" >"$K/$1/current"
		usleep 1000
	done
}

# Hits of the handler $1, all CPUs.
hits() {
	sum=0
	while read -r count; do sum=$((sum + count)); done <"$K/handlers/$1/count"
	echo "$sum"
}

# A set that counts is current for a moment, then removed: $1 is its name.
maskset_round() {
	echo "count $1.count" >"$K/handlers/create"
	echo "$1 from held0" >"$K/masksets/create"
	echo "$1.count" >"$K/masksets/$1/lkst/mark"
	echo "$1.count" >"$K/masksets/$1/$event"
	current masksets "$1"
	echo held0 >"$K/masksets/current"
	try masksets/remove "$1" || lingering="$lingering $1"
	before=$(hits "$1.count")
	usleep 5000
	after=$(hits "$1.count")
	counted=$((counted + after))
	[ "$before" = "$after" ] || late="$late $1:$before:$after"
	try handlers/remove "$1.count" || lingering="$lingering $1.count"
}

# The same with a buffer, whose files stay open.
buffer_round() {
	echo "$1 size=16K packet=4K" >"$K/buffers/create"
	exec 5<"$P/buffers/$1/cpu0" 6<"$P/buffers/$1/cpu1"
	current buffers "$1"
	echo held0 >"$K/buffers/current"
	try buffers/remove "$1" || lingering="$lingering $1"
	recorded=$((recorded + $(cat <&5 | wc -c) + $(cat <&6 | wc -c)))
	usleep 5000
	more=$(($(cat <&5 | wc -c) + $(cat <&6 | wc -c)))
	[ $more -eq 0 ] || late="$late $1:$more"
	exec 5<&- 6<&-
}

# What the module borrows whenever it finds it.
lent_make() {
	echo "lent size=16K packet=4K" >"$K/buffers/create"
	echo "lent from held1" >"$K/masksets/create"
	echo count >"$K/masksets/lent/lkst/mark"
	echo count >"$K/masksets/lent/$event"
}

lent_remove() {
	echo held0 >"$K/masksets/current"
	echo held0 >"$K/buffers/current"
	try masksets/remove lent || lingering="$lingering lent"
	try buffers/remove lent || lingering="$lingering lent"
}

# The least of what any context has switched, and the sum, into $least and $sum.
progress() {
	sum=0
	set -- 0 0 0 0
	while read -r a b c d; do
		sum=$((sum + a + b + c + d))
		set -- $(($1 + a)) $(($2 + b)) $(($3 + c)) $(($4 + d))
	done <$S/switches
	least=$1
	for a in "$@"; do [ "$a" -ge "$least" ] || least=$a; done
}

late='' lingering='' counted=0 recorded=0 rounds=0 tries=0
echo 1 >$S/change
# Not so much that a debug kernel does nothing else.
echo 50 >$S/burst
echo 400 >$S/rest
echo 400 >$S/period
put masksets/current held0 >/dev/null
put buffers/current held0 >/dev/null
pass "the load starts" sh -c "echo 1 >$S/run"
progress
while [ $rounds -lt 5 ] || [ $sum -lt "$switches" ] || [ "$least" -lt $each ]; do
	[ $rounds -lt 2000 ] || break
	rounds=$((rounds + 1))
	tries=0
	lent_make
	maskset_round "set$rounds"
	buffer_round "buffer$rounds"
	tries=0
	lent_remove
	progress
done
same "a held maskset is busy" EBUSY "$(put masksets/remove held0)"
same "a held buffer is busy" EBUSY "$(put buffers/remove held0)"
same "a held maskset stays armed" EBUSY "$(put masksets/held1/armed 0)"
echo "# $rounds rounds, switches by context:"
sed 's/^/#   /' $S/switches
pass "the load stops" sh -c "echo 0 >$S/run"
echo "# counted $counted, bytes read $recorded"
[ $sum -ge "$switches" ] && [ "$least" -ge $each ]
result $? "there were $switches switches"
same "nothing came after a removal" "" "$late"
same "everything could be removed" "" "$lingering"
[ $counted -gt 0 ] && [ $recorded -gt 0 ]
result $? "the sets and buffers that were removed had been in use"
put masksets/current default >/dev/null
put buffers/current boot >/dev/null
for name in held0 held1; do
	./follow -o $name >/tmp/follow 2>&1 &
	usleep 300000
	kill $!
	wait $! || cat /tmp/follow
done
restore
[ ! -e $K/masksets/held0 ] && [ ! -e $K/buffers/held0 ] && [ ! -e $K/buffers/lent ]
result $? "what was held could be removed"
rmmod lkst_stress
finish
