#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Look at the bar that a command draws on a terminal.

  progress.py fed FROM BAR COMMAND...  COMMAND reads what is in the file FROM, which it
                                       gets piece by piece on standard input
  progress.py fast BAR COMMAND...      COMMAND's clock runs fast

BAR is an expression that matches a bar, of which the first group is a number that
rises; or it is empty: there is none. By COMMAND's clock none comes in the first second,
and no more than five in any other. Before something else is written, and in the end, it
is taken away. Of what else is written standard input has a copy. Where standard error
is no terminal, that is all there is.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

HOW = sys.argv[1]
FROM = sys.argv[2] if HOW == 'fed' else None
BAR, *COMMAND = sys.argv[3 if FROM else 2:]
PIECE = 1 << 19
LONG = 20	# nothing that is waited for takes so many seconds
SOME = 5	# bars
GONE = r'\r\033\[K'


class Terminal:
    """What comes out on one, and when there were bars."""
    def __init__(self):
        self.master, self.slave = pty.openpty()
        mode = termios.tcgetattr(self.slave)
        mode[1] &= ~termios.OPOST
        termios.tcsetattr(self.slave, termios.TCSANOW, mode)
        self.text, self.times, self.at_end = '', [], False
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        got = b' '
        while got:
            try:
                got = os.read(self.master, 65536)
            except OSError:
                got = b''
            with self.changed:
                self.text += got.decode()
                self.times += [time.monotonic()] * got.count(b'\rlkst: ')
                self.at_end = not got
                self.changed.notify_all()

    def numbers(self):
        """In all bars: by the work, of which there can be several."""
        numbers = {}
        for bar in re.finditer(r'\r' + BAR, self.text):
            numbers.setdefault(re.match(r'\rlkst: [a-z ]+', bar[0])[0], []).append(int(bar[1]))
        return numbers

    def wait(self, bars):
        """Until there were so many, and the number has risen."""
        def seen():
            return any(len(n) >= bars and (bars == 1 or n[0] < n[-1])
                       for n in self.numbers().values())
        with self.changed:
            self.changed.wait_for(lambda: not BAR or seen(), LONG)

    def close(self):
        os.close(self.slave)
        with self.changed:
            assert self.changed.wait_for(lambda: self.at_end, LONG)


def until_read(pipe):
    end = time.monotonic() + LONG
    while struct.unpack('i', fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]:
        assert time.monotonic() < end, 'the command does not read'
        time.sleep(0.001)


def feed(pipe, wait):
    """All of FROM; more than a second after the first piece there is a bar for each."""
    with open(FROM, 'rb') as f:
        pieces = list(iter(lambda: f.read(PIECE), b''))
    for n, piece in enumerate(pieces):
        for at in range(0, len(piece), 4096):
            os.write(pipe, piece[at:at + 4096])
        until_read(pipe)
        if n:
            wait(n)
        time.sleep(0.25 if n else 1.3)
    os.close(pipe)


def run(stderr, wait):
    """Return: the exit code."""
    stdin = subprocess.PIPE if FROM else subprocess.DEVNULL
    with subprocess.Popen(COMMAND, stdin=stdin, stderr=stderr) as child:
        if FROM:
            feed(os.dup(child.stdin.fileno()), wait)
            child.stdin.close()
        return child.wait(LONG)


def check_bars(terminal, begun):
    times = terminal.times
    assert len(times) >= SOME, f'{len(times)} bars: {terminal.text!r}'
    for what, numbers in terminal.numbers().items():
        assert numbers == sorted(numbers) and numbers[0] < numbers[-1], (what, numbers)
    if HOW != 'fast':
        assert times[0] >= begun + 1, f'the first one came after {times[0] - begun} s'
        assert len(times) <= (times[-1] - times[0]) / 0.2 + 1.5, times


def main():
    said = sys.stdin.read()
    terminal = Terminal()
    begun = time.monotonic()
    code = run(terminal.slave, terminal.wait)
    terminal.close()
    rest = terminal.text
    if BAR:
        check_bars(terminal, begun)
        rest = re.sub(rf'(\r{BAR})+{GONE}', '', rest)
    assert rest == said, f'on the terminal was {terminal.text!r}'
    assert code == bool(said), f'exit code {code}'

    with tempfile.TemporaryFile('w+', encoding='utf-8') as f:
        assert run(f, lambda n: None) == code
        f.seek(0)
        rest = f.read()
    assert rest == said, f'in a file was {rest!r}'


main()
