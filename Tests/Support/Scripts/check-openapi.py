#!/usr/bin/python3
"""check-openapi.py DOCUMENT BASE
Asks a server all that an OpenAPI document describes, well and badly, and says what is answered otherwise than it says:
another status, another media type, a body that its schema does not allow."""

import http.client
import itertools
import json
import pathlib
import sys
import urllib.parse

import jsonschema

document_path = pathlib.Path(sys.argv[1])
document = json.loads(document_path.read_text())
base = urllib.parse.urlsplit(sys.argv[2])
# What a parameter may be, beside what its schema says. What names nothing is asked for, too.
SAMPLES = {
    "target": ["shop", "http://127.0.0.1:1/", "127.0.0.1:1", "nothing here"],
    "module": ["http_2xx", "tcp_connect", "tcp_connect_tls", "icmp", "dns", "nothing"],
    "hostname": ["shop.test", "192.0.2.1"],
    "interface": ["lo", "nothing0"],
    "exclude": ["resync", "monitor", "nothing"],
    "after": ["1-1", "x"],
    "name": ["shop", "event-loop", "monitor", "first-dump", "resync", "nothing"],
    "debug": ["true", "false"],
    "since": ["1h", "90m", "tomorrow"],
    "spans": [""],
    "transitions": ["0", "20", "9999"],
    "verbose": ["", "1"],
}
HOSTILE = ["", "\x00", "<script>", "a" * 3000, "%", "ü", "a&b=c", "\r\nX: y"]
failures = []
asked = 0


def resolve(node, folder=document_path.parent):
    if "$ref" not in node:
        return node
    file, _, pointer = node["$ref"].partition("#")
    root = document if not file else json.loads((folder / file).read_text())
    for key in pointer.strip("/").split("/") if pointer else []:
        root = root[key]
    return root


def schema_of(node):
    """A schema with what it refers to."""
    return resolve(node) if node.get("$ref", "").endswith(".json") else {**node, "components": document["components"]}


def ask(method, target, headers):
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=30)
    try:
        connection.putrequest(method, target, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        media = answer.headers.get("Content-Type", "").partition(";")[0].strip()
        # What has no end is read until its first event is there.
        endless = media in ("text/event-stream", "application/x-ndjson")
        body = b""
        if endless and method != "HEAD":
            while b"\n" not in body.partition(b"data: ")[2] and not (body.startswith(b"{") and b"\n" in body):
                body += answer.read1(65536)
        elif not endless:
            body = answer.read()
        return answer.status, media, answer.headers, body
    finally:
        connection.close()


def complain(method, target, headers, text):
    failures.append(f"{method} {target[:150]} {headers}: {text}")


def check(path, operation, method, target, headers):
    global asked
    asked += 1
    status, media, fields, body = ask(method, target, headers)
    known = operation["responses"].get(str(status))
    if known is None:
        return complain(method, target, headers, f"{status} is not in the document ({body[:100]!r})")
    if fields.get("X-Content-Type-Options") != "nosniff" or "default-src" not in fields.get("Content-Security-Policy", ""):
        complain(method, target, headers, "nothing keeps a browser from making more of it")
    if method == "HEAD":
        return
    content = resolve(known).get("content", {})
    if media not in content:
        return complain(method, target, headers, f"{status} as {media}; the document has {list(content)}")
    schema = schema_of(content[media]["schema"])
    if media.endswith("json") or media == "application/x-ndjson":
        text = body.split(b"\n")[0] if media == "application/x-ndjson" else body
        for error in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text)):
            return complain(method, target, headers, f"{'/'.join(map(str, error.absolute_path))}: {error.message}")


def values(parameter):
    schema = parameter["schema"]
    schema = schema.get("items", schema)
    return schema.get("enum") or SAMPLES[parameter["name"]]


def targets(path, parameters):
    """The path with every value of each parameter, alone, with the required ones, twice and badly."""
    places = [p for p in parameters if p["in"] == "path"]
    queries = [p for p in parameters if p["in"] == "query"]
    paths = [path]
    for place in places:
        paths = [
            known.replace("{" + place["name"] + "}", urllib.parse.quote(value, safe=""))
            for known in paths for value in values(place) + ["<script>", "a" * 300]
        ]
    for known in paths:
        yield known
        yield known + "?colour=red"
        for query in queries:
            for value in values(query) + HOSTILE:
                one = urllib.parse.urlencode({query["name"]: value})
                yield f"{known}?{one}"
                yield f"{known}?{one}&{one}"
        for pair in itertools.combinations(queries, 2):
            for value in itertools.product(*(values(query)[:3] for query in pair)):
                yield known + "?" + urllib.parse.urlencode(list(zip((query["name"] for query in pair), value)))


def check_operation(path, method, operation):
    media = sorted({m for r in operation["responses"].values() for m in resolve(r).get("content", {})})
    parameters = operation.get("parameters", [])
    plain = next(iter(targets(path, parameters)))
    if method == "GET":
        for target in targets(path, parameters):
            check(path, operation, "GET", target, {})
        for accept in media + ["*/*", "nonsense", "text/*;q=0.1, application/json;q=0.9", ";;q=,"]:
            check(path, operation, "GET", plain, {"Accept": accept})
        check(path, operation, "HEAD", plain, {})
    check(path, operation, method, plain, {"Host": "other.example"})
    check(path, operation, method, plain + ("&" if "?" in plain else "?") + "x=" + "a" * 9000, {})
    check(path, operation, method, plain, {"Cookie": "a" * 17000})


def main():
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            check_operation(path, method.upper(), operation)
        if "get" not in operations:
            continue
        plain = next(iter(targets(path, operations["get"].get("parameters", []))))
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            status, _, fields, _ = ask(method, plain, {"Content-Length": "0"})
            if status != 405 or fields.get("Allow") != "GET, HEAD":
                complain(method, plain, {}, f"{status}, Allow: {fields.get('Allow')}")
    for target in ("/nothing", "/metrics/more", "/%2e%2e/etc/passwd"):
        status, media, _, _ = ask("GET", target, {})
        if (status, media) != (404, "text/plain"):
            complain("GET", target, {}, f"{status} {media}")
    for failure in failures[:40]:
        print(failure)
    print(f"{asked} questions, {len(failures)} answered otherwise")
    sys.exit(1 if failures else 0)


main()
