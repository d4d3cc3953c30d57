#!/usr/bin/python3
"""otlp-strict.py
Reads what otlp-collector.py has written and parses every body by OpenTelemetry's own definitions, which know all members that there may
be. Prints how many metrics and how many records of logs there were."""

import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

metrics = records = 0
for line in sys.stdin:
    post = json.loads(line)
    if post["path"] == "/v1/metrics":
        request = json_format.Parse(post["body"], ExportMetricsServiceRequest(), ignore_unknown_fields=False)
        for resource in request.resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    assert metric.name and metric.WhichOneof("data"), metric
                    for point in metric.histogram.data_points:
                        assert len(point.bucket_counts) == len(point.explicit_bounds) + 1, metric.name
                        assert sum(point.bucket_counts) == point.count, metric.name
                    metrics += 1
    else:
        assert post["path"] == "/v1/logs", post["path"]
        request = json_format.Parse(post["body"], ExportLogsServiceRequest(), ignore_unknown_fields=False)
        for resource in request.resource_logs:
            for scope in resource.scope_logs:
                for record in scope.log_records:
                    assert record.body.string_value and record.severity_number, record
                    records += 1
print(metrics, records)
