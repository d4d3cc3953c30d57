"""Print how this host is reachable, and each change: python3 watch.py [EVENTS]"""

import ctypes
import json
import os
import queue
import sys

library = ctypes.CDLL(os.environ.get("NETWATCH_LIBRARY", "libnetwatch.so"))
Callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
library.netwatch_create.restype = ctypes.c_void_p
library.netwatch_create.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]
library.netwatch_set_callback.argtypes = [ctypes.c_void_p, Callback, ctypes.c_void_p]
library.netwatch_start.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)]
library.netwatch_free.argtypes = [ctypes.c_void_p]

events = queue.Queue()
error = ctypes.c_char_p()
callback = Callback(lambda event, _: events.put(json.loads(event)))

monitor = library.netwatch_create(b'{"probes": false}', ctypes.byref(error))
if monitor:
    library.netwatch_set_callback(monitor, callback, None)
if not monitor or library.netwatch_start(monitor, ctypes.byref(error)) != 0:
    sys.exit(f"watch: {error.value.decode()}")

wanted = int(sys.argv[1]) if len(sys.argv) > 1 else None
while wanted is None or wanted > 0:
    event = events.get()
    print(event["seq"], event["reachability"], event["cause"]["description"], flush=True)
    wanted = wanted and wanted - 1
library.netwatch_free(monitor)
