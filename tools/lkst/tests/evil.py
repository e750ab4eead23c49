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

    def write(self, path, info=b'', loads=1, notes=1):
        note = info
        if isinstance(info, str):
            note = struct.pack('<III', 11, len(info), 0) + b'VMCOREINFO\0\0' + info.encode()
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


def overlap(path):
    """A ring of packets that lie over one another."""
    ring(path, 262144, 4096, 1)


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


def notes(path):
    """Many headers of the same notes, none of which is vmcoreinfo."""
    d = Dump(256)
    d.write(path, bytes(700000), notes=2000)


def copies(path):
    """The same bytes of the file are memory 60000 times."""
    d = Dump(256)
    d.write(path, loads=60000)


def ring(path, size=262144, packets=131072, step=0, also=None):
    """A ring of many large packets, which all lie in the same place."""
    d = Dump(1024 + packets // 512 + size // PAGE + packets * step)
    info, rings, ring_at = d.take(), d.take(), d.take()
    uuid = BOOT[:12] + bytes(4)
    tables = [d.take() for _ in range(packets // 512)]
    packet = [d.used + i * step * PAGE for i in range(packets)]
    d.take(size // PAGE + packets * step)
    for i, at in enumerate(tables):
        d.put(at, struct.pack('<512Q', *packet[i * 512:][:512]))
    # Of each the records go on behind the header of the next.
    lengths = [2, 255, 255]
    records = b''.join(struct.pack('<Q', 0x81000000 | n << 16).ljust(n * 8, b'\0') for n in lengths)
    for i in range(packets if step else 0):
        d.put(packet[i], struct.pack('<I16sIIIQIIQQQQQ', 0xc1fc1fc1, uuid, 0, 0, 0, i, 0, 0, 0, 0,
                                     size * 8 - 704, size * 8, 0) + records)
    d.put(rings, struct.pack('<Q', ring_at))
    d.put(info, struct.pack('<Q32s16sIIIIII16Q', 0x464655425453, b'boot', uuid, 0, 1, size,
                            packets, 0, 0, rings, *[0] * 15))
    pos = packets - 1 << 32 | 11 << 16
    d.put(ring_at, struct.pack('<3Q40s8QQIIII16s24s16s48s', pos, 0, 0, b'', 0, 0, packets - 1,
                               0, 0, 0, 0, 0, 0x474e4952, 0, 0, packets, size, uuid, b'', b'',
                               b'') + struct.pack(f'<{len(tables)}Q', *tables))
    directory = d.take()
    d.directory(directory, 0, [(BUFFER, info, PAGE)])
    d.write(path, d.descriptor(directory, info) + (also(d) if also else ''))


def log(path, bits=16):
    """All messages of the kernel's log are the same long one."""
    ring(path, PAGE, 512, 1, lambda d: put_log(d, bits))


def put_log(d, bits):
    """Returns what vmcoreinfo has to say of it."""
    at, info, text = d.take(), d.take(), d.take(17)
    descs = d.take((24 << bits) // PAGE)
    for i in range(1 << bits):
        d.put(descs + 24 * i, struct.pack('<QQQ', 1 << 62 | i, 0, 65544))
    d.put(info, struct.pack('<QQH', 0, 0, 65535))
    d.put(text, bytes(range(1, 10)).ljust(65536, b'\x1b'))
    image = 0xffffffff80000000
    d.put(at, struct.pack('<IIQQQQQIIQQ', bits, 0, image + descs, image + info, (1 << bits) - 1,
                          0, 0, 31, 0, image + text, image + at))
    return (f'NUMBER(phys_base)=0\nSYMBOL(init_top_pgt)={image:x}\n'
            f'SYMBOL(prb)={image + at + 64:x}\n'
            'OFFSET(printk_ringbuffer.desc_ring)=0\n'
            'OFFSET(printk_ringbuffer.text_data_ring)=48\nOFFSET(prb_desc_ring.count_bits)=0\n'
            'OFFSET(prb_desc_ring.descs)=8\nOFFSET(prb_desc_ring.infos)=16\n'
            'OFFSET(prb_desc_ring.head_id)=24\nOFFSET(prb_desc_ring.tail_id)=32\n'
            'SIZE(prb_desc)=24\nOFFSET(prb_desc.state_var)=0\nOFFSET(prb_desc.text_blk_lpos)=8\n'
            'SIZE(printk_info)=0\nOFFSET(printk_info.ts_nsec)=8\n'
            'OFFSET(printk_info.text_len)=16\nOFFSET(prb_data_ring.size_bits)=0\n'
            'OFFSET(prb_data_ring.data)=8\n')


globals()[sys.argv[1]](sys.argv[2])
