#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""wound.py VMCORE PART[,PART...] COMMAND...: run COMMAND while pages of what leads
to the trace in VMCORE are zero, and put them back. Parts: descriptor, directory,
state, info (the page of the current buffer), ring (of its CPU 0), body."""
import struct
import subprocess
import sys

BUFFER, METADATA = 0x46554251, 0x4154454D


class Dump:
    def __init__(self, path):
        self.file = open(path, "r+b")
        head = self.file.read(64)
        start, count = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
        self.loads, notes = [], b""
        for i in range(count):
            self.file.seek(start + 56 * i)
            kind, _, offset, _, pa, size = struct.unpack("<IIQQQQ", self.file.read(40))
            if kind == 1:
                self.loads.append((pa, offset, size))
            elif kind == 4:
                self.file.seek(offset)
                notes += self.file.read(size)
        key = b"NUMBER(lkst_descriptor_pa)="
        self.descriptor = int(notes.split(key, 1)[1].split(b"\n", 1)[0], 16)

    def places(self, pa):
        """Where a page is: the kernel's own are there twice."""
        return [offset + pa - start for start, offset, size in self.loads
                if start <= pa < start + size]

    def read(self, pa, size=4096):
        self.file.seek(self.places(pa)[0])
        return self.file.read(size)

    def word(self, pa, offset):
        return struct.unpack_from("<Q", self.read(pa), offset)[0]

    def entry(self, kind):
        directory = self.read(self.word(self.descriptor, 152))
        for at in range(32, 4096 - 31, 32):
            valid, _, pa = struct.unpack_from("<IIQ", directory, at)
            if valid == kind:
                return pa
        sys.exit("wound: the directory has no such entry")

    def part(self, name):
        if name == "descriptor":
            return self.descriptor
        if name == "directory":
            return self.word(self.descriptor, 152)
        if name == "state":
            return self.word(self.descriptor, 160)
        if name == "info":
            return self.entry(BUFFER)
        if name == "ring":
            return self.word(self.word(self.entry(BUFFER), 80), 0)
        if name == "body":
            return self.entry(METADATA)
        sys.exit("wound: no part " + name)


dump = Dump(sys.argv[1])
places = [at for name in sys.argv[2].split(",") for at in dump.places(dump.part(name))]
saved = []
for at in places:
    dump.file.seek(at)
    saved.append((at, dump.file.read(4096)))
    dump.file.seek(at)
    dump.file.write(bytes(4096))
dump.file.flush()
code = subprocess.call(sys.argv[3:])
for at, page in saved:
    dump.file.seek(at)
    dump.file.write(page)
sys.exit(code)
