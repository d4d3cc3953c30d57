#!/usr/bin/python3
"""askers.py PORT COUNT PATH [half]
Asks for PATH over COUNT connections, prints "ready", and waits until it is ended. With "half" each closes its end once it has asked,
and what each gets is printed, the number of those that got a whole answer of 200 as the last line."""

import socket
import sys
import time

port, count, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
for connection in connections:
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
if sys.argv[4:] != ["half"]:
    print("ready", flush=True)
    time.sleep(600)
answered = 0
for connection in connections:
    connection.shutdown(socket.SHUT_WR)
for connection in connections:
    text = b""
    while piece := connection.recv(1 << 16):
        text += piece
    print(text.decode())
    answered += text.count(b"HTTP/1.1 200 OK\r\n") == 1 and text.endswith(b"\n")
print(answered, flush=True)
