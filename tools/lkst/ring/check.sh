#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run by make check: the explorer on the ring as it is, then on each MUTANT,
# which it must find wrong, then the stress tests. Prints KTAP.
#
# usage: check.sh [-f] MUTANT...

set -eu
deep='' random=100000 hits=300000
if [ "${1:-}" = -f ]; then
	deep=-f random=3000000 hits=5000000
	shift
fi

n=0 bad=0
# result CODE NAME
result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		bad=1
	fi
}

# test NAME COMMAND...: it passes when COMMAND exits with 0.
test_that() {
	name=$1 code=0
	shift
	"$@" 2>&1 </dev/null || code=$?
	result $code "$name"
}

# The first schedule of a mutant that shows what is wrong, if there is one.
find_mutant() {
	$MAKE -s "$O/mutant/$1/explore" O="$O" >"$O/mutant.log" 2>&1 || {
		sed 's/^/# /' "$O/mutant.log"
		return 1
	}
	found=0
	"$O/mutant/$1/explore" -n 20000 random reader one >"$O/mutant.log" 2>&1 || found=$?
	grep -v -E '^#  |^# [a-z]*: .* schedules' "$O/mutant.log" | head -n 1
	[ "$found" -eq 1 ]
}

echo "KTAP version 1"
echo "1..$((10 + $#))"
for group in one two three reader random; do
	test_that "explore: $group" "$O/explore" $deep -n $random $group
done
for mutant; do
	test_that "finds the mutant $mutant" find_mutant "$mutant"
done
for mode in discard overwrite; do
	test_that "stress: $mode" "$O/stress" $mode $hits
	test_that "stress, ASan and UBSan: $mode" "$O/stress-asan" $mode $hits
done
export TSAN_OPTIONS=halt_on_error=1
# It wants its memory where the kernel may have put something at random.
test_that "stress, ThreadSanitizer: discard" setarch -R "$O/stress-tsan" discard $hits
exit $bad
