#!/usr/bin/python3
"""otlp-collector.py PORT [STATUS]...
Takes what is posted, a line of JSON for each request on standard output: path, content type, authorization, body. The first requests are
answered with the statuses that are given, all others with 200; -N is 200, and a word that N records were refused."""

import gzip
import http.server
import json
import sys

statuses = [int(status) for status in sys.argv[2:]]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        status = statuses.pop(0) if statuses else 200
        line = {
            "path": self.path,
            "type": self.headers["Content-Type"],
            "authorization": self.headers.get("Authorization", ""),
            "status": status,
            "body": body.decode(),
        }
        print(json.dumps(line), flush=True)
        answer = b"{}"
        if status < 0:
            partial = {"rejectedLogRecords": str(-status), "errorMessage": "too old"}
            answer = json.dumps({"partialSuccess": partial}).encode()
        self.send_response(max(status, 200))
        self.send_header("Content-Length", str(len(answer)))
        if status in (429, 503):
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
