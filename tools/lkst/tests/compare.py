#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Compare what lkst print --format=json tells of a trace with what babeltrace2 reads.

  compare.py JSON TEXT    JSON is of --time=wall, TEXT the output of
                          babeltrace2 --clock-seconds --no-delta

Every record's time, event, CPU and fields have to be the same, in the same order of
time.  Marks are left out.
"""
import json
import sys

from bt2text import lines_of, near, same, seconds


def ours(path):
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            r = json.loads(line)
            if 'mark' not in r:
                yield r


def main():
    mine, other = list(ours(sys.argv[1])), list(lines_of(sys.argv[2]))
    assert len(mine) == len(other), f'{len(mine)} records, not {len(other)}'

    # Of equal times the order is open.
    mine.sort(key=lambda r: (r['time'], r['cpu']))
    other.sort(key=lambda r: (r[0], r[2]))
    for r, (when, name, cpu, fields) in zip(mine, other):
        assert near(seconds(r['time']), when), (r, when)
        assert r['event'].replace('/', '_', 1) == name, (r, name)
        assert r['cpu'] == cpu, (r, cpu)
        assert list(r['fields']) == list(fields), (r, fields)
        for key, value in fields.items():
            assert same(value, r['fields'][key]), (r, key, value)
    print(len(mine))


main()
