#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Put packets of a CPU's file together anew.

  packets.py FILE PACKET...    to standard output

A PACKET is its place in the file from 0 on; with :N behind it as it was when it was
open and had N records, and with /N with its record N damaged.
"""
import struct
import sys

HEAD = 88


def u64(data, at):
    return struct.unpack_from('<Q', data, at)[0]


def record(packet, number):
    """Where that record lies, and the time of the one before it."""
    at, time = HEAD, u64(packet, 48)
    for _ in range(number):
        header = u64(packet, at)
        time += (header >> 32) - time & 0xffffffff
        at += (header >> 16 & 0xff) * 8
    return at, time


def main():
    data = open(sys.argv[1], 'rb').read()
    size = u64(data, 72) // 8
    for what in sys.argv[2:]:
        index = int(what.split('/')[0].split(':')[0])
        packet = bytearray(data[index * size:(index + 1) * size])
        if ':' in what:
            number = int(what.split(':')[1])
            at, time = record(packet, number)
            struct.pack_into('<I', packet, 24 + 4, number)
            struct.pack_into('<QQ', packet, 56, time, at * 8)
            packet[at:] = bytes(size - at)
        elif '/' in what:
            packet[record(packet, int(what.split('/')[1]))[0] + 3] = 0
        sys.stdout.buffer.write(packet)


main()
