#!/usr/bin/env python3
"""embedded.py LIBRARY CONFIGURATION: a monitor by a configuration document, whose events are printed until SIGTERM."""

import ctypes
import signal
import sys

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
library = ctypes.CDLL(sys.argv[1])
Callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
library.netwatch_create.restype = ctypes.c_void_p
library.netwatch_create.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]
library.netwatch_set_callback.argtypes = [ctypes.c_void_p, Callback, ctypes.c_void_p]
library.netwatch_start.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)]
library.netwatch_free.argtypes = [ctypes.c_void_p]

error = ctypes.c_char_p()
callback = Callback(lambda event, _: print(event.decode(), flush=True))
monitor = library.netwatch_create(sys.argv[2].encode(), ctypes.byref(error))
if monitor:
    library.netwatch_set_callback(monitor, callback, None)
if not monitor or library.netwatch_start(monitor, ctypes.byref(error)) != 0:
    sys.exit(f"embedded: {error.value.decode()}")
signal.sigwait({signal.SIGTERM})
library.netwatch_free(monitor)
