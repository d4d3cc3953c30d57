#!/usr/bin/python3
"""Checks every line of standard input against a JSON Schema; the first mistake is told with its line and place."""

import json
import sys

import jsonschema

schema_path = sys.argv[1]
with open(schema_path, encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
count = 0
for number, line in enumerate(sys.stdin, start=1):
    if not line.endswith("\n"):
        sys.exit(f"line {number} is not ended")
    for error in validator.iter_errors(json.loads(line)):
        sys.exit(f"line {number}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
    count += 1
print(f"{count} lines")
