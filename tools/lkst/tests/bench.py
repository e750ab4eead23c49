#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
How fast a trace is read, in rows for the benchmark's table: name, figure, unit, the
peer's figure, bar.

  bench.py LKST DECODE TRACE

The peer is babeltrace2, of which the time of the processor is taken by turns with
ours, and the least of each counts. The memory is that for a trace of 4 GiB: the
packets of TRACE, again and again, in pipes in place of files.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

LKST, DECODE, TRACE = sys.argv[1:]
ROUNDS = 5
LONG = 4 << 30


def run(*command):
    """Return: seconds of the processor, MiB resident, output."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, use = os.wait4(child.pid, 0)
        child.returncode = status
        if status:
            sys.exit(f'bench: {command[0]} ended with {status}')
        out.seek(0)
        return use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, out.read(100)


def to_null(*command):
    return run('/bin/sh', '-c', 'exec "$@" >/dev/null', 'sh', *command)


def compare(ours, theirs):
    pairs = [(to_null(*ours)[0], to_null(*theirs)[0]) for _ in range(ROUNDS)]
    return [min(times) for times in zip(*pairs)]


def row(name, figure, unit, peer='', bar=''):
    print(f'{name}\t{figure}\t{unit}\t{peer}\t{bar}')


def lengthen(path, to, size):
    """
    Write the packets of a file again and again, each time 2^33 ticks later. That is for
    a process of its own: what is run later would begin with its memory.
    """
    child = os.fork()
    if child:
        assert not os.waitpid(child, 0)[1]
        return
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    packets, at = [], 0
    while at < len(data):
        packets.append(at)
        at += struct.unpack_from('<Q', data, at + 72)[0] // 8
    with open(to, 'wb') as out:
        for _ in range(-(-size // len(data))):
            out.write(data)
            for at in packets:
                seq, = struct.unpack_from('<Q', data, at + 32)
                begin, end = struct.unpack_from('<QQ', data, at + 48)
                struct.pack_into('<Q', data, at + 32, seq + len(packets))
                struct.pack_into('<QQ', data, at + 48, begin + (1 << 33), end + (1 << 33))
    os._exit(0)


def memory():
    """MiB resident while all of a long trace is printed."""
    with tempfile.TemporaryDirectory() as top:
        names = os.listdir(TRACE)
        cpus = [n for n in names if n.startswith('cpu')]
        for name in names:
            if name not in cpus:
                shutil.copy(f'{TRACE}/{name}', top)
        for name in cpus:
            lengthen(f'{TRACE}/{name}', f'{top}/{name}', LONG // len(cpus))
        return to_null(LKST, 'print', top)[1]


def main():
    records = int(run(DECODE, TRACE)[2].split()[0])
    for what, ours, theirs, bar in (
            ('decode all records', (DECODE, TRACE), ('-o', 'dummy', TRACE), 20),
            ('print as text', (LKST, 'print', TRACE), (TRACE,), 10)):
        mine, other = compare(ours, ('babeltrace2', *theirs))
        row(f'lkst: {what}', f'{records / mine / 1e6:.1f}', 'million records/s',
            f'{records / other / 1e6:.2f}')
        row(f'lkst: {what}, times babeltrace2', f'{other / mine:.1f}', 'times', '',
            f'>= {bar}')
    row('lkst: print a trace of 4 GiB, resident', f'{memory():.1f}', 'MiB', '', '<= 64')


main()
