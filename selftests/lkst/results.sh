# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
# Results of a test, as KTAP: how many there were, and whether one was bad. For tests
# in a guest and tests on the host.

n=0
bad=0

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
