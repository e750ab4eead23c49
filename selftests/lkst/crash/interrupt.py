#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""interrupt.py EXTENSION COMMAND...: on a terminal, run COMMAND, which is crash, load
EXTENSION, and type Ctrl-C while `lkst print' writes; what comes after that is printed."""
import os
import pty
import select
import subprocess
import sys
import time

PROMPT = b"crash> "


def read(what, limit=30):
    """All up to where @what was seen."""
    got, end = b"", time.time() + limit
    while what not in got:
        if time.time() > end or not select.select([terminal], [], [], limit)[0]:
            sys.exit(f"interrupt.py: no {what} after {got[-200:]}")
        got += os.read(terminal, 65536)
    return got


def command(text):
    os.write(terminal, text + b"\n")
    return read(PROMPT)


child, terminal = pty.fork()
if not child:
    os.execvp(sys.argv[2], sys.argv[2:])
read(PROMPT)
command(b"set scroll off")
command(b"extend " + sys.argv[1].encode())
# Nobody reads, so it comes to a stop.
os.write(terminal, b"lkst print\n")
read(b"lkst/start")
time.sleep(0.5)
os.write(terminal, b"\x03")
if b"kernel/crash_kexec" in read(PROMPT):
    sys.exit("interrupt.py: all was printed")
left = subprocess.run(["ps", "--ppid", str(child)], capture_output=True, check=False).stdout
if left.count(b"\n") > 1:
    sys.exit(f"interrupt.py: of crash there is left: {left}")
sys.stdout.write(command(b"lkst status").decode().replace("\r\n", "\n"))
os.write(terminal, b"quit\n")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
