#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts: what a program does N times is N records, with the right values.

. ./functions.sh
./counts
code=$?
restore
exit $code
