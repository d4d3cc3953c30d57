#!/usr/bin/python3
"""Runs a program under a seccomp filter that refuses netlink sockets with EACCES, as locked-down containers do."""

import ctypes
import os
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
AF_NETLINK, EACCES = 16, 13
SOCKET = {"x86_64": 41, "aarch64": 198}[platform.machine()]
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | EACCES

# struct seccomp_data: the call's number is at 0, its first argument at 16.
program = [
    (LOAD, 0, 0, 0),
    (JUMP_IF_EQUAL, 0, 3, SOCKET),
    (LOAD, 0, 0, 16),
    (JUMP_IF_EQUAL, 0, 1, AF_NETLINK),
    (RETURN, 0, 0, REFUSE),
    (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4
for arguments in [
    (PR_SET_NO_NEW_PRIVS, 1, None, None, None),
    (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(Filter(len(program), ctypes.addressof(code))), None, None),
]:
    if libc.prctl(*arguments) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
