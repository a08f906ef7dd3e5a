"""Run a full-screen program in a pseudo-terminal that answers queries like a real terminal.

`Terminal` starts a command, reads its output, answers its queries as the chosen
profile would, counts the pictures it draws, and samples its memory.

Profiles, by claimed capabilities:

    sixel       sixel pictures, as xterm
    kitty       kitty graphics, also from files and shared memory, as kitty on this machine
    iterm       iTerm2's inline pictures, and no sixels, so that a program must use them
    truecolor   24-bit color, no pictures
    dumb        TERM=vt100; answers only the cursor position query

The output is read by a small state machine that jumps from escape to escape
with bytes.find, so the body of a picture costs next to nothing to skip.
The cursor is not tracked: its position is always reported as row 1, column 1.
"""

import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PROFILES = ('sixel', 'kitty', 'iterm', 'truecolor', 'dumb')
PICTURE_PROFILES = ('sixel', 'kitty', 'iterm')

# Variables that would reveal this script's own terminal to the program, or change what it draws.
FOREIGN_VARIABLES = ('KITTY', 'TERM_PROGRAM', 'WEZTERM', 'TMUX', 'STY', 'VTE', 'KONSOLE', 'ITERM', 'GHOSTTY', 'LC_TERMINAL')
FOREIGN_EXACT = ('COLORTERM', 'NO_COLOR', 'LINES', 'COLUMNS', 'WINDOWID')

# Modes that DECRQM reports as known; every other mode is reported as unknown.
KNOWN_MODES = {1, 7, 12, 25, 80, 1000, 1002, 1003, 1004, 1006, 1016, 1049, 1070, 2004, 2026, 2031, 2048, 8452}
FIRST_MODES = {7, 25}       # those that are set at first: lines wrap, and the cursor is shown

TICK = 0.01                 # seconds between two memory samples without output
HEAD = 8192                 # bytes of a DCS, OSC or APC string that are kept for parsing

# Keys that change with the application cursor mode (DECCKM): final letter only.
CURSOR_KEYS = {'Up': 'A', 'Down': 'B', 'Right': 'C', 'Left': 'D', 'End': 'F', 'Home': 'H'}
PLAIN_KEYS = {
    'PageUp': '\x1b[5~', 'PageDown': '\x1b[6~', 'Insert': '\x1b[2~', 'Delete': '\x1b[3~',
    'Space': ' ', 'Enter': '\r', 'Return': '\r', 'Esc': '\x1b', 'Escape': '\x1b', 'Tab': '\t',
    'BackTab': '\x1b[Z', 'Backspace': '\x7f',
    'F1': '\x1bOP', 'F2': '\x1bOQ', 'F3': '\x1bOR', 'F4': '\x1bOS', 'F5': '\x1b[15~', 'F6': '\x1b[17~',
    'F7': '\x1b[18~', 'F8': '\x1b[19~', 'F9': '\x1b[20~', 'F10': '\x1b[21~', 'F11': '\x1b[23~', 'F12': '\x1b[24~',
}


def parse_keys(text):
    """Split 'Right*3 x Ctrl+C' into ['Right', 'Right', 'Right', 'x', 'Ctrl+C']."""
    names = []
    for word in text.split():
        repeated = re.fullmatch(r'(.+)\*(\d+)', word)
        names += [repeated[1]] * int(repeated[2]) if repeated else [word]
    return names


class OutputScanner:
    """Finds the queries and pictures in a program's output, however the reads split it."""

    def __init__(self, on_control, on_string):
        """`on_control(text)` gets each CSI sequence without its ESC [ (short ones only);
        `on_string(kind, head, start, end)` each finished DCS (P), OSC (]), APC (_) or PM (^)."""
        self.on_control = on_control
        self.on_string = on_string
        self.offset = 0             # of the next byte in the complete output
        self._state = 'ground'
        self._kind = b''
        self._head = bytearray()
        self._start = 0

    def feed(self, data):
        i, n = 0, len(data)
        while i < n:
            if self._state == 'ground':
                i = data.find(b'\x1b', i)
                if i < 0:
                    break
                self._start = self.offset + i
                self._state = 'escape'
                i += 1
            elif self._state == 'escape':
                c = data[i:i + 1]
                i += 1
                self._head.clear()
                if c == b'[':
                    self._state = 'control'
                elif c in (b'P', b']', b'_', b'^', b'X'):
                    self._state, self._kind = 'string', c
                elif c != b'\x1b':
                    self._state = 'ground'
            elif self._state == 'control':
                while i < n:
                    c = data[i]
                    i += 1
                    if c == 0x1b:
                        self._state = 'escape'
                        break
                    if c in (0x18, 0x1a):
                        self._state = 'ground'
                        break
                    self._head.append(c)
                    if 0x40 <= c <= 0x7e:
                        self._state = 'ground'
                        if len(self._head) <= 64:
                            self.on_control(bytes(self._head))
                        break
            elif self._state == 'string':
                stop = data.find(b'\x1b', i)
                end = n if stop < 0 else stop
                bell = data.find(b'\x07', i, end) if self._kind == b']' else -1
                cancel = data.find(b'\x18', i, end)
                if 0 <= cancel and not 0 <= bell < cancel:
                    self._state = 'ground'
                    i = cancel + 1
                    continue
                stop_at = bell if bell >= 0 else end
                room = HEAD - len(self._head)
                if room > 0:
                    self._head += data[i:min(stop_at, i + room)]
                if bell >= 0:
                    self._finish(bell + 1)
                    i = bell + 1
                elif stop >= 0:
                    self._state = 'string escape'
                    i = stop + 1
                else:
                    i = n
            else:                                       # an ESC within a string
                if data[i:i + 1] == b'\\':
                    self._finish(i + 1)
                    i += 1
                else:                                   # the string is cut short by another sequence
                    self._start = self.offset + i - 1
                    self._state = 'escape'
        self.offset += n

    def _finish(self, end):
        self._state = 'ground'
        self.on_string(self._kind, bytes(self._head), self._start, self.offset + end)


class ProcessTreeMemory:
    """Peak memory (VmHWM) of a process and all its descendants, sampled from /proc.

    Create it before the process starts: running processes are no descendants, and are skipped from then on."""

    INTERVAL = 0.02                 # seconds between two samples

    def __init__(self):
        self.pid = None             # of the process, once it runs
        self.own_kib = 0            # VmHWM of the process itself
        self.peak_kib = 0           # largest sum of VmHWM over the processes alive at one time
        self._foreign = self._running()
        self._family = set()        # the process and its descendants, as of the last sample
        self._looked = 0.0

    @staticmethod
    def _running():
        return {int(name) for name in os.listdir('/proc') if name.isdecimal()}

    @staticmethod
    def _status(pid):
        """(parent, VmHWM in KiB) of a process; (None, 0) when it has ended."""
        try:
            with open(f'/proc/{pid}/status', 'rb') as f:
                text = f.read()
        except OSError:
            return None, 0
        parent, peak = re.search(rb'\nPPid:\s*(\d+)', text), re.search(rb'\nVmHWM:\s*(\d+)', text)
        return int(parent[1]) if parent else None, int(peak[1]) if peak else 0

    def sample(self):
        now = time.perf_counter()
        if self.pid is None or now - self._looked < self.INTERVAL:
            return
        self._looked = now
        running = self._running()
        self._foreign &= running
        family, total = set(), 0
        for pid in sorted(running - self._foreign):     # parents mostly come before their children
            parent, kib = self._status(pid)
            if pid == self.pid:
                self.own_kib = max(self.own_kib, kib)
            elif pid not in self._family:
                if parent in family or parent in self._family:
                    kib = 0         # counts from the second sample on: just forked, it would count its parent's pages again
                else:
                    if parent in self._foreign or parent == os.getpid():
                        self._foreign.add(pid)
                    continue
            family.add(pid)
            total += kib
        self._family = family
        self.peak_kib = max(self.peak_kib, total)


class Terminal:
    """A command in a pseudo-terminal.

    bytes       number of bytes that the program has drawn
    pictures    list of (time, end offset), one for each picture that it has drawn
    last        time of the last byte; all times are time.perf_counter()
    output      all that it has drawn, when made with record=True
    modes       numbers of the private modes that are set, at first FIRST_MODES
    """

    def __init__(self, argv, cols=120, rows=40, profile='sixel', cell=(10, 20), env=None, cwd=None,
                 stdout='terminal', record=False):
        """`stdout` is 'terminal', or 'pipe' to capture the program's result separately from its screen."""
        if profile not in PROFILES:
            raise ValueError(f'no such profile: {profile}')
        self.profile, self.cols, self.rows, self.cell = profile, cols, rows, cell
        self.bytes, self.pictures = 0, []
        self.output = bytearray() if record else None
        self.alive, self.usage = True, None
        self.modes = set(FIRST_MODES)
        self.answer = bytearray()                       # the output through the stdout pipe
        self._pending = bytearray()                     # replies that did not fit into the terminal yet
        self._transfer = None                           # keys of a kitty picture sent in pieces
        self._scanner = OutputScanner(self._on_control, self._on_string)
        environment = self._environment(env or {})
        size = struct.pack('HHHH', rows, cols, cols * cell[0], rows * cell[1])
        self._pipe, pipe_end = os.pipe() if stdout == 'pipe' else (None, None)

        self.memory = ProcessTreeMemory()
        self.started = self.last = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                if cwd:
                    os.chdir(cwd)
                if pipe_end is not None:
                    os.dup2(pipe_end, 1)
                os.execvpe(argv[0], argv, environment)
            except OSError as error:
                os.write(2, f'{argv[0]}: {error.strerror}\r\n'.encode())
            os._exit(127)
        os.set_blocking(self.fd, False)
        if self._pipe is not None:
            os.close(pipe_end)
            os.set_blocking(self._pipe, False)
        self.memory.pid = self.pid

    def _environment(self, extra):
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith(FOREIGN_VARIABLES) and k not in FOREIGN_EXACT}
        environment.update(LANG='C.UTF-8', LC_ALL='C.UTF-8',
                           TERM={'kitty': 'xterm-kitty', 'dumb': 'vt100'}.get(self.profile, 'xterm-256color'))
        if self.profile != 'dumb':
            environment['COLORTERM'] = 'truecolor'
        if self.profile == 'kitty':
            environment['KITTY_WINDOW_ID'] = '1'
        if self.profile == 'iterm':
            environment['TERM_PROGRAM'] = 'iTerm.app'
        environment.update(extra)
        return environment

    # -- queries of the program -------------------------------------------------

    def _reply(self, data):
        self._pending += data

    def _flush(self):
        if self._pending:
            try:
                del self._pending[:os.write(self.fd, self._pending)]
            except (BlockingIOError, OSError):
                pass

    def _on_control(self, text):
        final = text[-1:]
        if m := re.fullmatch(rb'\?([\d;]+)([hl])', text):
            numbers = {int(number) for number in m[1].split(b';') if number}
            self.modes = self.modes | numbers if m[2] == b'h' else self.modes - numbers
            if m[2] == b'h' and 2048 in numbers:
                self._report_size()
        if text == b'6n':
            self._reply(b'\x1b[1;1R')
        if self.profile == 'dumb' or final not in b'cqtnpSu':
            return
        width, height = self.cell
        if text in (b'c', b'0c'):
            self._reply(b'\x1b[?62;4;6;22c' if self.profile == 'sixel' else b'\x1b[?62;6;22c')
        elif text in (b'>c', b'>0c'):
            self._reply(b'\x1b[>41;379;0c')
        elif text in (b'>q', b'>0q'):
            name = {'sixel': b'XTerm(379)', 'kitty': b'kitty(0.36.4)', 'iterm': b'iTerm2 3.5.0'}.get(self.profile)
            if name:
                self._reply(b'\x1bP>|' + name + b'\x1b\\')
        elif text == b'5n':
            self._reply(b'\x1b[0n')
        elif text == b'14t':
            self._reply(b'\x1b[4;%d;%dt' % (self.rows * height, self.cols * width))
        elif text == b'16t':
            self._reply(b'\x1b[6;%d;%dt' % (height, width))
        elif text == b'18t':
            self._reply(b'\x1b[8;%d;%dt' % (self.rows, self.cols))
        elif text == b'?u' and self.profile == 'kitty':
            self._reply(b'\x1b[?0u')
        elif final == b'p' and (m := re.fullmatch(rb'\?(\d+)\$p', text)):
            mode = int(m[1])
            self._reply(b'\x1b[?%d;%d$y' % (mode, 0 if mode not in KNOWN_MODES else 1 if mode in self.modes else 2))
        elif final == b'S' and self.profile == 'sixel' and (m := re.fullmatch(rb'\?([12]);[14](?:;\d*)*S', text)):
            self._reply(b'\x1b[?1;0;256S' if m[1] == b'1'
                        else b'\x1b[?2;0;%d;%dS' % (self.cols * width, self.rows * height))

    def _report_size(self):
        """Report the size in band, as mode 2048 asks for."""
        if self.profile == 'dumb':
            return
        width, height = self.cell
        self._reply(b'\x1b[48;%d;%d;%d;%dt' % (self.rows, self.cols, self.rows * height, self.cols * width))

    def _on_string(self, kind, head, start, end):
        if kind == b'P':
            if re.match(rb'[0-9;]*q', head):
                self._picture('sixel', end)
            elif head.startswith(b'+q') and self.profile != 'dumb':
                self._reply(b'\x1bP0+r\x1b\\')
            elif head.startswith(b'$q') and self.profile != 'dumb':
                self._reply(b'\x1bP0$r\x1b\\')
        elif kind == b'_' and head.startswith(b'G'):
            self._on_kitty(head[1:], end)
        elif kind == b']':
            if head.startswith((b'1337;File=', b'1337;FileEnd')):
                self._picture('iterm', end)
            elif self.profile != 'dumb' and head in (b'10;?', b'11;?', b'12;?'):
                colour = b'1e1e/1e1e/1e1e' if head[:2] == b'11' else b'dddd/dddd/dddd'
                self._reply(b'\x1b]' + head[:3] + b'rgb:' + colour + b'\x1b\\')

    def _picture(self, kind, end):
        if kind == self.profile:
            self.pictures.append((self.last, end))

    def _on_kitty(self, body, end):
        if self.profile != 'kitty':
            return
        control, _, payload = body.partition(b';')
        keys = dict(pair.split(b'=', 1) for pair in control.split(b',') if b'=' in pair)
        if self._transfer is not None and b'a' not in keys:     # the next piece of a picture
            keys = {**self._transfer, b'm': keys.get(b'm', b'0')}
        action = keys.get(b'a', b't')
        if keys.get(b'm') == b'1':
            self._transfer = keys
            return
        self._transfer = None
        error = None
        if action in b'tTq' and keys.get(b't', b'd') != b'd':
            error = self._take_medium(keys[b't'], payload)
        if action in (b'T', b'p') and not error:
            self._picture('kitty', end)
        quiet = keys.get(b'q', b'0')
        named = [k + b'=' + keys[k] for k in (b'i', b'I', b'p') if k in keys]
        silent = quiet == b'2' or (quiet == b'1' and not error)
        if named and action in b'tTqp' and not silent:
            self._reply(b'\x1b_G' + b','.join(named) + b';' + (error or b'OK') + b'\x1b\\')

    @staticmethod
    def _take_medium(medium, payload):
        """Find the file or shared memory with a picture, and remove it as kitty does."""
        try:
            name = os.fsdecode(base64.b64decode(payload))
            if medium == b's':
                os.unlink('/dev/shm/' + name.lstrip('/'))
            elif medium == b't' and 'tty-graphics-protocol' in name and name.startswith(('/tmp/', '/dev/shm/')):
                os.unlink(name)
            elif not os.path.exists(name):
                return b'EBADF:no such file'
        except (OSError, ValueError):
            return b'EBADF:no such file'
        return None

    # -- reading and typing ----------------------------------------------------

    def pump(self, timeout):
        """Read available output, waiting at most `timeout` seconds; returns the number of bytes, None at the end."""
        sources = [self.fd] if self._pipe is None else [self.fd, self._pipe]
        ready, _, _ = select.select(sources, [self.fd] if self._pending else [], [], timeout)
        self._flush()
        if self._pipe in ready:
            try:
                data = os.read(self._pipe, 1 << 16)
                self.answer += data
                if not data:
                    os.close(self._pipe)
                    self._pipe = None
            except BlockingIOError:
                pass
        if self.fd not in ready:
            return 0
        got = 0
        while got < 1 << 20:
            try:
                data = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                break
            except OSError:                             # EIO: the last user of the terminal has closed it
                data = b''
            if not data:
                self.alive = False
                return got or None
            self.last = time.perf_counter()
            got += len(data)
            self.bytes += len(data)
            if self.output is not None:
                self.output += data
            self._scanner.feed(data)
            self._flush()
        return got

    def wait_quiet(self, quiet=0.25, timeout=10.0):
        """Read until there was no output for `quiet` seconds; returns the time of the last byte."""
        begin = time.perf_counter()
        while True:
            now = time.perf_counter()
            left = min(max(begin, self.last) + quiet, begin + timeout) - now
            if left <= 0:
                break
            got = self.pump(min(left, TICK))
            if got is None:
                break
            if not got:
                self.memory.sample()
        return self.last

    def wait_until(self, moment):
        """Read until the given time; returns the time of the last byte."""
        while (left := moment - time.perf_counter()) > 0:
            got = self.pump(min(left, TICK))
            if got is None:
                break
            if not got:
                self.memory.sample()
        return self.last

    def key_bytes(self, name):
        """The bytes that a terminal in its current mode sends for a key: 'Right', 'Ctrl+C', 'F5', or literal text."""
        if name in CURSOR_KEYS:
            return ('\x1bO' if 1 in self.modes else '\x1b[').encode() + CURSOR_KEYS[name].encode()
        if name in PLAIN_KEYS:
            return PLAIN_KEYS[name].encode()
        if name.startswith('Ctrl+') and len(name) == 6:
            return bytes([ord(name[5].upper()) & 0x1f])
        if name.startswith('Alt+') and len(name) == 5:
            return b'\x1b' + name[4].encode()
        return name.encode()

    def press(self, name):
        """Press a key; returns its time."""
        data = self.key_bytes(name)
        moment = time.perf_counter()
        self._pending += data
        self._flush()
        return moment

    def resize(self, cols, rows):
        """Change the size of the window; the program gets SIGWINCH, and a report if it asked for them."""
        self.cols, self.rows = cols, rows
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', rows, cols, cols * self.cell[0], rows * self.cell[1]))
        if 2048 in self.modes:
            self._report_size()
            self._flush()

    def finish(self, timeout=5.0):
        """Wait for the program's end; returns its exit status, minus the signal that ended it, or 'killed'.

        After this, `usage` holds the resources of the program and of the children it has waited for."""
        deadline = time.perf_counter() + timeout
        status = None
        while True:
            pid, raw, self.usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                status = os.waitstatus_to_exitcode(raw)
                break
            if time.perf_counter() > deadline:
                os.killpg(self.pid, signal.SIGKILL)     # its own session, created by pty.fork
                _, _, self.usage = os.wait4(self.pid, 0)
                status = 'killed'
                break
            if self.alive:
                self.pump(TICK)
            else:
                time.sleep(TICK)
        while self.alive and self.pump(0):              # output written just before its end
            pass
        while self._pipe is not None and select.select([self._pipe], [], [], 0)[0]:
            data = os.read(self._pipe, 1 << 16)
            if not data:
                break
            self.answer += data
        os.close(self.fd)
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None
        return status
