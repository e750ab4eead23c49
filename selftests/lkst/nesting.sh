#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: parallel monitor time=600 append="lkst=none"
# The same accounts where interrupts and NMIs come between any two instructions,
# not only between QEMU's translation blocks.

# hmp COMMAND: of QEMU's monitor.
hmp() {
	echo "{\"execute\": \"human-monitor-command\",
		\"arguments\": {\"command-line\": \"$1\"}}" >/dev/monitor
}

[ -e /dev/monitor ] || {
	echo "1..0 # SKIP no QEMU monitor"
	exit 4
}
# The first is how QEMU before 8.1 names it; the other one is an error there.
hmp "singlestep on"
hmp "one-insn-per-tb on"
./accounting.sh 20 700
code=$?
hmp "singlestep off"
hmp "one-insn-per-tb off"
exit $code
