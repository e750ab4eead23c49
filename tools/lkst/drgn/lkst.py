#!/usr/bin/env drgn
# SPDX-License-Identifier: GPL-2.0
"""The lkst command on the memory that drgn has open, without debugging symbols:

    drgn -c vmcore lkst.py status
    drgn -c vmcore lkst.py print [OPTION...]
    drgn -c vmcore lkst.py save [OPTION...] DIR

What leads to the trace, and the trace, are read by physical address, and lkst gets a
small dump that holds nothing else. LKST= says where lkst is, if not in PATH.
"""
import os
import struct
import subprocess
import sys
import tempfile

from drgn import FaultError

PAGE = 4096
CHUNK = 1 << 20
KERNEL_MAP = 0xffffffff80000000
KERNEL_SIZE = 64 << 20
NOTE_BEGIN = b"VMCOREINFO\0\0OSRELEASE="

# Of include/uapi/linux/lkst.h: what lkst_dirent.valid says, and where members are.
BUFFER, METADATA, TASKS = 0x46554251, 0x4154454D, 0x4B534154
DESCRIPTOR_DIRECTORY = 152
DIRECTORY_NEXT, DIRECTORY_ENTRY, DIRENT = 16, 32, struct.Struct("<IIQQQ")
BUFFER_TABLE, BUFFER_TABLES = 80, 16
RING_PACKETS, RING_TABLE = 144, 256
TABLE = struct.Struct("<512Q")
# More than any kernel has; a damaged dump can say anything.
DIRECTORIES_MAX, READ_MAX = 4096, 32 << 20


class Cut:
    """Pages of the memory of a program: those that were read."""

    def __init__(self, program):
        self.program = program
        self.pages = {}

    def read(self, pa, size=PAGE):
        """What there is from an address on: zeros for what there is not."""
        data = []
        for page in range(pa & -PAGE, pa + size, PAGE):
            if page not in self.pages:
                try:
                    self.pages[page] = self.program.read(page, PAGE, True)
                except FaultError:
                    pass
            data.append(self.pages.get(page, bytes(PAGE)))
        return b"".join(data)[pa % PAGE:][:size]

    def word(self, pa):
        return struct.unpack("<Q", self.read(pa, 8))[0]

    def add_ring(self, pa):
        packets, size = struct.unpack("<II", self.read(pa + RING_PACKETS, 8))
        for i in range(min(packets, 440 * 512)):
            table = self.word(pa + RING_TABLE + i // 512 * 8)
            self.read(self.word(table + i % 512 * 8), min(size, 1 << 18))

    def add_buffer(self, pa):
        for at in range(BUFFER_TABLES):
            table = self.word(pa + BUFFER_TABLE + at * 8)
            for ring in TABLE.unpack(self.read(table)) if table else ():
                if ring:
                    self.add_ring(ring)

    def add_trace(self, descriptor):
        """The descriptor leads to the directory, and that to all else."""
        directory = self.word(descriptor + DESCRIPTOR_DIRECTORY)
        self.word(self.word(descriptor + DESCRIPTOR_DIRECTORY + 8))    # the state
        seen = set()
        while directory and directory not in seen and len(seen) < DIRECTORIES_MAX:
            seen.add(directory)
            for entry in DIRENT.iter_unpack(self.read(directory)[DIRECTORY_ENTRY:]):
                if entry[0] == BUFFER:
                    self.add_buffer(entry[2])
                elif entry[0] in (METADATA, TASKS):
                    self.read(entry[2], min(entry[3], READ_MAX))
            directory = self.word(directory + DIRECTORY_NEXT)

    def segments(self):
        """Pages that follow one another, together."""
        start, data = None, []
        for pa in sorted(self.pages):
            if start is not None and pa != start + len(data) * PAGE:
                yield start, b"".join(data)
                start, data = None, []
            start = pa if start is None else start
            data.append(self.pages[pa])
        if data:
            yield start, b"".join(data)

    def write(self, file, vmcoreinfo):
        """As an ELF core file, which is what lkst reads."""
        note = struct.pack("<III12s", 11, len(vmcoreinfo), 0, b"VMCOREINFO") + vmcoreinfo
        parts = [(4, 0, note)] + [(1, pa, data) for pa, data in self.segments()]
        at = 64 + 56 * len(parts)
        file.write(struct.pack("<4sBBB9xHHIQQQIHHHHHH", b"\177ELF", 2, 1, 1, 4, 62, 1, 0,
                               64, 0, 0, 64, 56, len(parts), 0, 0, 0))
        for kind, pa, data in parts:
            file.write(struct.pack("<IIQQQQQQ", kind, 0, at, 0, pa, len(data), len(data), 0))
            at += len(data)
        for _, _, data in parts:
            file.write(data)
        file.flush()


def scan_vmcoreinfo(program):
    """The note that the kernel has in memory, at the begin of a page; in the first TiB."""
    for start in range(0, 1 << 40, CHUNK):
        try:
            chunk = program.read(start, CHUNK, True)
        except FaultError:
            chunk = b""
            for page in range(start, start + CHUNK, PAGE):
                try:
                    chunk += program.read(page, PAGE, True)
                except FaultError:
                    chunk += bytes(PAGE)
        for page in range(0, CHUNK, PAGE):
            if chunk.startswith(NOTE_BEGIN, page + 12):
                text = program.read(start + page + 24, 2 * PAGE - 24, True)
                return text[:text.index(b"\0")]
    sys.exit("lkst.py: there is no vmcoreinfo in memory")


def vmcoreinfo_of(program):
    try:
        return program["VMCOREINFO"].string_()      # drgn 0.0.24 and later have it
    except KeyError:
        return scan_vmcoreinfo(program)


def cut(program, file):
    """Write a dump with nothing but the trace, and what gives it names."""
    vmcoreinfo = vmcoreinfo_of(program)
    value = dict(line.split("=", 1) for line in vmcoreinfo.decode().splitlines())
    if "NUMBER(lkst_descriptor_pa)" not in value:
        sys.exit("lkst.py: the kernel has no LKST")
    pages = Cut(program)
    pages.add_trace(int(value["NUMBER(lkst_descriptor_pa)"], 0))
    # Names of functions, and the log, are in the kernel's image.
    text = int(value["SYMBOL(_stext)"], 16) - KERNEL_MAP + int(value["NUMBER(phys_base)"])
    pages.read(text, KERNEL_SIZE)
    pages.write(file, vmcoreinfo)


def main(program, command, *arguments):
    arguments = list(arguments)
    if command == "save":
        command = "extract"
        arguments.insert(-1, "-o")
    with tempfile.NamedTemporaryFile(prefix="lkst-") as file:
        cut(program, file)
        lkst = [os.environ.get("LKST", "lkst"), command, file.name] + arguments
        try:
            return subprocess.run(lkst, check=False).returncode
        except OSError as e:
            return f"lkst.py: {lkst[0]}: {e.strerror} (LKST= says where it is)"


if sys.argv[1:2] not in (["status"], ["print"], ["save"]) or sys.argv[1:] == ["save"]:
    sys.exit(__doc__)
sys.exit(main(prog, *sys.argv[1:]))     # noqa: F821, drgn gives it
