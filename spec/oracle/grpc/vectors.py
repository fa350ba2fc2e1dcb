"""The topics of gRPC's vectors: what only TypeScript has to pass."""

from __future__ import annotations

import json

from spec.oracle.grpc import cases_connection, cases_hpack, cases_recorded
from spec.oracle.grpc.topic import Topic


def topics() -> list[Topic]:
    """All topics, by name."""
    found = [*cases_hpack.topics(), *cases_recorded.topics(), *cases_connection.topics()]
    return sorted(found, key=lambda topic: topic.name)


def file_text(topic: Topic) -> str:
    """One case a line."""
    names = [case["name"] for case in topic.cases]
    assert len(set(names)) == len(names), f"{topic.name}: names used twice"
    head = f'{{"format": "grpc", "topic": {json.dumps(topic.name)}, "spec": {json.dumps(topic.spec)}, "cases": [\n'
    return head + ",\n".join(json.dumps(case, ensure_ascii=True) for case in topic.cases) + "\n]}\n"
