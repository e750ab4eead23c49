#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What ftrace saw at the same time, record by record.
#
# guest: disk

. ./functions.sh
./witness
code=$?
restore
exit $code
