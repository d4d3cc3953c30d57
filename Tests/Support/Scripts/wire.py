#!/usr/bin/python3
"""wire.py FOLDER LEFT RIGHT: a cable between two interfaces of this namespace, as FOLDER/wire says at each moment:

  delay SECONDS     each packet takes so long
  loss PART         so many are lost, by chance, from 0 to 1
  sleep SECONDS     after five seconds without a packet the next one takes so long: a radio that wakes
  limit BYTES       longer packets are lost

It works where the kernel has no netem. Packets are passed on with what the kernel knows of their check sums, which are not
worked out yet.
"""

import heapq
import pathlib
import random
import select
import socket
import sys
import time

SOL_PACKET, PACKET_IGNORE_OUTGOING, PACKET_VNET_HDR, HEADER = 263, 23, 15, 10
file = pathlib.Path(sys.argv[1]) / "wire"


def settings():
    try:
        return {words[0]: float(words[1]) for words in map(str.split, file.read_text().splitlines()) if len(words) == 2}
    except FileNotFoundError:
        return {}


def end(interface):
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    opened.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    opened.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    opened.bind((interface, 0))
    return opened


left, right = end(sys.argv[2]), end(sys.argv[3])
other = {left: right, right: left}
waiting, number, woken, last = [], 0, 0.0, 0.0
print("ready", flush=True)
while True:
    timeout = max(waiting[0][0] - time.monotonic(), 0) if waiting else None
    for readable in select.select([left, right], [], [], timeout)[0]:
        packet = readable.recv(70000)
        now, now_settings = time.monotonic(), settings()
        # Neighbours are found whatever the wire is like.
        isAddressResolution = packet[HEADER + 12 : HEADER + 14] == b"\x08\x06"
        if not isAddressResolution:
            if random.random() < now_settings.get("loss", 0) or len(packet) - HEADER > now_settings.get("limit", 1e9):
                continue
        if now - last > 5:
            woken = now + now_settings.get("sleep", 0)
        last = now
        number += 1
        heapq.heappush(waiting, (max(now, woken) + now_settings.get("delay", 0), number, other[readable], packet))
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, target, packet = heapq.heappop(waiting)
        try:
            target.send(packet)
        except OSError:
            pass
