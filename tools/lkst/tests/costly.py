#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Make a dump that is small, or has holes, and takes a careless reader much time or memory.

  costly.py NAME FILE
  costly.py NAME FORM FILE METADATA

Of the first it is the form that costs. The second have something in memory that does,
in the form "elf" or "kdump"; METADATA is a file with that of a trace.
"""
import os
import random
import struct
import sys
import zlib

PAGE = 4096
MIB = 1 << 20
PB = 1 << 50
MANY = 1000000


# Forms.

def elf_header(n):
    """With @n headers of segments, of which many follow a section header."""
    h = b'\177ELF\2\1\1'.ljust(16, b'\0')
    if n < 65535:
        return h + struct.pack('<HHIQQQIHHHHHH', 4, 62, 1, 0, 64, 0, 0, 64, 56, n, 0, 0, 0)
    return (h + struct.pack('<HHIQQQIHHHHHH', 4, 62, 1, 0, 128, 64, 0, 64, 56, 65535, 64, 1, 0) +
            struct.pack('<IIQQQQIIQQ', 0, 0, 0, 0, 0, 0, 0, n, 0, 0))


def segment(kind, pa, offset, size, memory=None):
    return struct.pack('<IIQQQQQQ', kind, 0, offset, 0, pa, size, memory or size, 0)


def elf_segments(f):
    """A million, in no order, of the same page."""
    order = list(range(MANY))
    random.Random(1).shuffle(order)
    f.write(elf_header(MANY))
    end = 128 + 56 * MANY
    f.write(b''.join(segment(1, i * 3 * PAGE, end, PAGE, 2 * PAGE) for i in order))
    f.write(bytes(PAGE))


def elf_petabytes(f):
    """In a file of terabytes, of which only one has something in it."""
    f.write(elf_header(4) + b''.join(segment(1, i * PB, MIB, PB) for i in range(4)))
    f.seek(MIB)
    f.write(b'x' * MIB)
    f.truncate(4 << 40)


def elf_notes(f, n=65000):
    """As many segments of the same empty notes."""
    f.write(elf_header(n) + segment(4, 0, 8 * MIB, MIB) * (n - 1) + segment(1, 0, 8 * MIB, MIB))
    f.seek(8 * MIB)
    f.write(bytes(MIB))


def kdump_headers(f, block, bitmap_blocks, pages, info=b''):
    f.write(b'KDUMP   ' + struct.pack('<i', 6) + b'Linux'.ljust(65, b'\0') * 6)
    f.seek(408)
    f.write(struct.pack('<QQIiiII', 0, 0, 0, block, 1, bitmap_blocks, pages & 0xffffffff))
    f.seek(block)
    f.write(struct.pack('<QiiQQQQQQQQQQQ', 0, 31, 0, 0, 0, PAGE + 1024, len(info), 0, 0, 0, 0,
                        0, 0, pages))
    f.seek(block + 1024)
    f.write(info)


def kdump_pages(f, block, n):
    """All of @n pages are there; their descriptors come next."""
    size = -(-n // (block * 8)) * block
    kdump_headers(f, block, 2 * size // block, n)
    f.seek(2 * block + size)
    f.write((b'\xff' * (n // 8)).ljust(size, b'\0'))


def kdump_petabytes(f):
    kdump_headers(f, 65536, 0xffffffff, PB)
    f.truncate(4 << 40)


def kdump_no_descs(f):
    kdump_pages(f, PAGE, 32 * MIB * 8)
    f.write(b'x')


def kdump_hole(f):
    """Descriptors that take no room."""
    kdump_pages(f, PAGE, 8 * MIB * 8)
    f.truncate(f.tell() + 8 * MIB * 8 * 24)


def kdump_bombs(f, n=40000, block=65536):
    """Two pages in turn, which take 100 bytes."""
    page = [zlib.compress(bytes([i]) * block, 9) for i in (0, 1)]
    kdump_pages(f, block, n)
    at = f.tell() + 24 * n
    f.write(b''.join(struct.pack('<QIIQ', at + (i & 1) * 200, len(page[i & 1]), 1, 0)
                     for i in range(n)))
    for p in page:
        f.write(p.ljust(200))


def kdump_expand(f, flag, packed, n=20000):
    """A page that would become much larger than one."""
    kdump_pages(f, PAGE, n)
    f.write(struct.pack('<QIIQ', f.tell() + 24 * n, len(packed), flag, 0) * n + packed)


def kdump_zlib(f):
    kdump_expand(f, 1, zlib.compress(bytes(3 * MIB), 9)[:PAGE])


def kdump_lzo(f):
    kdump_expand(f, 2, b'\x12\0\x20' + bytes(4000))


def kdump_snappy(f):
    kdump_expand(f, 4, b'\xff\xff\xff\xff\x0f\0a' + b'\xfe\1\0' * 1300)


def kdump_zstd(f):
    """A frame that says that it is of an exabyte, in runs of 128 KiB."""
    run = struct.pack('<I', 131072 << 3 | 2)[:3] + b'\0'
    kdump_expand(f, 0x20, b'\x28\xb5\x2f\xfd\xe0' + struct.pack('<Q', 1 << 60) + run * 1000)


def lkcd(f, pages):
    """Each of these pages has the one byte 1, which is none that RLE makes of a page."""
    f.write(struct.pack('<QIIII', 0xa8190173618f23ed, 10, 742, 8, PAGE))
    f.seek(48)
    f.write(struct.pack('<I', 1))
    f.seek(722)
    f.write(struct.pack('<IIIQ', 1, 0, 0, 65536))
    f.seek(65536)
    some = 65536
    for i in range(0, len(pages), some):
        part = pages[i:i + some]
        values = [x for n in part for x in (n * PAGE, 1, 2, 1)]
        f.write(struct.pack('<' + 'QIIB' * len(part), *values))
    f.write(struct.pack('<QII', 0, 0, 4))


def lkcd_pages(f):
    """As many as there is room for, the last one first."""
    lkcd(f, range((8 << 20) - 1, -1, -1))


def migration(f, size, pages):
    """Pages of zeros, each one byte, in the block that is the memory."""
    f.write(b'QEVM' + struct.pack('>IBI', 3, 1, 2) + b'\3ram' + struct.pack('>II', 0, 4))
    f.write(struct.pack('>Q', size | 4) + b'\6pc.ram' + struct.pack('>QQ', size, 0x10))
    f.write(b'\x7e' + struct.pack('>IBI', 2, 2, 2))
    f.write(struct.pack('>Q', 8) + b'\6pc.ram' + bytes(PAGE))
    f.write(struct.pack('>Q', 0x20 | 8) + bytes(PAGE))
    some = 65536
    for i in range(0, len(pages), some):
        part = pages[i:i + some]
        values = [x for n in part for x in (n * PAGE | 0x22, 0)]
        f.write(struct.pack('>' + 'QB' * len(part), *values))
    f.write(struct.pack('>Q', 0x10) + b'\x7e' + struct.pack('>IBIQ', 2, 3, 2, 0x10))


def migration_pages(f):
    migration(f, PB, range(9 << 20, 0, -1))


def migration_petabytes(f):
    migration(f, 1000 * PB, [])


def flat(f, pieces):
    f.write(b'makedumpfile'.ljust(16, b'\0') + struct.pack('>QQ', 1, 1))
    f.seek(PAGE)
    f.write(b''.join(struct.pack('>QQ', at, len(what)) + what for at, what in pieces))
    f.write(b'\xff' * 16)


def flat_pieces(f, n=500000):
    """A later one in the middle of each."""
    flat(f, [(i * 64, b'\177ELF'.ljust(32)) for i in range(n)] +
         [(i * 64 + 8, b'1234') for i in range(n)])


def flat_shuffled(f):
    flat(f, ((i * 7919 % MANY * 3, b'\177ELF') for i in range(MANY)))


def flat_too_many(f):
    flat(f, ((i * 8, b'\177ELF') for i in range(MANY + 1)))


def flat_petabytes(f):
    flat(f, ((i * PB, b'\177ELF'.ljust(32)) for i in range(1000)))


def raw_sparse(f):
    for i in range(20000):
        f.seek(i * 64 * MIB)
        f.write(b'x')


def raw_hole(f):
    f.truncate(4 << 40)


# Memory, with what leads to a trace.

BOOT = bytes(range(0x10, 0x1c))
UUID = BOOT + struct.pack('<I', 1)
BUFFER, METADATA, TASKS = 0x46554251, 0x4154454d, 0x4b534154
HEAD = BODY = b''


def split_metadata(path):
    global HEAD, BODY
    with open(path, 'rb') as f:
        text = f.read()
    at = text.index(b'/* LKST metadata')
    HEAD, BODY = text[:at], text[at:]


class Memory:
    def __init__(self):
        self.page = {}
        self.end = MIB

    def take(self, pages=1, align=PAGE):
        pa = -(-self.end // align) * align
        self.end = pa + pages * PAGE
        return pa

    def put(self, pa, data):
        """Return: @pa."""
        for at in range(0, len(data), PAGE):
            part = data[at:at + PAGE]
            self.page.setdefault((pa + at) // PAGE, bytearray(PAGE))[:len(part)] = part
        return pa

    def add(self, data):
        return self.put(self.take(-(-len(data) // PAGE)), data)

    def table(self, addresses):
        """Return: addresses of pages with those of others."""
        return [self.add(struct.pack(f'<{len(part)}Q', *part)) for part in
                (addresses[i:i + 512] for i in range(0, len(addresses), 512))]

    def write_elf(self, f, info):
        size = self.end
        note = struct.pack('<III', 11, len(info), 0) + b'VMCOREINFO\0\0' + info
        f.write(elf_header(2) + segment(4, 0, PAGE, len(note)) + segment(1, 0, 65536, size))
        f.seek(PAGE)
        f.write(note)
        for n, data in self.page.items():
            f.seek(65536 + n * PAGE)
            f.write(data)
        f.truncate(65536 + size)

    def write_kdump(self, f, info):
        pages, top = sorted(self.page), self.end // PAGE
        size = -(-top // (PAGE * 8)) * PAGE
        kdump_headers(f, PAGE, 2 * size // PAGE, top, info)
        bits = bytearray(size)
        for n in pages:
            bits[n // 8] |= 1 << n % 8
        f.seek(2 * PAGE + size)
        f.write(bits)
        packed = [zlib.compress(bytes(self.page[n]), 1) for n in pages]
        at = f.tell() + 24 * len(pages)
        for p in packed:
            f.write(struct.pack('<QIIQ', at, len(p), 1, 0))
            at += len(p)
        f.write(b''.join(packed))


def packet(cpu, seq, size=PAGE):
    return struct.pack('<I16sIIIQIIQQQQQ', 0xc1fc1fc1, UUID, 0, 0xffffffff, 0, seq, cpu, 0,
                       seq * 10, seq * 10 + 9, 88 * 8, size * 8, 0)


def ring(cpu, places, size, tables, current):
    r = bytearray(PAGE)
    struct.pack_into('<Q', r, 0, current << 32 | 11 << 16)
    struct.pack_into('<QQ', r, 80, current, max(0, current + 1 - places))
    struct.pack_into('<QIIII16s', r, 128, 0x474e4952, cpu, 0, places, size, UUID)
    struct.pack_into(f'<{len(tables)}Q', r, 256, *tables)
    return bytes(r)


def buffer_info(rings=0, size=PAGE, places=4, tables=(), uuid=UUID, head=None):
    b = bytearray(PAGE)
    head = HEAD if head is None else head
    struct.pack_into('<Q32s16sIIIII', b, 0, 0x464655425453, b'boot', uuid, 0, rings, size, places,
                     len(head))
    struct.pack_into(f'<{len(tables)}Q', b, 80, *tables)
    b[208:208 + len(head)] = head
    return bytes(b)


def directory(pa, after, entries):
    return struct.pack('<QQQQ', 0x594444545a534b4c, pa, after, 0) + b''.join(
        struct.pack('<IIQQQ', kind, 0, at, size, index)
        for index, (kind, at, size) in enumerate(entries))


def descriptor(m, first, state=0):
    """Return: a line of vmcoreinfo."""
    pa = m.take()
    d = b'\211LKST\r\n\032\3State\n'.ljust(16, b'\0') + struct.pack(
        '<IIQ16sQII24s64sQQ', 1, 176, pa, BOOT, 1 << 60, PAGE, 8192, b'', b'6.12', first, state)
    m.put(pa, d + struct.pack('<II', zlib.crc32(d), 0))
    return b'OSRELEASE=6.12\nNUMBER(lkst_descriptor_pa)=0x%x\n' % pa


def trace(m, info, entries=()):
    """All that leads to a buffer. Return: lines of vmcoreinfo."""
    buffer, first = m.add(info), m.take()
    m.put(first, directory(first, 0, [(METADATA, m.add(BODY), len(BODY)),
                                      (BUFFER, buffer, PAGE), *entries]))
    state = m.add(struct.pack('<IIQQQQQ', 1, 1, 10 ** 9, 0, 0, 0, buffer))
    return descriptor(m, first, state)


def small_trace(m, entries=()):
    packets = m.table([m.add(packet(0, i)) for i in range(4)])
    rings = m.table([m.add(ring(0, 4, PAGE, packets, 1))])
    return trace(m, buffer_info(1, tables=rings), entries)


def directories(m):
    """Two thousand begins of the same long chain."""
    entries = [(BUFFER, m.add(b'no buffer'), PAGE)] * 127
    chain = [m.take() for _ in range(2000)]
    for pa, after in zip(chain, chain[1:] + [0]):
        m.put(pa, directory(pa, after, entries))
    for _ in range(2000):
        pa = m.take()
        m.put(pa, directory(pa, chain[0], entries))
    return b''


def uuids(m):
    """Buffers that have two, of which packets are to tell the right one."""
    for i in range(100000):
        m.add(packet(i % 8, i // 8))
    buffers = [m.add(buffer_info(uuid=BOOT + struct.pack('<I', i), head=HEAD.replace(
        b'01000000', b'%08x' % (i + MANY)))) for i in range(127)]
    pages = [m.take() for _ in range(250)]
    for pa, after in zip(pages, pages[1:] + [0]):
        m.put(pa, directory(pa, after, [(BUFFER, b, PAGE) for b in buffers]))
    return b''


def cpus(m):
    """Packets that no ring leads to, of 8192 CPUs."""
    m.add(BODY)
    for i in range(200000):
        m.add(packet(i * 5003 % 8192, i // 8192))
    return b''


def rings(m):
    """Of a hundred million places, which are all the same, in a file of terabytes."""
    places = m.table([m.take()] * 512) * 256
    all_rings = [m.add(ring(i, 131072, PAGE, places, 131071)) for i in range(1000)]
    info = trace(m, buffer_info(1000, PAGE, 131072, m.table(all_rings)))
    m.end = 4 << 40
    return info


def bodies(m):
    """Begins of metadata that has no end."""
    for _ in range(4096):
        m.add(b'/* LKST metadata 1, boot 101112131415161718191a1b */'.ljust(PAGE))
    m.add(packet(0, 0))
    return b''


def tasks(m):
    n = 1 << 20
    table = m.add(b''.join(struct.pack('<iiII16s', i + 1, i + 1, 1, 0, b'\x1b' * 15)
                           for i in range(n)))
    return small_trace(m, [(TASKS, table, n * 32)])


def readers(m):
    """Six hundred CPUs with a packet of 256 KiB each, in which there is not much."""
    all_rings = []
    for i in range(600):
        pa = m.put(m.take(64, 262144), packet(i, 0, 262144))
        all_rings.append(m.add(ring(i, 4, 262144, m.table([pa]), 0)))
    return trace(m, buffer_info(600, 262144, 4, m.table(all_rings)))


def main():
    name, path = sys.argv[1], sys.argv[2 if len(sys.argv) == 3 else 3]
    with open(path, 'wb') as f:
        if len(sys.argv) == 3:
            globals()[name](f)
            return
        split_metadata(sys.argv[4])
        m = Memory()
        info = globals()[name](m)
        (m.write_kdump if sys.argv[2] == 'kdump' else m.write_elf)(f, info)


main()
