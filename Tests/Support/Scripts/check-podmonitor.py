#!/usr/bin/python3
"""check-podmonitor.py SCHEMA PODMONITOR MANIFEST
Holds a PodMonitor against a schema, and what it selects against the pods that the manifest makes: a port or a label with another name
would find nothing, and nothing would say so. Prints what is wrong."""

import json
import sys

import jsonschema
import yaml

schema, monitor, manifest = (open(name) for name in sys.argv[1:])
schema, monitor = json.load(schema), yaml.safe_load(monitor)
pods = [
    {"namespace": document["metadata"].get("namespace"), **document["spec"]["template"]}
    for document in yaml.safe_load_all(manifest) if document and document["kind"] in ("DaemonSet", "Deployment")
]
jsonschema.Draft202012Validator.check_schema(schema)
for mistake in jsonschema.Draft202012Validator(schema).iter_errors(monitor):
    print("/".join(map(str, mistake.absolute_path)), mistake.message)
spec = monitor["spec"]
wanted = spec["selector"].get("matchLabels", {}).items()
chosen = [
    pod for pod in pods
    if wanted <= pod["metadata"]["labels"].items() and pod["namespace"] == monitor["metadata"].get("namespace")
]
if not chosen:
    print("it selects no pod of the manifest")
for pod in chosen:
    names = {port.get("name") for container in pod["spec"]["containers"] for port in container.get("ports", [])}
    for endpoint in spec["podMetricsEndpoints"]:
        if endpoint.get("port") not in names:
            print(f"no container has a port {endpoint.get('port')}: there are {sorted(filter(None, names))}")
