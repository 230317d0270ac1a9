#!/bin/bash
# top-terminal.sh - cabprof top on a terminal shows pages that fit, and a new one after a change of
# size or a key; q, ^C, a signal and the program's end each restore the terminal.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/cli.sh"
need python3

cat >spin.c <<'END'
#include <time.h>
#include <unistd.h>
#define F(n) __attribute__ ((noipa)) static void f##n (void) { }
#define ALL X (0) X (1) X (2) X (3) X (4) X (5) X (6) X (7) X (8) X (9) X (10) X (11) X (12) X (13) X (14) X (15)
#define X(n) F (n)
ALL
#undef X
#define X(n) f##n ();
int main (void)
{
  for (;;)
    {
      ALL
      struct timespec wait = { 0, 1000000 };
      nanosleep (&wait, NULL);
      if (access ("end", F_OK) == 0)
	return 0;
    }
}
END
gcc -O1 -g "-fplugin=$PLUGIN" -fplugin-arg-cabprof-events=calls spin.c -o spin ||
  fail "spin.c does not compile"

cat >terminal.py <<'END'
import fcntl, os, pty, re, select, signal, struct, subprocess, sys, termios, time
cabprof = sys.argv[1]
PAGE = b"\x1b[H\x1b[2J"

class Terminal:
    def __init__ (self, rows, columns, pid, *options, keys = True):
        self.master, self.slave = pty.openpty ()
        self.resize (rows, columns)
        self.before, self.text = termios.tcgetattr (self.slave), b""
        take = lambda: (os.setsid (), fcntl.ioctl (self.slave, termios.TIOCSCTTY, 0))
        self.top = subprocess.Popen ([cabprof, "top", str (pid), *options], stdin = self.slave if keys else subprocess.DEVNULL,
                                     stdout = self.slave, stderr = self.slave, preexec_fn = take)
    def resize (self, rows, columns):
        fcntl.ioctl (self.master, termios.TIOCSWINSZ, struct.pack ("HHHH", rows, columns, 0, 0))
    def read (self, seconds = 0.1):
        end = time.time () + seconds
        while select.select ([self.master], [], [], max (0, end - time.time ()))[0] and time.time () < end:
            self.text += os.read (self.master, 65536)
    def pages (self):
        return self.text.split (PAGE)[1:]
    def wait_for_pages (self, n):
        end = time.time () + 30
        while len (self.pages ()) < n or not self.pages ()[-1].rstrip ():
            assert time.time () < end, ("no page", n, self.text)
            self.read ()
        self.read (0.5)
        return self.pages ()[n - 1].decode ()
    def type (self, keys):
        os.write (self.master, keys)
    def end (self, status):
        deadline = time.time () + 30
        while self.top.poll () is None:
            assert time.time () < deadline, ("still runs", self.text)
            self.read ()
        assert self.top.returncode == status, (self.top.returncode, self.text)
        assert termios.tcgetattr (self.slave) == self.before, "the terminal is not as it was"
        os.close (self.master), os.close (self.slave)

def fits (page, rows, columns):
    lines = re.sub (r"\x1b\[\d*m|\r", "", page).rstrip ("\n").split ("\n")
    assert len (lines) < rows and max (map (len, lines)) <= columns, (rows, columns, page)
    assert re.match (r"process \d+ at \d\d:\d\d:\d\d: methods", lines[0]) and "Functions" in page, page

signal.signal (signal.SIGHUP, signal.SIG_IGN)
# A shell's background job, as the suite may be, ignores ^C, and so would top.
signal.signal (signal.SIGINT, signal.default_int_handler)
program = subprocess.Popen (["./spin"], stdin = subprocess.DEVNULL)
time.sleep (0.5)
hour = "--interval=3600"

t = Terminal (24, 80, program.pid, "--interval=0.1")            # again and again
fits (t.wait_for_pages (3), 24, 80)
keys = termios.tcgetattr (t.slave)
assert not keys[3] & termios.ECHO and not keys[3] & termios.ICANON, "keys are not read"
t.type (b"q")
t.end (0)

t = Terminal (30, 90, program.pid, hour)                        # a change of size, and keys
fits (t.wait_for_pages (1), 30, 90)
t.resize (14, 60)
fits (t.wait_for_pages (2), 14, 60)
assert "more" in t.pages ()[-1].decode (), t.pages ()[-1]
t.type (b"x")
t.read (0.5)
assert len (t.pages ()) == 2, "a key without a meaning shows a page"
t.type (b" ")
t.wait_for_pages (3)
t.type (b"\n")
t.wait_for_pages (4)
t.type (b"q")
t.end (0)

for how, status in ((lambda t: t.type (b"\x03"), -signal.SIGINT), (lambda t: t.top.send_signal (signal.SIGTERM), -signal.SIGTERM)):
    t = Terminal (24, 80, program.pid, hour)
    t.wait_for_pages (1)
    how (t)
    t.end (status)

t = Terminal (24, 80, program.pid, "--interval=0.1", "--count=2", keys = False)   # no keys: standard input is none
fits (t.wait_for_pages (2), 24, 80)
t.end (0)

t = Terminal (24, 80, program.pid, hour)                        # the terminal is closed, and SIGHUP ignored
t.wait_for_pages (1)
os.close (t.master), os.close (t.slave)
assert t.top.wait (30) == 0

t = Terminal (24, 80, program.pid, "--interval=0.1")            # the program ends
t.wait_for_pages (2)
open ("end", "w").close ()
program.wait ()
t.end (0)
fits (t.pages ()[-1].decode (), 24, 80)
END
python3 terminal.py "$CABPROF" || { touch end; fail "not on a terminal"; }
exit 0
