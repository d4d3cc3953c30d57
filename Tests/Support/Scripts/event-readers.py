#!/usr/bin/python3
"""event-readers.py PORT READERS STOPPED LAST
Follows /events over many connections at once, of which STOPPED read nothing after the first event. Prints "ready" once each has had its
first event, and after an event with LAST in it has come to all that read, a line of JSON: how many of those got each number once and in
order, and what the first of the others got."""

import json
import selectors
import socket
import sys
import time

port, count, stopped = (int(argument) for argument in sys.argv[1:4])
last = sys.argv[4].encode()
selector = selectors.DefaultSelector()


class Reader:
    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n")
        self.socket.setblocking(False)
        self.rest = b""
        self.numbers = []
        self.skipped = 0
        self.isOver = False
        selector.register(self.socket, selectors.EVENT_READ, self)

    def read(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            selector.unregister(self.socket)
            self.isOver = True
            return
        *lines, self.rest = (self.rest + piece).split(b"\n")
        for line in lines:
            if not line.startswith(b"{"):
                continue
            event = json.loads(line)
            self.numbers.append(event.get("seq"))
            self.skipped += event.get("skipped", 0)
            self.isOver = self.isOver or last in line

    @property
    def isWhole(self):
        first = self.numbers[0]
        return self.skipped == 0 and self.numbers == list(range(first, first + len(self.numbers)))


def follow(readers, isDone):
    end = time.monotonic() + 90
    while not all(isDone(reader) for reader in readers) and time.monotonic() < end:
        for key, _ in selector.select(1):
            key.data.read()


readers = []
for _ in range(count):
    readers.append(Reader())
follow(readers, lambda reader: reader.numbers)
print("ready", flush=True)
for reader in readers[:stopped]:
    selector.unregister(reader.socket)
others = readers[stopped:]
follow(others, lambda reader: reader.isOver)
whole = [reader for reader in others if reader.isWhole and reader.isOver]
bad = next((reader.numbers for reader in others if reader not in whole), None)
print(json.dumps({"whole": len(whole), "events": len(others[0].numbers), "bad": bad}), flush=True)
