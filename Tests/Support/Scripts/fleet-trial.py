#!/usr/bin/python3
"""fleet-trial.py PROGRAM [--hosts N] [--seconds S] [--heartbeat H] [--slack T] [--seed K]
A fleet in namespaces of its own: three nodes of NATS with JetStream, and Mosquitto, take what N hosts publish, half of them each.
Nodes are killed and restarted, hosts cut off, killed and brought back. In the end every event that a host has written to its log has
arrived, in order, and none twice after dropping by epoch and number; the retained states are what /status tells; each host that was
cut off was told so within three heartbeats; and none is told any more. Prints one line of JSON; exit status 1 where something is wrong.
It needs to be allowed to make network namespaces (root, or root of a user namespace)."""

import argparse
import json
import os
import random
import signal
import subprocess
import tempfile
import time

from fleet_lab import Program, ip, new_namespace

BROKER = "10.77.0.1"
MQTT = [21831, 21832, 21833]
MOSQUITTO = 21834


class Host:
    def __init__(self, trial, number):
        self.trial, self.number, self.name = trial, number, f"host-{number}"
        self.isOnNATS = number % 2 == 0
        self.folder = f"{trial.folder}/{self.name}"
        os.mkdir(self.folder)
        self.namespace = new_namespace(trial.home)
        address = f"10.77.{1 + number // 200}.{1 + number % 200}"
        ip(f"link add p{number} type veth peer name up0 netns /proc/{os.getpid()}/fd/{self.namespace}\n"
           f"link set p{number} master br0 up")
        ip(f"link set lo up\naddress add {address}/16 dev up0\nlink set up0 up\nroute add default via {BROKER}",
           self.namespace)
        ports = MQTT[number // 2 % 3:] + MQTT[:number // 2 % 3] if self.isOnNATS else [MOSQUITTO]
        brokers = ", ".join(f"mqtt://{BROKER}:{port}" for port in ports)
        with open(f"{self.folder}/netwatch.yaml", "w") as file:
            file.write(
                f"service:\n  listen: 127.0.0.1:0\n  socket: {self.folder}/s.sock\n  name: {self.name}\n"
                f"  labels: {{site: s{number}}}\n  history: {{path: {self.folder}/history.db}}\n"
                f"  mqtt:\n    brokers: [{brokers}]\n    heartbeat: {trial.heartbeat}s\n")
        self.cutAt = None
        self.returnAt = None
        self.disturbed = 0.0
        self.start()

    def start(self):
        self.program = Program(
            [self.trial.program, "serve", "--config", f"{self.folder}/netwatch.yaml", "--no-probe", "--json"],
            f"{self.folder}/log", self.namespace, f"{self.folder}/errors")

    def change(self):
        """Two events at least: the way is gone, and it is back."""
        self.disturbed = time.monotonic()
        ip("route delete default", self.namespace)
        ip(f"route add default via {BROKER}", self.namespace)

    def cut(self, seconds, byCarrier):
        self.byCarrier = byCarrier
        self.cutAt, self.returnAt = time.monotonic(), time.monotonic() + seconds
        ip(f"link set p{self.number} {'down' if byCarrier else 'nomaster'}")

    def bring_back(self):
        ip(f"link set p{self.number} {'up' if self.byCarrier else 'master br0'}")
        if self.byCarrier:
            ip(f"route replace default via {BROKER}", self.namespace)
        self.returnAt = None

    def ask(self, path):
        return subprocess.run(
            ["curl", "-s", "-m", "10", "--unix-socket", f"{self.folder}/s.sock", f"http://localhost/{path}"],
            capture_output=True, text=True).stdout

    def written(self):
        events = []
        with open(f"{self.folder}/log") as file:
            for line in file:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                events.append((event["epoch"], event["seq"]))
        return events


class Trial:
    def __init__(self, options):
        self.options, self.program, self.heartbeat = options, os.path.abspath(options.program), options.heartbeat
        self.random = random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="netwatch-fleet-")
        self.home = new_namespace(None)
        ip(f"link set lo up\nlink add br0 type bridge\naddress add {BROKER}/16 dev br0\nlink set br0 up")
        self.figures = {"hosts": options.hosts, "seconds": options.seconds, "heartbeat": options.heartbeat}
        self.wrong = []
        self.counts = {"brokers_killed": 0, "hosts_cut": 0, "hosts_killed": 0, "changes": 0}
        self.told = {}
        self.brokerDownAt = -1e9

    # Brokers

    def start_nats(self, index):
        file = f"{self.folder}/nats-{index}.conf"
        routes = ", ".join(f"nats://127.0.0.1:{21840 + other}" for other in range(3))
        with open(file, "w") as out:
            out.write(
                f"server_name: n{index}\nlisten: 127.0.0.1:{21850 + index}\n"
                f"cluster {{ name: lab, listen: 127.0.0.1:{21840 + index}, routes: [{routes}] }}\n"
                f"jetstream {{ store_dir: \"{self.folder}/nats-{index}\", max_file: 1GB }}\n"
                f"mqtt {{ listen: 0.0.0.0:{MQTT[index]} }}\n")
        return Program(["nats-server", "-c", file], f"{self.folder}/nats-{index}.log")

    def start_mosquitto(self):
        file = f"{self.folder}/mosquitto.conf"
        with open(file, "w") as out:
            out.write(
                f"listener {MOSQUITTO} 0.0.0.0\nallow_anonymous true\npersistence true\nuser root\n"
                f"persistence_location {self.folder}/\nmax_queued_messages 0\n")
        return Program(["mosquitto", "-c", file], f"{self.folder}/mosquitto.log")

    def readers(self):
        """One at each node, of a session that outlives its connection."""
        for port in MQTT + [MOSQUITTO]:
            yield Program(
                ["mosquitto_sub", "-h", BROKER, "-p", str(port), "-q", "1", "-c", "-i", f"reader-{port}",
                 "-t", "netwatch/+/events", "-F", "%t %p"], f"{self.folder}/reader-{port}")

    def witnesses(self):
        """They hear what passes a node of NATS, whether JetStream keeps it or not."""
        for port in MQTT:
            yield Program(
                ["mosquitto_sub", "-h", BROKER, "-p", str(port), "-q", "0", "-i", f"witness-{port}",
                 "-t", "netwatch/+/events", "-F", "%t %p"], f"{self.folder}/witness-{port}")

    def start(self):
        self.nodes = [self.start_nats(index) for index in range(3)]
        self.mosquitto = self.start_mosquitto()
        for port in MQTT + [MOSQUITTO]:
            self.wait_for(f"the broker at {port}", lambda: self.retained(port, "x/y", 1) is not None, 60)
        self.reading, self.hearing = list(self.readers()), list(self.witnesses())
        self.judges = [
            Program(
                [self.program, "fleet", "--json", "--heartbeat", f"{self.heartbeat}s"]
                + sum((["--broker", f"mqtt://{BROKER}:{port}"] for port in ports), []), f"{self.folder}/judge-{name}")
            for name, ports in (("nats", MQTT), ("mosquitto", [MOSQUITTO]))]
        time.sleep(2)
        self.judged = {judge: 0 for judge in self.judges}
        self.hosts = [Host(self, number) for number in range(self.options.hosts)]
        self.wait_for("every host to be connected", self.all_connected, 120)

    def wait_for(self, what, condition, limit):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.25)
        self.wrong.append(f"{what} did not come within {limit} s")
        return False

    def retained(self, port, topic, seconds):
        """What a broker holds, by topic; nil where it does not answer."""
        result = subprocess.run(
            ["mosquitto_sub", "-h", BROKER, "-p", str(port), "-t", topic, "-W", str(seconds), "-F", "%t %p"],
            capture_output=True, text=True)
        if result.returncode not in (0, 27):
            return None
        return dict(line.split(" ", 1) for line in result.stdout.splitlines() if " " in line)

    def all_connected(self):
        return all("[+]export-mqtt ok: connected" in host.ask("readyz?verbose") for host in self.hosts)

    def all_sent(self):
        return all('netwatch_export_queued{exporter="mqtt"} 0\n' in host.ask("metrics") for host in self.hosts)

    # What happens

    def run(self):
        options, pick = self.options, self.random
        begin = time.monotonic()
        limit = 3 * self.heartbeat
        # Long enough for a cut to be told before it is over.
        cut = (limit + options.slack + 1, limit + options.slack + 5)
        last = begin + options.seconds - cut[1]
        nextNode, nextCut, nextKill = begin + 5, begin + 2, begin + options.seconds / 4
        dead, pause = None, max(options.seconds / 10, 15)
        while time.monotonic() < begin + options.seconds or dead or any(h.returnAt for h in self.hosts):
            now = time.monotonic()
            for host in self.hosts:
                if host.returnAt and host.returnAt <= now:
                    host.bring_back()
            if dead and dead[1] <= now:
                self.bring_broker(dead[0])
                dead, nextNode = None, now + pause / 2
            if not dead and nextNode <= now < last:
                dead = (pick.choice([0, 1, 2, 3]), now + pause / 2)
                self.kill_broker(dead[0])
            if nextCut <= now < last:
                self.cut(pick.choice(self.hosts[:-1]), pick.uniform(*cut), pick.random() < 0.5)
                nextCut = now + options.seconds / (1.2 * options.hosts) * pick.uniform(0.5, 1.5)
            if nextKill <= now < last:
                if self.kill_host(self.hosts[-1]):
                    nextKill = now + options.seconds / 6
            # The last of them is left in peace for a while, so that it can be killed.
            host = pick.choice(self.hosts[:-1] if nextKill <= now + 3 else self.hosts)
            if not (host.cutAt and host.returnAt and host.byCarrier) and now < last:
                host.change()
                self.counts["changes"] += 1
            self.listen()
            time.sleep(max(0.02, 1.5 / options.hosts))

    def kill_broker(self, index):
        self.counts["brokers_killed"] += 1
        self.brokerDownAt = time.monotonic()
        if index == 3:
            # In order: what it acknowledged is its own then, and not the page cache's.
            self.mosquitto.end()
        else:
            self.nodes[index].end(signal.SIGKILL)

    def bring_broker(self, index):
        self.brokerDownAt = time.monotonic()
        if index == 3:
            self.mosquitto = self.start_mosquitto()
        else:
            self.nodes[index] = self.start_nats(index)

    def cut(self, host, seconds, byCarrier):
        if host.returnAt:
            return
        self.counts["hosts_cut"] += 1
        host.cut(seconds, byCarrier)
        self.told[host.name] = None

    def kill_host(self, host):
        # What is of this second may be in no file yet.
        if host.returnAt or time.monotonic() - host.disturbed < 2:
            return False
        self.counts["hosts_killed"] += 1
        host.program.end(signal.SIGKILL)
        host.disturbed = time.monotonic()
        host.start()
        return True

    def listen(self):
        """Reads what the judges tell, and how long it took."""
        for judge in self.judges:
            with open(judge.file, "rb") as file:
                file.seek(self.judged[judge])
                text = file.read()
            text = text[:text.rfind(b"\n") + 1]
            self.judged[judge] += len(text)
            for line in text.splitlines():
                if line.startswith(b"{"):
                    judge.view = json.loads(line)
            for finding in getattr(judge, "view", {"findings": []})["findings"]:
                name = finding.get("host")
                if name in self.told and self.told[name] is None:
                    self.told[name] = time.monotonic() - self.host(name).cutAt
                    self.figures.setdefault("told_after", []).append(round(self.told[name], 1))
        for name, after in list(self.told.items()):
            if after is not None:
                del self.told[name]
                continue
            # A broker's own absence delays what it tells, and what a reader of it sees.
            host, now = self.host(name), time.monotonic()
            isExcused = self.brokerDownAt + 3 * self.heartbeat + 5 > host.cutAt
            if now - host.cutAt > 3 * self.heartbeat + self.options.slack and not isExcused:
                self.wrong.append(f"{name} was cut off, and not told within {now - host.cutAt:.1f} s")
                del self.told[name]
            elif now - host.cutAt > 6 * self.heartbeat + 10 or not host.returnAt:
                self.counts["cuts_excused"] = self.counts.get("cuts_excused", 0) + 1
                del self.told[name]

    def host(self, name):
        return self.hosts[int(name.split("-")[1])]

    # What is to be the case in the end

    def check(self):
        begin = time.monotonic()
        self.wait_for("every host to be connected again", self.all_connected, 90)
        self.wait_for("everything to be sent", self.all_sent, 90)
        self.figures["quiet_after"] = round(time.monotonic() - begin, 1)
        for _ in range(60):
            if not self.missing():
                break
            time.sleep(1)
        heard = self.places(self.hearing)
        for name, missing in self.missing().items():
            # What NATS took, and passed on at once, is not what the host has failed to send.
            lost = missing & heard.get(name, set()) if self.host(name).isOnNATS else set()
            self.counts["lost_by_nats"] = self.counts.get("lost_by_nats", 0) + len(lost)
            if missing - lost:
                self.wrong.append(f"{name}: {len(missing - lost)} events are missing: {sorted(missing - lost)[:5]}")
        self.wait_for("the readers' last words", self.nobody_told, 3 * self.heartbeat + 30)
        self.check_states()
        total, came, gaps, twice = 0, 0, 0, 0
        for host in self.hosts:
            total += len(set(host.written()))
            with open(f"{host.folder}/errors") as file:
                self.wrong += [f"{host.name}: {line.strip()}" for line in file if "given up" in line]
        seen = set()
        for reader in self.reading:
            last, own = {}, set()
            for name, event in self.received(reader):
                if event.get("kind") == "gap":
                    gaps += 1
                    continue
                came += 1
                place = (name, event["epoch"], event["seq"])
                if place in own:
                    twice += 1
                    continue
                own.add(place)
                if last.get(name, (0, 0)) > place[1:]:
                    # A node that takes over from a killed one delivers again what a reader has not acknowledged, when it
                    # comes to it.
                    if self.host(name).isOnNATS and self.was_passed_on(name, place[1:], last[name]):
                        self.counts["late_by_nats"] = self.counts.get("late_by_nats", 0) + 1
                        continue
                    self.wrong.append(f"{name}: {place[1:]} came after {last[name]}")
                last[name] = place[1:]
            seen |= own
        if gaps:
            self.wrong.append(f"{gaps} gaps were told")
        self.figures |= {
            "events": total, "messages": came, "repeats_at_one_reader": twice, "gaps": gaps, **self.counts}
        sizes = [self.memory(host) for host in self.hosts]
        self.figures["resident_kB_median"] = sorted(sizes)[len(sizes) // 2]
        self.figures["load_1min"] = round(os.getloadavg()[0], 1)

    def memory(self, host):
        with open(f"/proc/{host.program.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def received(self, reader):
        with open(reader.file) as file:
            for line in file:
                topic, _, payload = line.partition(" ")
                if topic.endswith("/events"):
                    yield topic.split("/")[1], json.loads(payload)

    def places(self, readers):
        seen = {}
        for reader in readers:
            for name, event in self.received(reader):
                if "seq" in event:
                    seen.setdefault(name, set()).add((event["epoch"], event["seq"]))
        return seen

    def was_passed_on(self, name, first, second):
        """Whether a broker had passed the first on at once, and not after the second."""
        for reader in self.hearing:
            events = [event for host, event in self.received(reader) if host == name and "seq" in event]
            places = [(event["epoch"], event["seq"]) for event in events]
            if first in places and (second not in places or places.index(first) < places.index(second)):
                return True
        return False

    def missing(self):
        seen = self.places(self.reading)
        all = {host.name: set(host.written()) - seen.get(host.name, set()) for host in self.hosts}
        return {name: missing for name, missing in all.items() if missing}

    def nobody_told(self):
        self.listen()
        views = [getattr(judge, "view", None) for judge in self.judges]
        return all(view and view["connected"] and not view["findings"] and set(
            key for key, value in view["conditions"].items() if value) == {"well"} for view in views)

    def check_states(self):
        keys = ("epoch", "seq", "reachability", "connectivity", "interfaces", "host")

        def differing():
            wrong = []
            held = {port: self.retained(port, "netwatch/+/state", 2) or {} for port in MQTT + [MOSQUITTO]}
            for host in self.hosts:
                status = json.loads(host.ask("status"))
                for port in MQTT if host.isOnNATS else [MOSQUITTO]:
                    state = json.loads(held[port].get(f"netwatch/{host.name}/state", "{}"))
                    if any(state.get(key) != status.get(key) for key in keys):
                        wrong.append(f"{host.name}: the state at {port} is {state.get('seq')}, not {status.get('seq')}")
            return wrong

        found = []
        for _ in range(10):
            found = differing()
            if not found:
                return
            time.sleep(1)
        self.wrong += found

    def end(self):
        for program in [host.program for host in getattr(self, "hosts", [])] + getattr(self, "reading", []) + getattr(
                self, "hearing", []) + getattr(self, "judges", []) + getattr(self, "nodes", []) + [getattr(self, "mosquitto", None)]:
            if program:
                program.process.kill()
                program.process.wait()
        if not os.environ.get("KEEP"):
            subprocess.run(["rm", "-rf", self.folder])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--heartbeat", type=int, default=5)
    parser.add_argument("--slack", type=int, default=3, help="how late a word may be because this machine is busy")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    trial = Trial(options)
    try:
        trial.start()
        if not trial.wrong:
            trial.run()
            trial.check()
    finally:
        trial.end()
    after = sorted(trial.figures.pop("told_after", []))
    if after:
        trial.figures["told_after_median"], trial.figures["told_after_most"] = after[len(after) // 2], after[-1]
    print(json.dumps({"seed": options.seed, **trial.figures, "wrong": trial.wrong}))
    raise SystemExit(1 if trial.wrong else 0)


main()
