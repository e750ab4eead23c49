#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A condition that is wrong changes nothing, and the kernel's log says where it is.

. ./functions.sh
plan 20

right="a == 1 && (b != 0x2 || current.tid == -1)"
trigger t match "$right"
# wrong ERROR CHARACTER WHAT CONDITION
wrong() {
	dmesg -c >/dev/null
	same "$4" "$1, match: character $2: $3, $right" \
		"$(put handlers/t/match "$4"), $(logged), $(get handlers/t/match)"
}
wrong EINVAL 1 "expected a comparison" "== 1"
wrong EINVAL 3 "expected == != < <= > >= & or ^=" "a = 1"
wrong EINVAL 5 "expected a number or a text in quotes" "a =="
wrong EINVAL 6 "expected a number or a text in quotes" "a == b"
wrong EINVAL 10 "expected a comparison" "a == 1 &&"
wrong EINVAL 8 "expected && or ||" "a == 1 & b == 1"
wrong EINVAL 8 "nothing opens what this closes" "a == 1 ) || b == 1"
wrong EINVAL 11 "nothing closes what this opens" "a == 1 && (b == 1"
wrong EINVAL 6 "the text does not end" 'a == "1'
wrong EINVAL 3 "^= compares a text" "a ^= 1"
wrong EINVAL 14 "a text is compared by == != or ^=" 'current.comm & "sh"'
wrong EINVAL 6 "a decimal does not begin with 0" "a == 017"
wrong EINVAL 8 "expected a digit" "a == 0xg"
wrong ERANGE 6 "the number is beyond 64 bits" "a == 18446744073709551616"
wrong ERANGE 16 "the number is beyond 64 bits" "b == 2 || b == -9223372036854775809"
wrong ENOENT 11 "there is no such field" "a == 1 && nothing == 2"
wrong ENOENT 11 "no event has this field and those before it" "a == 1 && len == 2"
wrong EINVAL 3 "the field is no array" "a[0] == 1"
wrong ERANGE 5 "the array ends before this" "arg[6] == 1"
# On one line with others: what is wrong comes after what is right.
wrong EINVAL 2047 "expected && or ||" "a == 1$(head -c 2040 /dev/zero | tr '\0' ' ')b"
finish
