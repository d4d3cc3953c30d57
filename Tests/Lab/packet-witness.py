#!/usr/bin/env python3
"""packet-witness.py ADDRESS...: prints a line DEVICE ADDRESS for each IPv4 packet that leaves for one of the addresses."""

import ipaddress
import socket
import sys

ETH_P_ALL, PACKET_OUTGOING, ETH_P_IP = 3, 4, 0x0800
wanted = {ipaddress.ip_address(argument).packed: argument for argument in sys.argv[1:]}
# SOCK_DGRAM: the packets come without the header of their link, of which a modem's have none.
watcher = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
print("ready", flush=True)
while True:
    packet, (device, protocol, kind, *_) = watcher.recvfrom(65536)
    if kind == PACKET_OUTGOING and protocol == ETH_P_IP and packet[16:20] in wanted:
        print(device, wanted[packet[16:20]], flush=True)
