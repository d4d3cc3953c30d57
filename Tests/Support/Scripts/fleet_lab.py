"""Network namespaces and programs in them, for the scripts of this folder."""

import ctypes
import os
import signal
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
NEWNET = 0x40000000


def enter(descriptor):
    if libc.setns(descriptor, NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def new_namespace(home):
    """A new namespace, by a descriptor; home is entered again."""
    if libc.unshare(NEWNET):
        raise OSError(ctypes.get_errno(), "unshare")
    descriptor = os.open("/proc/self/ns/net", os.O_RDONLY)
    if home is not None:
        enter(home)
    return descriptor


def ip(batch, where=None):
    setup = None if where is None else lambda: enter(where)
    subprocess.run(["ip", "-batch", "-"], input=batch + "\n", text=True, check=True, preexec_fn=setup)


class Program:
    """A program that goes on, with its output in a file."""

    def __init__(self, arguments, output, where=None, error=None):
        self.file = output
        setup = None if where is None else lambda: enter(where)
        with open(output, "ab") as out, open(error or output, "ab") as err:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=setup)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
