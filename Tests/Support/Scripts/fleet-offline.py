#!/usr/bin/python3
"""fleet-offline.py PROGRAM [--events N] [--without-history]
A host that has no broker while N events come, is killed in the middle of it, and then finds one: what it sends, in which order, and
how much memory it takes meanwhile. Prints one line of JSON."""

import argparse
import json
import os
import signal
import subprocess
import tempfile
import time

from fleet_lab import Program, enter, ip, new_namespace

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--events", type=int, default=10_000)
parser.add_argument("--without-history", action="store_true")
options = parser.parse_args()
folder = tempfile.mkdtemp(prefix="netwatch-offline-")
namespace = new_namespace(None)
ip("link set lo up\nlink add up0 type veth peer name far0\nlink set far0 up\naddress add 192.0.2.2/24 dev up0\nlink set up0 up\n"
   "route add default via 192.0.2.1 dev up0")
history = "false" if options.without_history else f"{{path: {folder}/history.db}}"
with open(f"{folder}/netwatch.yaml", "w") as file:
    file.write(f"service:\n  listen: 127.0.0.1:0\n  socket: {folder}/s.sock\n  name: router-7\n  history: {history}\n"
               "  mqtt: {brokers: [mqtt://127.0.0.1:1883], heartbeat: 5s}\n")

TOPIC = "netwatch/router-7/events"


def start():
    program = Program(
        [os.path.abspath(options.program), "serve", "--config", f"{folder}/netwatch.yaml", "--no-probe", "--json"],
        f"{folder}/log", None, f"{folder}/errors")
    while not os.path.exists(f"{folder}/s.sock"):
        time.sleep(0.02)
    return program


def resident(program):
    with open(f"/proc/{program.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def events(path):
    with open(path) as file:
        for line in file:
            if line.endswith("}\n"):
                yield json.loads(line[line.index("{"):])


def written():
    with open(f"{folder}/log", "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def bring(count, program):
    """Events, by a way that goes and comes: not so fast that two of them are one."""
    sizes = [resident(program)]
    batch = "route delete default\nroute add default via 192.0.2.1 dev up0\n"
    writer = subprocess.Popen(["ip", "-batch", "-"], stdin=subprocess.PIPE, text=True)
    end = written() + count
    while written() < end:
        for _ in range(10):
            for line in batch.splitlines(keepends=True):
                writer.stdin.write(line)
                writer.stdin.flush()
                time.sleep(0.003)
        sizes.append(resident(program))
    writer.stdin.close()
    writer.wait()
    settle()
    return sizes


def settle():
    """What came last may be written a moment after the program that has brought it about has ended."""
    count = None
    while count != written():
        count = written()
        time.sleep(0.5)


def say_hello():
    """Whether the broker takes in what is no event."""
    return subprocess.run(["mosquitto_pub", "-p", "1884", "-t", TOPIC, "-m", '{"kind": "hello"}'],
                          stderr=subprocess.DEVNULL).returncode == 0


def received():
    with open(f"{folder}/received") as file:
        return [event for event in map(json.loads, (line for line in file if line.endswith("\n"))) if event["kind"] != "hello"]


def start_broker_and_reader():
    """The reader has to listen before the program finds the broker, which keeps nothing for a reader that it does not know."""
    subprocess.run(["nft", "add table inet wait; add chain inet wait out { type filter hook output priority 0; };"
                    "add rule inet wait out tcp dport 1883 reject with tcp reset"], check=True)
    with open(f"{folder}/mosquitto.conf", "w") as file:
        file.write("listener 1883 127.0.0.1\nlistener 1884 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
    broker = Program(["mosquitto", "-c", f"{folder}/mosquitto.conf"], f"{folder}/mosquitto.log")
    while not say_hello():
        time.sleep(0.1)
    reader = Program(["mosquitto_sub", "-p", "1884", "-q", "1", "-t", TOPIC, "-F", "%p"], f"{folder}/received")
    while not os.path.getsize(f"{folder}/received"):
        say_hello()
        time.sleep(0.1)
    subprocess.run(["nft", "delete", "table", "inet", "wait"], check=True)
    return broker, reader


broker = reader = program = None
try:
    program = start()
    time.sleep(1)
    begin = time.monotonic()
    sizes = bring(options.events // 2, program)
    # What is of this second may be in no file yet, and then the power fails.
    time.sleep(2)
    program.end(signal.SIGKILL)
    os.unlink(f"{folder}/s.sock")
    program = start()
    sizes += bring(options.events // 2, program)
    figures = {"events": written(), "cut_off_s": round(time.monotonic() - begin, 1),
               "resident_kB_first": sizes[0], "resident_kB_most": max(sizes)}
    broker, reader = start_broker_and_reader()
    begin = time.monotonic()
    sizes = []
    wanted = {(event["epoch"], event["seq"]) for event in events(f"{folder}/log")}
    if options.without_history:
        last = max(wanted)
        is_all = lambda got: got and got[-1] == last
    else:
        is_all = lambda got: wanted <= set(got)
    while True:
        sizes.append(resident(program))
        heard = received()
        got = [(event["epoch"], event["seq"]) for event in heard if event["kind"] != "gap"]
        if is_all(got) or time.monotonic() > begin + 120:
            break
        time.sleep(0.2)
    # From when on it tries again is chance, and a minute at most.
    gaps = [event for event in heard if event["kind"] == "gap"]
    first = list(dict.fromkeys(got))
    figures |= {
        "arrived": len(first), "missing": len(wanted - set(got)), "twice": len(got) - len(first), "gaps": len(gaps),
        "isInOrder": first == sorted(first), "waited_and_sent_s": round(time.monotonic() - begin, 1),
        "resident_kB_sending": max(sizes), "epochs": len({epoch for epoch, _ in wanted})}
    if gaps:
        figures["gap"] = [gaps[0]["after"], gaps[0]["upTo"]]
finally:
    for one in (program, broker, reader):
        if one:
            one.process.kill()
            one.process.wait()
    subprocess.run(["rm", "-rf", folder])
print(json.dumps(figures))
