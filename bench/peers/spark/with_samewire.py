"""samewire.py4j and its jar in Py4J's place, by the one setting."""

from __future__ import annotations

import os
import sys

from bench.lab.places import ROOT
from bench.peers.spark.peer import Row, WrongResult
from bench.peers.spark.programs import Session

PYTHON = ROOT / "python"
JARS = [PYTHON / "samewire" / name for name in ("py4j/samewire-py4j.jar", "bridge/samewire-bridge.jar")]


def prepare() -> None:
    """Puts samewire.py4j under the name `py4j`."""
    for name in ("SAMEWIRE_PY4J_DIALECT", "SPARK_SUBMIT_OPTS"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(PYTHON))
    from samewire import bridge

    bridge.install_as_py4j()


def check(session: Session) -> None:
    """Raises WrongResult if calls do not go over the bridge."""
    dialect = type(session.client.dialect).__name__
    if dialect != "NativeDialect":
        raise WrongResult(f"calls are expected to go over the bridge (NativeDialect); they go by {dialect}")


_MISSING = next((f"{jar} is not there: run `make build-python`" for jar in JARS if not jar.exists()), "")
ROWS = {"samewire": Row("0.1.0", prepare, check, missing=_MISSING)}
