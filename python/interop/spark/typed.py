"""Runs the programs with typed values through Spark, on threads and on a cluster of two workers.

usage: typed.py [--spark 4.3|3.5] [--only TEXT] [--program TEXT] [--side SIDE]

  --only     kinds of cluster with TEXT in their names: local[2], local-cluster[2,1,1024]
  --program  programs with TEXT in their names
  --side     what stands behind `py4j`: Py4J unless said, or samewire

A program checks its own results. Exit status 1: one has failed; its program.log says how.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import sides

HERE = Path(__file__).parent
KINDS = ("local[2]", "local-cluster[2,1,1024]")
JAR = sides.ROOT / "build/samewire-spark.jar"
#: Where workers find Samewire, and drivers `py4j`.
PATHS = {"py4j": f"{sides.ROOT}/python", "samewire": f"{sides.ROOT}/python/samewire/py4j/shadow:{sides.ROOT}/python"}
#: Seconds for one program, on a machine that does other work too.
LIMIT = 900


def run(program: Path, kind: str, spark: str, side: str) -> bool:
    """Runs one program; prints its row. Returns whether it succeeded."""
    folder = sides.ROOT / "build/interop/spark" / spark / "typed" / kind.partition("[")[0] / program.stem
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    with (folder / "program.log").open("w") as log:
        command = [str(sides.python_of(spark)), str(program), kind, str(folder), str(JAR)]
        variables = sides.variables(side, spark) | {"PYTHONPATH": PATHS[side]}
        done = subprocess.run(command, cwd=folder, env=variables, stdout=log, stderr=log, timeout=LIMIT, check=False)
    outcome = "passed" if done.returncode == 0 else f"failed: see {folder / 'program.log'}"
    print(f"{program.stem:24} {kind:24} {time.monotonic() - begun:6.1f} s  {outcome}", flush=True)
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spark", choices=sides.SPARKS, default=sides.SPARKS[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--program", default="")
    parser.add_argument("--side", choices=sides.SIDES, default="py4j")
    options = parser.parse_args()
    programs = sorted(file for file in (HERE / "programs").glob("typed_*.py") if options.program in file.name)
    kinds = [kind for kind in KINDS if options.only in kind]
    failed = [kind for kind in kinds for program in programs if not run(program, kind, options.spark, options.side)]
    return 1 if failed or not programs or not kinds else 0


if __name__ == "__main__":
    sys.exit(main())
