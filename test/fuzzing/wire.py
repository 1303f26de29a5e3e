"""Sessions with the server: simple queries over its socket, and nothing else.

A session is asked with run(), or with send() and poll() where several work at the
same time.  Of an error all fields are kept, its SQLSTATE first of all.  Needs a
socket without passwords, which the private clusters of the tests have.
"""

import os
import select
import socket
import struct
import time

# A statement that does not end is cancelled after so many seconds, and given up, with
# its session, after as many again.  Far more than any statement takes.
PATIENCE = 300
KEPT_ROWS = 2000

# The setting that makes plans parallel, which has another name from PostgreSQL 16 on.
PARALLEL = os.environ.get("SDC_PARALLEL", "force_parallel_mode")


class Lost(Exception):
    """The connection is gone, or the statement did not end."""


class Answer:
    """What came back for a statement: rows as text, the error, messages."""

    def __init__(self):
        self.rows = []
        self.count = 0
        self.error = None       # fields of the error by their letters
        self.notices = []

    @property
    def state(self):
        """The SQLSTATE, 00000 for success."""
        return self.error["C"] if self.error else "00000"

    @property
    def message(self):
        return self.error["M"] if self.error else ""

    @property
    def where(self):
        """The place in the source of server or extension that raised the error."""
        return "%s:%s" % (self.error.get("F", "?"), self.error.get("L", "?")) if self.error else ""


def fields(body):
    """Takes an error or notice apart: strings that begin with a letter."""
    parts = body.split(b"\0")
    return {p[:1].decode(): p[1:].decode(errors="replace") for p in parts if p}


class Session:
    """One connection.  lost tells why it is gone, if it is."""

    def __init__(self, database, options="", user="postgres"):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.address = os.path.join(os.environ["PGHOST"], ".s.PGSQL." + os.environ.get("PGPORT", "5432"))
        self.socket.settimeout(60)
        self.socket.connect(self.address)
        self.buffer = b""
        self.pid = self.secret = None
        self.lost = None
        self.farewell = None    # the last FATAL error
        self.answer = Answer()
        self.last = "connect"
        words = {"user": user, "database": database, "options": options,
                 "application_name": "fuzz", "client_encoding": "UTF8"}
        body = b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in words.items()) + b"\0"
        self.socket.sendall(struct.pack("!ii", len(body) + 8, 196608) + body)
        answer = self.wait()
        if answer.error:
            raise Lost(answer.message)

    def fileno(self):
        """What select() waits for."""
        return self.socket.fileno()

    def send(self, sql):
        """Begins a statement, or several, separated by semicolons."""
        body = sql.encode() + b"\0"
        self.last = sql
        self.answer = Answer()
        try:
            self.socket.sendall(b"Q" + struct.pack("!i", len(body) + 4) + body)
        except OSError as problem:
            self.drain()
            self.end(str(problem))

    def end(self, why):
        """The connection is gone: closes what is left of it, and remembers why."""
        if self.lost is None:
            self.lost = self.farewell["M"] if self.farewell else why
        self.socket.close()

    def drain(self):
        """Reads what the server said before it closed the connection."""
        try:
            while self.receive():
                self.digest()
        except (OSError, Lost):
            pass

    def receive(self):
        """Reads what there is; False at the end of the connection."""
        data = self.socket.recv(1 << 16)
        self.buffer += data
        return data != b""

    def digest(self):
        """Takes complete messages from the buffer; True when the statement has ended."""
        place = 0
        ended = False
        while len(self.buffer) - place >= 5:
            kind = self.buffer[place:place + 1]
            length = struct.unpack_from("!i", self.buffer, place + 1)[0]
            if len(self.buffer) - place < length + 1:
                break
            ended = self.message(kind, self.buffer[place + 5:place + 1 + length]) or ended
            place += length + 1
        self.buffer = self.buffer[place:]
        return ended

    def message(self, kind, body):
        """One message of the server; True if it is ready for the next statement."""
        if kind == b"D":
            self.answer.count += 1
            if len(self.answer.rows) < KEPT_ROWS:
                self.answer.rows.append(self.row(body))
        elif kind == b"T":
            self.answer.rows = []
            self.answer.count = 0
        elif kind == b"E":
            self.answer.error = fields(body)
            if self.answer.error.get("V") in ("FATAL", "PANIC"):
                self.farewell = self.answer.error
        elif kind == b"N":
            self.answer.notices.append(fields(body))
        elif kind == b"K":
            self.pid, self.secret = struct.unpack("!ii", body)
        elif kind == b"R" and struct.unpack("!i", body[:4])[0] != 0:
            raise Lost("the server asks for a password")
        elif kind == b"G":
            self.socket.sendall(b"f" + struct.pack("!i", 6) + b"-\0")
        return kind == b"Z"

    @staticmethod
    def row(body):
        """A row as a tuple of texts and None."""
        values, place = [], 2
        for _ in range(struct.unpack_from("!h", body)[0]):
            length = struct.unpack_from("!i", body, place)[0]
            place += 4
            if length < 0:
                values.append(None)
            else:
                values.append(body[place:place + length].decode(errors="replace"))
                place += length
        return tuple(values)

    def poll(self):
        """The answer if the statement has ended, else None.  Call it when there is input."""
        if self.lost is not None:
            return self.answer
        try:
            if not self.receive():
                self.digest()
                self.end("the server closed the connection")
                return self.answer
        except OSError as problem:
            self.end(str(problem))
            return self.answer
        return self.answer if self.digest() else None

    def wait(self):
        """Waits for the end of the statement."""
        begin = time.monotonic()
        cancelled = False
        while True:
            if self.lost is not None:
                raise Lost(self.lost)
            ready = select.select([self], [], [], 5)[0]
            if ready:
                answer = self.poll()
                if self.lost is not None:
                    raise Lost(self.lost)
                if answer is not None:
                    return answer
            waited = time.monotonic() - begin
            if waited > 2 * PATIENCE:
                self.end("the statement does not end, and cannot be cancelled")
            elif waited > PATIENCE and not cancelled:
                self.cancel()
                cancelled = True

    def cancel(self):
        """Asks the server to cancel the statement that runs."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
            other.connect(self.address)
            other.sendall(struct.pack("!iiii", 16, 80877102, self.pid, self.secret))
            other.recv(1)

    def run(self, sql):
        """Runs a statement and returns the answer, an error included."""
        self.send(sql)
        return self.wait()

    def rows(self, sql):
        """The rows of a statement that must succeed."""
        answer = self.run(sql)
        if answer.error:
            raise RuntimeError("%s %s: %s" % (answer.state, answer.message, sql))
        return answer.rows

    def value(self, sql):
        """The single value of a statement that must succeed."""
        return self.rows(sql)[0][0]

    def close(self):
        """Ends the session."""
        if self.lost is None:
            try:
                self.socket.sendall(b"X" + struct.pack("!i", 4))
            except OSError:
                pass
            self.end("closed")


def quoted(text):
    """An SQL literal."""
    if "\\" in text:
        return " E'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
    return "'" + text.replace("'", "''") + "'"


def identifier(name):
    """A quoted SQL name."""
    return '"' + name.replace('"', '""') + '"'


def names(columns):
    """An SQL array of names."""
    return "ARRAY[%s]::pg_catalog.name[]" % ", ".join(quoted(c) for c in columns)
