#!/usr/bin/python3
"""beyond.py FOLDER: what lies behind a router, as FOLDER says at each moment.

Web servers at every address of this namespace (port 80, and 443 where FOLDER/ADDRESS.pem is, with its key), and name servers
(port 53). Each file of FOLDER is read when somebody asks:

  servers   a line "ADDRESS MOOD [ARGUMENT]", or "all MOOD": well, long, silent, drip, reset, redirect URL, status CODE,
            dated DAYS (from now)
  names     a line "SERVER MOOD [ARGUMENT]", or "all MOOD": well, silent, nxdomain, servfail, refused, hijack ADDRESS,
            slow SECONDS; and "NAME MOOD" for one name
  hosts     a line "NAME ADDRESS ..."; a name that is not there does not exist
"""

import email.utils
import ipaddress
import pathlib
import socket
import ssl
import struct
import sys
import threading
import time

folder = pathlib.Path(sys.argv[1])


def entries(name):
    try:
        return [line.split() for line in (folder / name).read_text().splitlines() if line]
    except FileNotFoundError:
        return []


def mood(name, *keys):
    table = {words[0]: words[1:] for words in entries(name)}
    for key in keys:
        if key in table:
            return table[key][0], " ".join(table[key][1:])
    return "well", ""


# Web servers.


def answer(connection, status, body=b"", fields="", days=0):
    date = email.utils.formatdate(time.time() + days * 86400, usegmt=True)
    head = f"HTTP/1.1 {status}\r\nDate: {date}\r\nContent-Length: {len(body)}\r\n{fields}Connection: close\r\n\r\n"
    connection.sendall(head.encode() + body)


def drip(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(600):
        connection.sendall(b"x")
        time.sleep(0.1)


def serve(connection, address):
    how, argument = mood("servers", address, "all")
    if how == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return
    if how == "silent":
        time.sleep(60)
        return
    if not connection.recv(65536):
        return
    if how == "drip":
        drip(connection)
    elif how == "redirect":
        answer(connection, "302 Found", fields=f"Location: {argument}\r\n")
    elif how == "status":
        answer(connection, f"{argument} Whatever")
    elif how == "long":
        answer(connection, "200 OK", b"x" * 5000)
    elif how == "dated":
        answer(connection, "200 OK", b"ok", days=float(argument))
    else:
        answer(connection, "200 OK", b"ok")


def handle(connection, isSecure):
    connection.settimeout(60)
    try:
        address = connection.getsockname()[0].removeprefix("::ffff:")
        if isSecure:
            if not (folder / f"{address}.pem").exists():
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(folder / f"{address}.pem")
            connection = context.wrap_socket(connection, server_side=True)
        serve(connection, address)
    except OSError:
        pass
    finally:
        connection.close()


def listen(port, isSecure):
    listener = socket.socket(socket.AF_INET6)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::", port))
    listener.listen(512)

    def accept():
        while True:
            connection = listener.accept()[0]
            threading.Thread(target=handle, args=(connection, isSecure), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


# Name servers.

CODES = {"servfail": 2, "nxdomain": 3, "refused": 5}


def question(message):
    at, labels = 12, []
    while message[at]:
        labels.append(message[at + 1 : at + 1 + message[at]].decode().lower())
        at += message[at] + 1
    return ".".join(labels), struct.unpack(">H", message[at + 1 : at + 3])[0], message[12 : at + 5]


def records(name, kind, how, argument):
    found = next((words[1:] for words in entries("hosts") if words[0] == name), None)
    addresses = [argument] if how == "hijack" else found
    if addresses is None:
        return None
    parsed = [ipaddress.ip_address(text) for text in addresses]
    wanted = {1: 4, 28: 6}.get(kind)
    return [address.packed for address in parsed if address.version == wanted]


def reply(server, socket_, message, sender):
    name, kind, asked = question(message)
    how, argument = mood("names", name, server, "all")
    if how == "silent":
        return
    if how == "slow":
        time.sleep(float(argument))
    found = None if how in CODES else records(name, kind, how, argument)
    code = CODES.get(how, 3 if found is None else 0)
    # Each is kept for a second.
    body = b"".join(struct.pack(">HHHIH", 0xC00C, kind, 1, 1, len(data)) + data for data in found or [])
    head = message[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(found or []), 0, 0)
    socket_.sendto(head + asked + body, sender)


def name_server(address):
    socket_ = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    socket_.bind((address, 53))

    def receive():
        while True:
            message, sender = socket_.recvfrom(4096)
            threading.Thread(target=reply, args=(address, socket_, message, sender), daemon=True).start()

    threading.Thread(target=receive, daemon=True).start()


listen(80, False)
listen(443, True)
for server in sys.argv[2:]:
    name_server(server)
print("ready", flush=True)
threading.Event().wait()
