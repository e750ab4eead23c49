#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Known counts of packets, sockets, IPC, futexes and pipes: what is done N times is N
# records, with the right values.

. ./functions.sh
./counts-net
code=$?
restore
exit $code
