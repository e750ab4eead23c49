#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: time=900
# The same switches, with a hook patched on and off that every context switch
# hits.

exec ./switching.sh 20000 sched/switch
