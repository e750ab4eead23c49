#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A maskset's list of system calls: what is not in it is not recorded, not counted,
# and fires nothing.

. ./functions.sh
plan 22

# The records of system call $1's event $2.
seen() { grep -c "syscall/$2 nr=$1 compat=0" $P/trace; }
# calls MASKSET: getppid, getpid and getuid, 7 times each, in an empty buffer.
calls() {
	put masksets/current none >/dev/null
	put buffers/boot/reset 1 >/dev/null
	put masksets/current "$1" >/dev/null
	./calls 7 110 39 102
	put masksets/current none >/dev/null
}

put masksets/create "some" >/dev/null
put masksets/some/syscall/all record >/dev/null
same "a set is about all" all "$(get masksets/some/syscalls)"
same "a built-in one stays so" "EPERM all" \
	"$(put masksets/default/syscalls getppid) $(get masksets/default/syscalls)"
same "a list" "ok getppid getuid" \
	"$(put masksets/some/syscalls "getppid getuid") $(get masksets/some/syscalls)"
same "its files name the handlers as before" "record record record" \
	"$(cd $K/masksets/some/syscall && cat enter args exit | xargs)"
calls some
same "what is listed is recorded" "7 7 7" "$(seen 110 enter) $(seen 110 args) $(seen 110 exit)"
same "all that is listed" "7 7" "$(seen 102 enter) $(seen 102 exit)"
same "what is not listed is not" "0 0 0" "$(seen 39 enter) $(seen 39 args) $(seen 39 exit)"
same "and nothing else" 42 "$(grep -c " syscall/" $P/trace)"

same "one that is not there" "ENOENT getppid getuid" \
	"$(put masksets/some/syscalls "getppid nosuchcall") $(get masksets/some/syscalls)"
same "the log names it" 1 "$(dmesg | grep -c "lkst: there is no system call nosuchcall$")"
same "a copy has the list" "ok getppid getuid" \
	"$(put masksets/create "copy from some") $(get masksets/copy/syscalls)"
same "another list for the copy" "ok getpid" \
	"$(put masksets/copy/syscalls getpid) $(get masksets/copy/syscalls)"
calls copy
same "each set has its own" "0 7 0" "$(seen 110 enter) $(seen 39 enter) $(seen 102 enter)"

put handlers/create "count few" >/dev/null
same "a handler of one's own" "ok few" \
	"$(put masksets/copy/syscall/enter few) $(get masksets/copy/syscall/enter)"
put masksets/copy/syscall/args none >/dev/null
calls copy
same "counts what is listed" 7 "$(awk '{ n += $1 } END { print n }' $K/handlers/few/count)"
same "the other events go on" "0 0 7" "$(seen 39 enter) $(seen 39 args) $(seen 39 exit)"
same "it is in use" EBUSY "$(put handlers/remove few)"

put handlers/create "trigger once" >/dev/null
put handlers/once/action "handler none" >/dev/null
put masksets/copy/syscall/enter once >/dev/null
calls copy
same "a trigger sees what is listed, and can change the set" "1 none" \
	"$(get handlers/once/seen) $(get masksets/copy/syscall/enter)"

same "all again" "ok all" "$(put masksets/copy/syscalls all) $(get masksets/copy/syscalls)"
put masksets/copy/syscall/enter record >/dev/null
calls copy
same "all is recorded" "7 7 7" "$(seen 110 enter) $(seen 39 enter) $(seen 102 enter)"

# The list changes while triggers change what it hands on to.
for t in ping pong; do
	put handlers/create "trigger $t" >/dev/null
	put handlers/$t/then none >/dev/null
done
put handlers/ping/action "handler pong" >/dev/null
put handlers/pong/action "handler ping" >/dev/null
put masksets/copy/syscall/enter ping >/dev/null
put masksets/current copy >/dev/null
./calls 1000000000 110 &
for _ in 1 2 3 4 5 6 7 8 9 10; do
	for list in all getppid all "getppid getuid" getuid getppid; do
		put masksets/copy/syscalls "$list" >/dev/null
	done
done
kill $!
wait $!
same "one of two that take turns is there" 1 \
	"$(get masksets/copy/syscall/enter | grep -c '^p[io]ng$')"
for t in ping pong; do put handlers/$t/fired 0 >/dev/null; done
./calls 10 110 39
put masksets/current none >/dev/null
same "and fires for what is listed" 10 \
	"$(($(get handlers/ping/fired) + $(get handlers/pong/fired)))"
finish
