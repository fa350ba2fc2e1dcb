"""PySpark as it is installed."""

from __future__ import annotations

import os

from bench.peers.spark.peer import Row, WrongResult
from bench.peers.spark.programs import Session


def prepare() -> None:
    """Takes away what would put samewire.py4j in Py4J's place."""
    for name in ("SAMEWIRE_PY4J", "SPARK_SUBMIT_OPTS"):
        os.environ.pop(name, None)


def check(session: Session) -> None:
    """Raises WrongResult if it is not Py4J that carries the session."""
    module = type(session.client).__module__
    if not module.startswith("py4j.") or hasattr(session.client, "settle"):
        raise WrongResult(f"Py4J is expected to carry the session; the client is of {module}")


ROWS = {"py4j": Row("py4j", prepare, check)}
