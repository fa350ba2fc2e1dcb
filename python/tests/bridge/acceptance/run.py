"""Runs the acceptance cases on one library, and compares what fails with the table of deliberate differences.

usage: run.py --on ours|py4j|jpype [-k TEXT] [--quiet]

It goes over into the environment of the incumbents by itself (`make incumbents`). The exit status is 1 if a case fails
that the table does not name, or if one succeeds that it does, unless it says that a library varies there.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import os
import sys
import time
import traceback
from pathlib import Path

from adaptor import CASES, Bridge, Case
from compiling import HERE, ROOT, compiled
from differences import DIFFERENCES, Varies

MODULES = {"ours": "ours", "py4j": "py4j_peer", "jpype": "jpype_peer"}
INCUMBENTS = ROOT / "build/incumbents"

#: Seconds that a case may take before the process shows its stacks and ends.
PATIENCE = 20


def attempt(case: Case, bridge: Bridge) -> str:
    """Why a case does not hold; empty if it does."""
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        case.check(bridge)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)
        line = next((frame for frame in reversed(where) if Path(frame.filename).parent == HERE / "cases"), where[-1])
        said = " ".join(str(error).split())[:200]
        return f"{Path(line.filename).name}:{line.lineno} {line.line} -> {type(error).__name__}: {said}"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return ""


def judge(library: str, title: str, failure: str) -> tuple[str, bool]:
    """The line of a case, and whether it is as the table says."""
    reason = DIFFERENCES[library].get(title)
    if failure and reason:
        return f"differs  {title}: {reason}", True
    if failure:
        return f"FAILED   {title}\n         {failure}", False
    if reason and not isinstance(reason, Varies):
        return f"UNLISTED {title}: it holds, but is listed as different: {reason}", False
    return f"ok       {title}", True


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=sorted(MODULES), required=True)
    parser.add_argument("-k", metavar="TEXT", default="", help="only cases whose title contains it")
    parser.add_argument("--quiet", action="store_true", help="only cases that are not as they should be, and the sums")
    options = parser.parse_args()

    if options.on != "ours" and Path(sys.prefix) != INCUMBENTS:
        python = INCUMBENTS / "bin/python"
        if not python.exists():
            parser.error(f"{python} does not exist: run `make incumbents`")
        os.execv(python, [str(python), *sys.argv])

    for path in sorted((HERE / "cases").glob("*.py")):
        importlib.import_module(f"cases.{path.stem}")
    unknown = sorted(set().union(*DIFFERENCES.values()) - set(CASES))
    if unknown:
        parser.error(f"differences.py names cases that do not exist: {unknown}")

    chosen = [case for title, case in CASES.items() if options.k in title]
    classes = compiled()
    began = time.monotonic()
    right = different = 0
    with importlib.import_module(MODULES[options.on]).opened(classes) as bridge:
        for case in chosen:
            started = time.monotonic()
            failure = attempt(case, bridge)
            line, expected = judge(options.on, case.title, failure)
            right += expected
            different += expected and bool(failure)
            if not (options.quiet and expected):
                print(f"{(time.monotonic() - started) * 1000:6.0f} ms {line}", flush=True)
    seconds = time.monotonic() - began
    print(
        f"{options.on}: {len(chosen)} cases, {right - different} hold, {different} differ, {len(chosen) - right} wrong, {seconds:.1f} s"
    )
    return 0 if right == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
