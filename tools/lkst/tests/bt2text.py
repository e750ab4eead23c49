# SPDX-License-Identifier: GPL-2.0
"""What babeltrace2 --clock-seconds --no-delta prints, and how to compare with it."""
import calendar
import re
import time

LINE = re.compile(r'\[(\d+\.\d{9})\] (?:\S+ )?(\w+): \{ cpu_id = (\d+) \}(?:, \{(.*)\})?$')


class Fields:
    """The fields of a line, as babeltrace2 prints them."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self, what):
        assert self.text.startswith(what, self.at), self.text[self.at:]
        self.at += len(what)

    def take(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        assert found, self.text[self.at:]
        self.at = found.end()
        return found

    def value(self):
        if self.text[self.at] == '"':
            return self.take(r'"((?:[^"\\]|\\.)*)"')[1]
        if self.text[self.at] == '[':
            self.skip('[')
            values = []
            while self.take(r' *(?:\[\d+\] = )?') and self.text[self.at] != ']':
                values.append(self.value())
                self.take(',?')
            self.skip(']')
            return values
        if self.text[self.at] == '(':
            return int(self.take(r'\( .*? : container = (-?\d+) \)')[1])
        number = self.take(r'-?(?:0x[0-9A-Fa-f]+|0[0-7]*|[0-9]+)')[0]
        return int(number, 8) if re.fullmatch('0[0-7]+', number) else int(number, 0)

    def all(self):
        fields = {}
        while self.take(r'[ ,]*') and self.at < len(self.text):
            name = self.take(r'(\w+) = ')[1]
            fields[name] = self.value()
        return fields


def fields_of(text):
    """All but lengths of sequences."""
    return {k: v for k, v in Fields(text).all().items() if not k.startswith('_')}


def lines_of(path):
    with open(path, encoding='utf-8', errors='surrogateescape') as lines:
        for line in lines:
            found = LINE.match(line.rstrip('\n'))
            assert found, line
            yield found[1], found[2], int(found[3]), fields_of(found[4] or '')


def seconds(wall):
    return f'{calendar.timegm(time.strptime(wall[:19], "%Y-%m-%dT%H:%M:%S"))}{wall[19:29]}'


def number(mine):
    """An address as JSON has it is a string."""
    if isinstance(mine, list):
        return list(map(number, mine))
    return int(mine, 16) if isinstance(mine, str) and re.fullmatch('0x[0-9a-f]+', mine) else mine


def same(other, mine):
    if isinstance(other, str):
        # What needs an escape in either is left out.
        other = re.sub(r'\\x[0-9a-f]{2}|\\.', '', other)
        odd = re.compile(r'[^ !#-\[\]-~]')
        return odd.sub('', other) == odd.sub('', mine)
    if isinstance(other, list):
        return len(other) == len(mine) and all(map(same, other, mine))
    mine = number(mine)
    # In hexadecimal a negative number is one of its size.
    return other == mine or any(mine < 0 and other == mine + 2 ** n
                                for n in (8, 16, 32, 64))


def near(when, other):
    """babeltrace2 computes in floating point, and can be a nanosecond below."""
    when, other = (int(t.replace('.', '')) for t in (when, other))
    return 0 <= when - other <= 1
