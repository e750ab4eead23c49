#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run by make check: KUnit's suite, the corpus, random conditions against the
# oracle, and random texts, with sanitizers. Prints KTAP.
#
# usage: check.sh [-f]

set -eu
conditions=300000 texts=300000
[ "${1:-}" != -f ] || conditions=5000000 texts=5000000

n=0 bad=0
# test_that NAME COMMAND...: it passes when COMMAND exits with 0.
test_that() {
	name=$1 code=0
	shift
	"$@" 2>&1 </dev/null || code=$?
	n=$((n + 1))
	if [ $code -eq 0 ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		bad=1
	fi
}

below() {
	"$@" >"$O/output" || { sed 's/^/    /' "$O/output"; return 1; }
	sed 's/^/    /' "$O/output"
}

echo "KTAP version 1"
echo "1..4"
test_that "KUnit's suite, ASan and UBSan" below "$O/kunit"
test_that "corpus, ASan and UBSan" "$O/check-asan" corpus corpus/*.txt
test_that "conditions against the oracle" "$O/check" compare $conditions
test_that "fuzz, ASan and UBSan" "$O/check-asan" fuzz $texts 1 corpus/*.txt
exit $bad
