#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Compare a converted trace with what lkst print --format=json tells of the original.

  converted.py perfetto FILE JSON
  converted.py chrome FILE JSON
  converted.py lttng TEXT JSON     TEXT is what babeltrace2 --clock-seconds --no-delta
                                   prints, JSON is of --time=wall

Every record and every mark has to be there, at its time, with all of its fields as far
as the form has them. Prints how many records there were.
"""
import functools
import json
import operator
import sys

from bt2text import lines_of, near, number, same, seconds


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def message(data):
    """The fields of a message: id and number or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2), f'wire type {key & 7}'
        value, at = varint(data, at)
        if key & 7 == 2:
            assert at + value <= len(data)
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def one(data, number, default=None):
    found = [v for k, v in message(data) if k == number]
    assert len(found) <= 1, (number, found)
    return found[0] if found else default


# Of an event by its number in FtraceEvent: the name of ours, and fields by number.
FTRACE = {
    4: ('sched/switch', {2: 'prev_tid', 3: 'prev_prio', 4: 'prev_state', 6: 'next_tid',
                         7: 'next_prio'}),
    17: ('sched/wakeup', {2: 'tid', 3: 'prio', 5: 'target'}),
    24: ('irq/softirq_entry', {1: 'vec'}),
    25: ('irq/softirq_exit', {1: 'vec'}),
    26: ('irq/softirq_raise', {1: 'vec'}),
    36: ('irq/entry', {1: 'irq'}),
    37: ('irq/exit', {1: 'irq', 2: 'ret'}),
}


def generic(event):
    name, fields = one(event, 1).decode(), {}
    for key, field in message(event):
        if key != 2:
            continue
        value = one(field, 3, one(field, 4, one(field, 5)))
        fields[one(field, 1).decode()] = value
    return name, fields


def perfetto(path):
    for key, packet in message(open(path, 'rb').read()):
        assert key == 1, key
        bundle = one(packet, 1)
        if bundle is None:
            continue
        for key, event in message(bundle):
            if key != 2:
                continue
            (kind, body), = [(k, v) for k, v in message(event) if k > 2]
            if kind == 327:
                name, fields = generic(body)
            else:
                name, names = FTRACE[kind]
                fields = {names[k]: v for k, v in message(body) if k in names}
            yield one(event, 1), one(bundle, 1), one(event, 2), name, fields
            if 'count' in fields and '/' not in name:
                assert one(bundle, 3) == 1, 'a loss that the bundle does not say'


def flat(fields):
    for name, value in fields.items():
        if isinstance(value, list):
            yield from ((f'{name}[{i}]', v) for i, v in enumerate(value))
        elif isinstance(value, str):
            yield name, value.encode('utf-8', 'surrogateescape')
        else:
            yield name, value % 2 ** 64


def check_perfetto(path, records):
    events = list(perfetto(path))
    assert len(events) == len(records), (len(events), len(records))
    for (ns, cpu, tid, name, fields), r in zip(events, records):
        assert (ns, cpu) == (r['ns'], r['cpu']), (ns, cpu, r)
        if 'mark' in r:
            assert (name, fields) == (r['mark'], {'count': r['count']}), (name, fields, r)
            continue
        assert name == r['event'] and tid in (None, r['tid']), (name, tid, r)
        want = {k: v % 2 ** 64 if isinstance(v, int) else v
                for k, v in flat({k: number(v) for k, v in r['fields'].items()})}
        if 'prev_state' in fields:
            bits = {0x40: 0x200, 0x80: 0x40, 0x1000: 2, 0x8000: 2, 0x10000: 0x800}
            bits.update({1 << n: 1 << n for n in (0, 1, 2, 3, 4, 5, 10)})
            state = [theirs for ours, theirs in bits.items() if want['prev_state'] & ours]
            want['prev_state'] = functools.reduce(operator.or_, state, 0)
        for key in ('prev_prio', 'next_prio'):
            if want.get(key) == 0xffff and name == 'sched/switch':
                want[key] = 2 ** 64 - 1
        for key, value in fields.items():
            assert value == want[key], (key, value, r)
        assert name in [n for n, _ in FTRACE.values()] or len(want) == len(fields)


def check_chrome(path, records):
    # What is after the point tells nanoseconds, for which a float is too short.
    trace = json.load(open(path, encoding='utf-8'), parse_float=str)
    events = [e for e in trace['traceEvents'] if e['ph'] == 'i']
    assert len(events) == len(records), (len(events), len(records))
    for e, r in zip(events, records):
        assert int(e['ts'].replace('.', '')) == r['ns'], (e, r)
        assert e['tid'] == r['cpu'], (e, r)
        if 'mark' in r:
            assert e['name'] == r['mark'] and e['args'] == {'count': r['count']}, (e, r)
        else:
            want = {**r['fields'], **({'names': r['names']} if 'names' in r else {})}
            assert e['name'] == r['event'] and e['args'] == want, (e, r)
    for e in trace['traceEvents']:
        assert e['ph'] in 'iM' or e['ph'] == 'X' and float(e['dur']) >= 0, e


LTTNG = {
    'sched_switch': ('sched/switch', {'prev_tid': 'prev_tid', 'next_tid': 'next_tid',
                                      'prev_prio': 'prev_prio', 'prev_state': 'prev_state',
                                      'next_prio': 'next_prio'}),
    'sched_process_fork': ('process/fork', {'parent_tid': 'parent_tid', 'child_tid': 'child_tid',
                                            'child_pid': 'child_tgid', 'child_comm': 'comm'}),
    'sched_process_exec': ('process/exec', {'tid': 'tid', 'filename': 'filename'}),
}


def check_lttng(path, records):
    records = [r for r in records if 'mark' not in r]
    events = [e for e in lines_of(path) if not e[1].startswith('lttng_statedump_')]
    assert len(events) == len(records), (len(events), len(records))
    # Of equal times the order is open.
    events.sort(key=lambda e: (e[0], e[2]))
    records.sort(key=lambda r: (r['time'], r['cpu']))
    for (when, name, cpu, fields), r in zip(events, records):
        assert near(seconds(r['time']), when) and cpu == r['cpu'], (when, cpu, r)
        ours, names = LTTNG.get(name, (None, {}))
        if name.startswith('lkst_'):
            ours = name[5:].replace('_', '/', 1)
            names = {k: k for k in r['fields']}
            assert list(fields) == list(r['fields']), (fields, r)
        elif '_exit_' in name:
            ours, names = 'syscall/exit', {'ret': 'ret'}
        assert r['event'] == ours, (name, r)
        for theirs, mine in names.items():
            assert same(fields[theirs], r['fields'][mine]), (name, theirs, fields, r)


def main():
    with open(sys.argv[3], encoding='utf-8') as lines:
        records = [json.loads(line) for line in lines]
    {'perfetto': check_perfetto, 'chrome': check_chrome,
     'lttng': check_lttng}[sys.argv[1]](sys.argv[2], records)
    print(sum('mark' not in r for r in records))


main()
