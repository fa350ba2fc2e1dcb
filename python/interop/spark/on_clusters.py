"""Runs programs/everything.py on each kind of cluster with Py4J and with samewire.py4j, and compares the results.

usage: on_clusters.py [--spark 4.3|3.5] [--only TEXT] [--side SIDE] [--steps REGEX]

  --only   kinds of cluster with TEXT in their names: local[2], local-cluster[2,1,1024], standalone
  --side   one side alone, which is compared with what the other gave before
  --steps  steps of the program whose names match
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import clusters
import sides

HERE = Path(__file__).parent
#: Seconds for one program, on a machine that does other work too.
LIMIT = 1200


def results(spark: str, kind: str, side: str, place: Path, steps: str) -> dict[str, Any]:
    """What the program gives on one side."""
    folder = place / side
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "results.json"
    file.unlink(missing_ok=True)
    begun = time.monotonic()
    with clusters.cluster(kind, spark, folder) as master, (folder / "program.log").open("w") as log:
        command = [str(sides.python_of(spark)), str(HERE / "programs/everything.py"), master, str(file), steps]
        variables = sides.variables(side, spark)
        subprocess.run(command, cwd=folder, env=variables, stdout=log, stderr=log, timeout=LIMIT, check=False)
    print(f"{kind:24} {side:10} {time.monotonic() - begun:6.1f} s", flush=True)
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def differences(theirs: dict[str, Any], ours: dict[str, Any], steps: str) -> list[str]:
    """What differs in some steps, a line each. A step that raised on both sides is told as well: then it compares nothing."""
    found = []
    for name in sorted(name for name in theirs.keys() | ours.keys() if re.search(steps, name)):
        expected, came = theirs.get(name), ours.get(name)
        if expected != came:
            found.append(f"{name}: with Py4J {str(expected)[:300]}, with samewire {str(came)[:2000]}")
        elif isinstance(came, str):
            found.append(f"{name}: raises on both sides: {came[:300]}")
    return found if theirs and ours else ["a side gave no results: see its program.log"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spark", choices=sides.SPARKS, default=sides.SPARKS[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--steps", default="")
    parser.add_argument("--side", choices=sides.SIDES)
    options = parser.parse_args()
    worse = 0
    for kind in clusters.KINDS:
        if options.only not in kind:
            continue
        place = sides.ROOT / "build/interop/spark" / options.spark / "clusters" / kind.partition("[")[0]
        came = {}
        for side in sides.SIDES:
            if options.side in (None, side):
                came[side] = results(options.spark, kind, side, place, options.steps)
            else:
                came[side] = json.loads((place / side / "results.json").read_text())
        found = differences(came["py4j"], came["samewire"], options.steps)
        print("\n".join(f"  {line}" for line in found) or f"  {len(came['samewire'])} results are the same")
        worse += len(found)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
