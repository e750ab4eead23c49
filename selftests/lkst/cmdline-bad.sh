#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest: append="lkst=bogus lkst.size=3K lkst.packet=5000 lkst.tasks=1 lkst.persist=nothing"
# What the command line asks for and cannot be had: the log says so, and the
# defaults are taken.

. ./functions.sh
plan 5

log() { dmesg | grep -c "lkst: .*$1"; }

same "the maskset" "default 1" "$(get masksets/current) $(get enabled)"
same "the log says so" 1 "$(log bogus)"
same "the buffer" "4194304 65536" "$(get buffers/boot/size) $(get buffers/boot/packet)"
same "the log says so" 1 "$(log "size=3K lkst.packet=5000 cannot be had")"
same "and of memory that nobody reserved" 1 "$(log "persist=nothing: no memory is reserved")"
finish
