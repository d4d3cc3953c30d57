#!/usr/bin/python3
"""refusing.py WHAT PROGRAM [ARGUMENT...]
Runs a program under a seccomp filter that refuses WHAT, as locked-down containers do: `netlink` sockets (EACCES),
`binding` a socket to a device (EPERM), as Linux did before 5.7, or `waiting` by epoll_pwait2 (EPERM), which the filters
of older containers do not know."""

import ctypes
import errno
import os
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
AF_NETLINK, SOL_SOCKET, SO_BINDTODEVICE = 16, 1, 25
SOCKET, SETSOCKOPT = {"x86_64": (41, 54), "aarch64": (198, 208)}[platform.machine()]
EPOLL_PWAIT2 = 441

# What has to be where in struct seccomp_data: the call's number is at 0, its arguments from 16 on, eight bytes each.
FILTERS = {
    "netlink": (errno.EACCES, [(0, SOCKET), (16, AF_NETLINK)]),
    "waiting": (errno.EPERM, [(0, EPOLL_PWAIT2)]),
    "binding": (errno.EPERM, [(0, SETSOCKOPT), (24, SOL_SOCKET), (32, SO_BINDTODEVICE)]),
}

error, conditions = FILTERS[sys.argv[1]]
program = []
for index, (offset, value) in enumerate(conditions):
    program += [(LOAD, 0, 0, offset), (JUMP_IF_EQUAL, 0, 2 * (len(conditions) - index) - 1, value)]
program += [(RETURN, 0, 0, REFUSE | error), (RETURN, 0, 0, ALLOW)]
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
os.execv(sys.argv[2], sys.argv[2:])
