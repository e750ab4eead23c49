#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""steps.py DIR MAP LKST: through QEMU's gdb stub at DIR/gdb, stop the guest in the
middle of writing a record, and after each instruction from there to the record's end
let an NMI panic it; what LKST finds in the dump is checked. MAP is System.map."""
import os
import re
import socket
import subprocess
import sys
import time

DIR, MAP, LKST = map(os.path.abspath, sys.argv[1:])
SYMBOLS = {name: int(address, 16) for address, _, name in
           (line.split() for line in open(MAP))}
RSP, RIP = 7, 16
MARK_ROOM = 42  # len of a packet without its number


class Guest:
    """The remote protocol: https://sourceware.org/gdb/current/onlinedocs/gdb.html/
    Remote-Protocol.html"""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.buffer = b""
        # It stops, and may say so of itself; the answer to this is empty.
        answer = self.ask("vMustReplyEmpty")
        while answer:
            answer = self.answer()

    def byte(self):
        if not self.buffer:
            self.buffer = self.socket.recv(65536)
            if not self.buffer:
                raise EOFError("QEMU is gone")
        byte, self.buffer = self.buffer[:1], self.buffer[1:]
        return byte

    def answer(self):
        while self.byte() != b"$":
            pass
        data = b""
        while (byte := self.byte()) != b"#":
            data += byte
        self.byte(), self.byte()
        self.socket.sendall(b"+")
        return data.decode()

    def ask(self, what):
        self.socket.sendall(b"$%s#%02x" % (what.encode(), sum(what.encode()) & 255))
        return self.answer()

    def monitor(self, command):
        """A command of QEMU's monitor; what it says."""
        said = ""
        answer = self.ask("qRcmd," + command.encode().hex())
        while answer.startswith("O") and answer != "OK":
            said += bytes.fromhex(answer[1:]).decode()
            answer = self.answer()
        return said

    def register(self, number):
        data = bytes.fromhex(self.ask("g")[:17 * 16])
        return int.from_bytes(data[8 * number:8 * number + 8], "little")

    def stop_at(self, symbol, on=True):
        self.ask("%s1,%x,1" % ("Z" if on else "z", SYMBOLS[symbol]))

    def run_to(self, *symbols):
        """Run until one of them is hit; which."""
        for symbol in symbols:
            self.stop_at(symbol)
        self.ask("c")
        for symbol in symbols:
            self.stop_at(symbol, False)
        rip = self.register(RIP)
        return next((s for s in symbols if SYMBOLS[s] == rip), hex(rip))

    def step(self, n=1):
        for _ in range(n):
            self.ask("s")

    def call_length(self):
        """How many steps it is from a function's first instruction to its caller."""
        top = self.register(RSP)
        n = 0
        while self.register(RSP) <= top:
            self.step()
            n += 1
        return n


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def verdict(dump):
    """What is wrong with the trace in a dump; None if nothing is."""
    trace = dump + ".trace"
    run("rm", "-rf", trace)
    code, _, said = run(LKST, "extract", dump, "-o", trace)
    if code or said and "a packet switch was under way" not in said:
        return "extract: %d %s" % (code, said.strip())
    code, text, said = run(LKST, "print", trace)
    if code or said:
        return "print: %d %s" % (code, said.strip())
    marks = [int(n) - MARK_ROOM for n in re.findall(r"net/transmit .*?len=(\d+)", text)]
    if marks != list(range(1, len(marks) + 1)) or len(marks) < 10:
        return "marks: %s" % marks
    # Between begin and end of a switch of packets an NMI's records are lost, and said so.
    lost = re.search(r" lost [1-9]", text)
    if not lost and not re.search(r'kernel/panic .*text="NMI: Not continuing"', text):
        return "neither a panic nor a loss"
    code, again, said = run("babeltrace2", trace)
    if code or bool(said) != bool(lost) or said.count("discarded") != said.count("\n"):
        return "babeltrace2: %d %s" % (code, said.strip())
    records = re.findall(r"^ *\d+\.\d{9} cpu.* [a-z]+/[a-z0-9_]+ .*", text, re.M)
    if len(records) != again.count("\n"):
        return "%d records, %d by babeltrace2" % (len(records), again.count("\n"))
    return None


def every_step(test, guest, name, n):
    """Panic after each of the next @n instructions, from where the guest stands."""
    dump = os.path.join(DIR, "dump")
    wrong = 0
    guest.monitor("savevm start")
    for i in range(n + 1):
        guest.monitor("loadvm start")
        guest.step(i)
        rip = guest.register(RIP)
        guest.monitor("nmi")
        at = guest.run_to("native_machine_emergency_restart")
        if os.path.exists(dump):
            os.unlink(dump)
        guest.monitor("dump-guest-memory " + dump)
        why = verdict(dump) if at[0] != "0" else "stopped at " + at
        if why:
            wrong += 1
            print("# step %d, at %x: %s" % (i, rip, why[:200]))
    print("%sok %d - %s: %d panics, one after each instruction" %
          ("not " if wrong else "", test, name, n + 1), flush=True)
    guest.monitor("loadvm start")


def to_a_switch(guest):
    """To the beginning of what switches packets."""
    while True:
        if guest.run_to("lkst_ring_reserve_slow", "packet_begin") == "packet_begin":
            guest.monitor("loadvm slow")
            return
        guest.monitor("savevm slow")
        guest.step()


while not os.path.exists(DIR + "/gdb"):
    time.sleep(0.1)
guest = Guest(DIR + "/gdb")
for _ in range(20):
    guest.run_to("__lkst_net_transmit")
    guest.step()
guest.run_to("__lkst_net_transmit")
guest.monitor("savevm record")
steps = guest.call_length()
guest.monitor("loadvm record")
every_step(1, guest, "a record", steps)
to_a_switch(guest)
guest.monitor("savevm slow")
steps = guest.call_length()
guest.monitor("loadvm slow")
every_step(2, guest, "a switch of packets", steps)
guest.monitor("quit")
