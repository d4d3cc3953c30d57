#!/usr/bin/python3
"""fleet-crowd.py PROGRAM LINES [--hosts N]
`netwatch fleet` before a broker that holds the states of N hosts: how long until the first word that names all of them, how much memory
a host takes, how many events a second it follows, and what it knows after the broker has come back with other states. What the
hosts publish is the last event of LINES, a recording's, under each one's name. Prints one line of JSON."""

import argparse
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("lines")
parser.add_argument("--hosts", type=int, default=100_000)
options = parser.parse_args()
folder = tempfile.mkdtemp(prefix="netwatch-crowd-")
with open(options.lines) as file:
    recorded = json.loads([line for line in file if '"kind":"result"' not in line][-1])
recorded.pop("from", None)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


port = free_port()


def broker(at):
    file = f"{folder}/mosquitto-{at}.conf"
    with open(file, "w") as out:
        # Else it leaves out what comes while a thousand messages wait for the reader (Documentation/Fleet.md).
        out.write(f"max_queued_messages 0\nlistener {at} 127.0.0.1\nallow_anonymous true\npersistence true\nuser root\n"
                  f"persistence_location {folder}/\n")
    process = subprocess.Popen(["mosquitto", "-c", file], stderr=open(f"{folder}/mosquitto.log", "ab"))
    while True:
        try:
            socket.create_connection(("127.0.0.1", at)).close()
            return process
        except OSError:
            time.sleep(0.01)


def length(number):
    encoded = b""
    while True:
        number, digit = number >> 7, number & 127
        encoded += bytes([digit | (128 if number else 0)])
        if not number:
            return encoded


def text(word):
    return struct.pack("!H", len(word)) + word


class Publisher:
    """As much of MQTT 3.1.1 as it takes to publish."""

    def __init__(self, at):
        self.socket = socket.create_connection(("127.0.0.1", at))
        body = text(b"MQTT") + bytes([4, 2, 0, 0]) + text(b"crowd")
        self.socket.sendall(b"\x10" + length(len(body)) + body)
        assert self.socket.recv(4)[3] == 0
        self.waiting = bytearray()

    def publish(self, topic, payload, isRetained=True):
        body = text(topic.encode()) + payload
        self.waiting += bytes([0x31 if isRetained else 0x30]) + length(len(body)) + body
        if len(self.waiting) > 1 << 18:
            self.flush()

    def flush(self):
        self.socket.sendall(self.waiting)
        self.waiting = bytearray()

    def end(self):
        """Waits until the broker has taken all of it."""
        self.waiting += b"\xc0\x00"
        self.flush()
        assert self.socket.recv(2) == b"\xd0\x00"
        self.socket.sendall(b"\xe0\x00")
        self.socket.close()


def message(number, seq, kind, isDown):
    event = {
        **recorded, "seq": seq, "kind": kind, "epoch": 1_795_000_000,
        "time": time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime()),
        "host": {"id": f"{number:032x}", "name": f"host-{number}",
                 "labels": {"site": f"site-{number // 200}", "provider": f"provider-{number % 7}"}},
        "reachability": "none" if isDown else "ethernet", "connectivity": "none" if isDown else "full",
    }
    event.pop("blame", None)
    return json.dumps(event, separators=(",", ":")).encode()


def publish_states(at, seq, isDown, withPresence):
    publisher = Publisher(at)
    for number in range(options.hosts):
        if withPresence:
            publisher.publish(f"netwatch/{number:032x}/online", b"online")
        publisher.publish(f"netwatch/{number:032x}/state", message(number, seq, "snapshot", isDown))
    publisher.end()


class Fleet:
    def __init__(self):
        self.file = f"{folder}/fleet.lines"
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            [options.program, "fleet", "--json", "--heartbeat", "1h", "--broker", f"mqtt://127.0.0.1:{port}"],
            stdout=open(self.file, "wb"), stderr=subprocess.DEVNULL)

    def last(self):
        with open(self.file, "rb") as file:
            lines = file.read().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith(b"\n")]
        return json.loads(whole[-1]) if whole else None

    def wait(self, condition, limit=150):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            view = self.last()
            if view and condition(view):
                return True
            time.sleep(0.02)
        print(f"not seen; last: {json.dumps(self.last())[:300]}", file=sys.stderr)
        return False

    def resident(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait()


server = fleet = None
try:
    hosts, figures = options.hosts, {"hosts": options.hosts}
    server = broker(port)
    fleet = Fleet()
    time.sleep(1.5)
    base = fleet.resident()
    fleet.end()
    publish_states(port, 1, False, True)
    figures["bytes_a_state"] = len(message(1, 1, "snapshot", False))
    fleet = Fleet()
    figures["isWhole"] = fleet.wait(lambda view: view["conditions"]["well"] == hosts)
    figures["first_table_s"] = round(time.monotonic() - fleet.start, 2)
    figures["first_view_hosts"] = json.loads(open(fleet.file).readline())["hosts"]
    figures["bytes_a_host"] = round((fleet.resident() - base) * 1024 / hosts)
    before = fleet.seconds()
    begin = time.monotonic()
    publisher = Publisher(port)
    # Two for each host; the last word of each is another one than its state.
    for seq, isDown in ((2, False), (3, True)):
        for number in range(hosts):
            publisher.publish(f"netwatch/{number:032x}/events", message(number, seq, "transition", isDown), False)
    publisher.end()
    figures["events_published_s"] = round(time.monotonic() - begin, 2)
    figures["events_followed"] = fleet.wait(lambda view: view["conditions"]["down"] == hosts)
    spent = time.monotonic() - begin
    figures["events_a_second"] = round(2 * hosts / spent)
    figures["events_a_second_of_processor"] = round(2 * hosts / (fleet.seconds() - before))
    # Another broker takes its place with what it holds, and with other states.
    server.terminate()
    server.wait()
    other = free_port()
    server = broker(other)
    publish_states(other, 4, False, False)
    server.terminate()
    server.wait()
    begin = time.monotonic()
    server = broker(port)
    figures["known_after_restart"] = fleet.wait(lambda view: view["connected"] and view["conditions"]["well"] == hosts)
    figures["restart_s"] = round(time.monotonic() - begin, 2)
    figures["resident_MiB"] = round(fleet.resident() / 1024)
finally:
    for process in [server, fleet and fleet.process]:
        if process and process.poll() is None:
            process.kill()
            process.wait()
    subprocess.run(["rm", "-rf", folder])
print(json.dumps(figures))
sys.exit(0 if figures["isWhole"] and figures["events_followed"] and figures["known_after_restart"] else 1)
