#!/usr/bin/env python3
"""carrier-witness.py LINK...: asks the drivers for their carriers twice a millisecond, and prints each change.

A line is: LINK, 1 or 0, CLOCK_MONOTONIC and CLOCK_REALTIME in nanoseconds. It asks as netwatch does, by
ioctl(SIOCETHTOOL, ETHTOOL_GLINK), which answers the truth when the kernel has not told it yet.
"""

import array
import fcntl
import socket
import struct
import sys
import time

SIOCETHTOOL, ETHTOOL_GLINK = 0x8946, 0x0A
asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


class Carrier:
    def __init__(self, name):
        self.name, self.state = name, None
        self.answer = array.array("I", [ETHTOOL_GLINK, 0])
        self.request = struct.pack("16sP", name.encode(), self.answer.buffer_info()[0])

    def look(self):
        fcntl.ioctl(asker, SIOCETHTOOL, self.request)
        if self.answer[1] != self.state:
            self.state = self.answer[1]
            print(self.name, self.state, time.monotonic_ns(), time.time_ns(), flush=True)


carriers = [Carrier(name) for name in sys.argv[1:]]
while True:
    for carrier in carriers:
        carrier.look()
    # Without a pause it would take one of the machine's two processors from those it watches.
    time.sleep(0.0005)
