#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts of marks, messages, modules, locks and power: what is done N times is N
# records, with the right values.

. ./functions.sh
./counts-kernel
code=$?
restore
exit $code
