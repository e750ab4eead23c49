#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Make traces of which CPUs' records meet in all ways, and look at what lkst makes of them.

  merge.py LKST TRACE DIR    TRACE gives the metadata; it has an event test_seq

A trace is a list of packets for each CPU: (number, begin, end, lost so far, [times]). Its
records are numbered. What is expected is computed here, by sorting.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys

LKST, TRACE, DIR = sys.argv[1:]
with open(f'{TRACE}/metadata', encoding='ascii') as text:
    METADATA = text.read()
UUID = bytes.fromhex(re.search('uuid = "(.*?)"', METADATA)[1].replace('-', ''))
ID = int(re.search('id = (\\d+); name = "test_seq"', METADATA)[1])
FULL = 4096


def record(time, value, before):
    head = struct.pack('<HBBI', ID, 3, 0x81, time & 0xffffffff)
    if time - before >= 1 << 32:
        head = struct.pack('<HBBIQ', 0xffff, 4, 0x81, ID, time)
    return head + struct.pack('<Qq', value, -value)


def packet(cpu, seq, begin, end, lost, records):
    body, before = b'', begin
    for time, value in records:
        body += record(time, value, before)
        before = time
    head = struct.pack('<I16sIIIQIIQQQQQ', 0xC1FC1FC1, UUID, 0, 100 + cpu, len(records), seq,
                       cpu, 0, begin, end, (88 + len(body)) * 8, FULL * 8, lost)
    return (head + body).ljust(FULL, b'\0')


def write(trace):
    """Return: all records and marks, in the order that is expected."""
    os.makedirs(DIR, exist_ok=True)
    for name in os.listdir(DIR):
        os.remove(f'{DIR}/{name}')
    with open(f'{DIR}/metadata', 'w', encoding='ascii') as f:
        f.write(METADATA)
    want, value = [], 0
    for cpu, packets in trace.items():
        after, lost_before = 0, 0
        with open(f'{DIR}/cpu{cpu}', 'wb') as f:
            for n, (seq, begin, end, lost, times) in enumerate(packets):
                if seq > after:
                    want.append((begin, cpu, 'overwritten' if n else 'gone', seq - after))
                records = [(time, value + i) for i, time in enumerate(times)]
                want += [(time, cpu, 'value', v) for time, v in records]
                value += len(times)
                if lost > lost_before:
                    want.append((end, cpu, 'lost', lost - lost_before))
                after, lost_before = seq + 1, lost
                f.write(packet(cpu, seq, begin, end, lost, records))
    # Of one CPU the order is that in which it was written: sorting keeps it.
    return sorted(want, key=lambda r: r[:2])


def read(*options):
    out = subprocess.run([LKST, 'print', '--format=json', *options, DIR], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert not out.stderr, out.stderr
    for line in out.stdout.splitlines():
        r = json.loads(line)
        if 'mark' in r:
            yield r['ns'], r['cpu'], r['mark'], r['count']
        else:
            assert r['fields'] == {'value': r['fields']['value'],
                                   'minus': -r['fields']['value']}, r
            assert r['tid'] == 100 + r['cpu'], r
            yield r['ns'], r['cpu'], 'value', r['fields']['value']


def check(name, trace):
    want, got = write(trace), list(read())
    for i, (w, g) in enumerate(zip(want, got)):
        assert w == g, f'{name}: item {i} is {g}, not {w}'
    assert len(want) == len(got), f'{name}: {len(got)} items, not {len(want)}'
    cpu = min(trace)
    got = list(read(f'--cpu={cpu}'))
    assert got == [w for w in want if w[1] == cpu], name


def times(rng, begin, end, nr):
    return sorted(rng.randint(begin, end) for _ in range(nr))


def any_trace(rng):
    """CPUs of which some are late, idle, cut or lose something."""
    trace = {}
    for cpu in rng.sample(range(300), rng.randint(1, 20)):
        seq, now, lost = rng.choice((0, 0, 5)), rng.choice((10, 10, 5000)), 0
        trace[cpu] = []
        for _ in range(rng.randint(1, 6)):
            end = now + rng.choice((0, 3, 400, 4000, 1 << 33))
            inside = times(rng, now, end, rng.randint(0, 100))
            lost += rng.choice((0, 0, 0, 7))
            trace[cpu].append((seq, now, end, lost, inside))
            seq += rng.choice((1, 1, 1, 4))
            now = end
    return trace


def main():
    rng = random.Random(7)
    busy = [(n, n * 100, n * 100 + 100, 0, times(rng, n * 100, n * 100 + 100, 60))
            for n in range(20)]
    check('equal times', {c: [(0, 5, 9, 0, [5, 5, 7, 7, 9])] for c in range(5)})
    check('an idle CPU', {0: busy, 1: [(0, 0, 2000, 0, [])], 2: [(0, 0, 2000, 0, [1000])]})
    check('a CPU that starts late', {0: busy, 1: [(0, 1950, 2100, 0, [1950, 1990, 2100])]})
    check('a ring that was cut', {0: busy[10:], 1: busy[:5] + busy[15:]})
    check('packets that are missing', {0: busy[::2], 1: busy[1::3]})
    check('losses', {0: [(n, b, e, n // 5 * 3, t) for n, b, e, _, t in busy], 1: busy})
    check('long pauses', {0: [(0, 1, 1 << 40, 0, [2, 1 << 33, 1 << 40])],
                          1: [(0, 1, 1 << 34, 0, [3, 1 << 34])]})
    for n in range(60):
        check(f'random trace {n}', any_trace(rng))


main()
