#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Cut a CPU's packets to what they were at a time.

  half.py SECONDS FROM TO

The closed packets are read from FROM, the open one from FROM.open, and written to TO
and TO.open. The clock has a tick a nanosecond, and times have 32 bits.
"""
import struct
import sys

now = int(sys.argv[1].replace('.', ''))
data = b''.join(open(sys.argv[2] + end, 'rb').read() for end in ('', '.open'))
size = struct.unpack_from('<Q', data, 72)[0] // 8
closed, current = bytearray(), b''
for start in range(0, len(data), size):
    packet = bytearray(data[start:start + size])
    begin, end, content = struct.unpack_from('<QQQ', packet, 48)
    if begin > now:
        break
    if end <= now:
        closed += packet
        continue
    at = 88
    while at < content // 8 and struct.unpack_from('<I', packet, at + 4)[0] <= now:
        at += packet[at + 2] * 8
    struct.pack_into('<QQ', packet, 56, now, at * 8)
    packet[at:] = bytes(size - at)
    current = packet
open(sys.argv[3], 'wb').write(closed)
open(sys.argv[3] + '.open', 'wb').write(current)
