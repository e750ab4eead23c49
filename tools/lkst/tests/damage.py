#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Damage every record of a trace in every way, and look at what lkst makes of the rest.

  damage.py LKST DECODE TRACE DIR    the damaged traces are made in DIR

What is expected is taken from the whole trace: of a packet the records before the one
that is damaged are left, and all of the other packets. The library has to read what is
printed.
"""
import json
import os
import shutil
import struct
import subprocess
import sys

from bt2text import number

LKST, DECODE, TRACE, DIR = sys.argv[1:]
HEAD = 88
AGAIN = 1 << 33
FINISHED, EXTENDED = 1 << 31, 0xffff


def get(data, at):
    return struct.unpack_from('<Q', data, at)[0]


def put(data, at, value):
    struct.pack_into('<Q', data, at, value)


def records(packet):
    """Where they begin."""
    at = HEAD
    while at < get(packet, 64) // 8:
        yield at
        at += (get(packet, at) >> 16 & 0xff) * 8


def is_empty(packet, at):
    """Has a record nothing but its header?"""
    head = get(packet, at)
    return head >> 16 & 0xff == (2 if head & 0xffff == EXTENDED else 1)


def moved(packet, seq):
    """A packet as one that comes later."""
    more = bytearray(packet)
    put(more, 32, get(packet, 32) + seq)
    for at in (48, 56):
        put(more, at, get(packet, at) + AGAIN * seq)
    return more


def extended(packet):
    """A packet with the same records, but extended."""
    body, time = b'', get(packet, 48)
    for at in records(packet):
        head = get(packet, at)
        words = head >> 16 & 0xff
        time += (head >> 32) - time & 0xffffffff
        body += struct.pack('<QQ', head & 0xff000000 | EXTENDED | words + 1 << 16 |
                            (head & 0xffff) << 32, time)
        body += packet[at + 8:at + words * 8]
    more = (packet[:HEAD] + body).ljust(len(packet), b'\0')[:len(packet)]
    put(more, 64, (HEAD + len(body)) * 8)
    return more


def packets_of(packet):
    """A packet, the same one as the next, and again, but extended."""
    assert all(get(packet, at) & 0xffff != EXTENDED for at in records(packet))
    return [bytearray(packet), moved(packet, 1), extended(moved(packet, 2))]


# Each changes a record: its header, where it lies. What is left of it?
def unfinished(packet, at):
    head = get(packet, at)
    put(packet, at, head & ~FINISHED)
    return True


def unfinished_without_time(packet, at):
    if get(packet, at) & 0xffff == EXTENDED:
        put(packet, at + 8, ~0 & 2 ** 64 - 1)
    return unfinished(packet, at)


def other_lap(packet, at):
    put(packet, at, get(packet, at) ^ 0x55 << 24)


def no_lap(packet, at):
    put(packet, at, get(packet, at) & ~(0x7f << 24))


def no_length(packet, at):
    put(packet, at, get(packet, at) & ~(0xff << 16))


def too_long(packet, at):
    left = (get(packet, 64) // 8 - at) // 8
    put(packet, at, get(packet, at) & ~(0xff << 16) | left + 1 << 16)


def too_late(packet, at):
    late = get(packet, 56) + 1
    if get(packet, at) & 0xffff == EXTENDED:
        put(packet, at + 8, late)
    else:
        put(packet, at, get(packet, at) & 0xffffffff | (late & 0xffffffff) << 32)


def too_early(packet, at):
    if get(packet, at) & 0xffff == EXTENDED:
        put(packet, at + 8, get(packet, 48) - 1)
    else:
        early = get(packet, 48) - 1
        put(packet, at, get(packet, at) & 0xffffffff | (early & 0xffffffff) << 32)


WAYS = (unfinished, unfinished_without_time, other_lap, no_lap, no_length, too_long,
        too_late, too_early)


def read():
    """Records as (time, CPU, event, fields); what was said; and the exit code."""
    out = subprocess.run([LKST, 'print', '--format=json', DIR], check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = [r for r in map(json.loads, out.stdout.splitlines()) if 'mark' not in r]
    return ([(r['ns'], r['cpu'], r['event'], r['fields']) for r in lines],
            out.stderr.decode(), out.returncode)


def total(got):
    """What decode is to print."""
    n = 0
    for ns, _, _, fields in got:
        n += ns
        for v in map(number, fields.values()):
            if isinstance(v, str):
                v = v.encode('utf-8', 'surrogateescape')
            n += v if isinstance(v, int) else sum(v)
    return f'{len(got)} records, sum {n % 2 ** 64}\n'


def check(name, whole, cpu, lost, patched):
    """Of @cpu records @lost are not there any more, and one may be patched."""
    got, said, code = read()
    decoded = subprocess.run([DECODE, DIR], check=False, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE).stdout.decode()
    assert decoded == total(got), f'{name}: {decoded} is not {total(got)}'
    got = [r if r[2] != 'lkst/unfinished' else (None, r[1], r[2], None) for r in got]
    want = [r for r in whole if r[1] == cpu]
    if patched is not None:
        want[patched] = (None, cpu, 'lkst/unfinished', None)
    want = [r for n, r in enumerate(want) if n not in lost]
    assert [r for r in got if r[1] == cpu] == want, f'{name}: {got}'
    want = [r for r in whole if r[1] != cpu]
    assert [r for r in got if r[1] != cpu] == want, f'{name}: {got}'
    assert code == bool(lost), f'{name}: exit code {code}'
    assert bool(said) == bool(lost), f'{name}: {said}'


def write(cpu, packets):
    with open(f'{DIR}/cpu{cpu}', 'wb') as f:
        for packet in packets:
            f.write(packet)


def damage(whole, cpu, packets, n, k):
    """All ways of damage to record @k of packet @n."""
    places = list(records(packets[n]))
    first = len(places) * n
    empty = is_empty(packets[n], places[k])
    for way in WAYS:
        # One that has no room to be patched has another time then.
        if way == unfinished_without_time and empty:
            continue
        bad = [bytearray(p) for p in packets]
        left = way(bad[n], places[k])
        write(cpu, bad)
        # The first one tells the lap, if it has one.
        kept = k + (way == other_lap and not k) if not left else len(places)
        check(f'{way.__name__}, cpu{cpu}, packet {n}, record {k}', whole, cpu,
              range(first + kept, first + len(places)),
              first + k if left and not empty else None)
    write(cpu, packets)


def shorten(cpu, packets):
    """The last record of a packet has a word less than its fields."""
    for n, packet in enumerate(packets):
        last = list(records(packet))[-1]
        if is_empty(packet, last):
            continue
        bad = [bytearray(p) for p in packets]
        put(bad[n], last, get(packet, last) - (1 << 16))
        put(bad[n], 64, get(packet, 64) - 64)
        write(cpu, bad)
        got, said, _ = read()
        assert 'shorter than its fields' in said, said
        decoded = subprocess.run([DECODE, DIR], check=True, stdout=subprocess.PIPE).stdout
        assert decoded.decode() == total(got), f'{decoded} is not {total(got)}'
    write(cpu, packets)


def main():
    shutil.copytree(TRACE, DIR)
    trace = {}
    for name in os.listdir(TRACE):
        if name.startswith('cpu'):
            with open(f'{TRACE}/{name}', 'rb') as f:
                trace[int(name[3:])] = packets_of(f.read())
    for cpu, packets in trace.items():
        write(cpu, packets)
    whole, said, _ = read()
    assert not said and len(whole) == sum(len(list(records(p))) for t in trace.values() for p in t)
    for cpu, packets in trace.items():
        for n, packet in enumerate(packets):
            for k in range(len(list(records(packet)))):
                damage(whole, cpu, packets, n, k)
        shorten(cpu, packets)


main()
