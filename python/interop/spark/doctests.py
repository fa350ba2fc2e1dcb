"""Runs a module of PySpark as `python -m MODULE` does, and writes which of its doctests passed and failed.

usage: doctests.py MODULE FILE

Runs in Spark's environment. FILE gets a JSON object: a test's name to [examples tried, lines of the examples that failed].
"""

from __future__ import annotations

import atexit
import doctest
import json
import runpy
import sys
from pathlib import Path
from typing import Any

tests: dict[str, tuple[int, list[int]]] = {}


class Recorder(doctest.DocTestRunner):
    """doctest's own runner, which also notes what failed."""

    def run(self, test: doctest.DocTest, *args: Any, **kwargs: Any) -> doctest.TestResults:
        tests.setdefault(test.name, (0, []))
        found = super().run(test, *args, **kwargs)
        tests[test.name] = (found.attempted, tests[test.name][1])
        return found

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        tests[test.name][1].append((test.lineno or 0) + example.lineno + 1)
        super().report_failure(out, test, example, got)

    def report_unexpected_exception(self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any) -> None:
        tests[test.name][1].append((test.lineno or 0) + example.lineno + 1)
        super().report_unexpected_exception(out, test, example, exc_info)


def main(module: str, file: str) -> None:
    """Becomes the module. What was noted is written at exit: a module ends by sys.exit."""
    atexit.register(lambda: Path(file).write_text(json.dumps(tests)))
    # Not a name of PySpark's: found by what is pickled if it stayed among the arguments or in the path.
    del sys.path[0]
    sys.path.insert(0, "")
    sys.argv = [module]
    doctest.DocTestRunner = Recorder  # type: ignore[misc]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
