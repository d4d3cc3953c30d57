#!/usr/bin/python3
"""tunnel.py INTERFACE OWN:PORT PEER:PORT: one end of a tunnel, whose packets go to the peer in UDP."""

import fcntl
import os
import select
import socket
import struct
import sys

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def place(text):
    address, port = text.split(":")
    return address, int(port)


interface = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(interface, TUNSETIFF, struct.pack("16sH", sys.argv[1].encode(), IFF_TUN | IFF_NO_PI))
outside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
outside.bind(place(sys.argv[2]))
peer = place(sys.argv[3])
print("ready", flush=True)
while True:
    for readable in select.select([interface, outside], [], [])[0]:
        try:
            if readable == interface:
                outside.sendto(os.read(interface, 65536), peer)
            else:
                os.write(interface, outside.recv(65536))
        except OSError:
            pass
