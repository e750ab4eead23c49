#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Make a dump that was made up to do harm.

  evil.py KIND FILE    KIND is one of the functions below
"""
import struct
import sys
import zlib

PAGE = 4096
BASE = 0x100000
BUFFER, METADATA, TASKS = 0x46554251, 0x4154454d, 0x4b534154
BOOT = bytes(range(16))


class Dump:
    """Memory from BASE on."""

    def __init__(self, pages):
        self.memory = bytearray(pages * PAGE)
        self.used = BASE

    def take(self, pages=1):
        at = self.used
        self.used += pages * PAGE
        return at

    def put(self, at, data):
        self.memory[at - BASE:at - BASE + len(data)] = data

    def descriptor(self, directory, current=0):
        """Returns the line of vmcoreinfo that leads to it."""
        at, state = self.take(), self.take()
        data = struct.pack('<16sIIQ16sQII24s64sQQ', b'\211LKST\r\n\032\3State\n', 1, 176, at,
                           BOOT, 1700000000 * 10**9, PAGE, 4, b'', b'6.12', directory, state)
        self.put(at, data + struct.pack('<II', zlib.crc32(data), 0))
        self.put(state, struct.pack('<IIQQQQQQ', 1, 1, 10**9, 0, 0, 10**18, current, 0))
        return f'NUMBER(lkst_descriptor_pa)={at}\n'

    def directory(self, at, following, entries):
        """Each a kind, an address and a size."""
        self.put(at, struct.pack('<QQQQ', 0x594444545a534b4c, at, following, 0) +
                 b''.join(struct.pack('<IIQQQ', kind, 0, pa, size, 0)
                          for kind, pa, size in entries))

    def write(self, path, info='', loads=1, notes=1):
        note = struct.pack('<III', 11, len(info), 0) + b'VMCOREINFO\0\0' + info.encode()
        note = note if info else b''
        start = -(-(64 + 56 * (loads + notes)) // PAGE) * PAGE
        memory = start + -(-(len(note) + 1) // PAGE) * PAGE
        with open(path, 'wb') as f:
            f.write(struct.pack('<16sHHIQQQIHHHHHH', b'\x7fELF\2\1\1', 4, 62, 1, 0, 64, 0, 0,
                                64, 56, loads + notes, 0, 0, 0))
            for _ in range(notes):
                f.write(struct.pack('<IIQQQQQQ', 4, 0, start, 0, 0, len(note), 0, 0))
            for i in range(loads):
                f.write(struct.pack('<IIQQQQQQ', 1, 7, memory, 0, BASE + i * len(self.memory),
                                    len(self.memory), len(self.memory), 0))
            f.write(b''.ljust(start - f.tell(), b'\0') + note)
            f.write(b''.ljust(memory - f.tell(), b'\0') + self.memory)


def cycle(path):
    """A page of a directory that comes after itself."""
    d = Dump(16)
    at = d.take()
    d.directory(at, at, [(0x1234, 0, 0)] * 127)
    d.write(path, d.descriptor(at))


def comb(path):
    """No descriptor, and many directories that lead to one."""
    d = Dump(4096)
    at = [d.take() for _ in range(4096)]
    for i, pa in enumerate(at):
        following = at[max(i + 1, 2048)] if i < 4095 else 0
        d.directory(pa, following, [(TASKS, BASE, 32)] * 127)
    d.write(path)


globals()[sys.argv[1]](sys.argv[2])
