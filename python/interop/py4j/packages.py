"""Runs programs written for Py4J, and what its documentation shows, on Py4J and on ours by SAMEWIRE_PY4J=1: they print the same.

usage: packages.py [--python PYTHON]

  --python  of an environment with requirements.txt; default: one that is made in build/interop-py4j
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OURS = ROOT / "python/samewire/py4j/samewire-py4j.jar"
PROGRAMS = ("documented.py", "asphalt_gateway.py", "py4jrush_sentences.py")
SECONDS = 300


def environment() -> Path:
    """The Python of an environment with the packages."""
    folder = ROOT / "build/interop-py4j/packages"
    python = folder / "bin/python"
    wanted, stamp = (HERE / "requirements.txt").read_text("utf-8"), folder / "requirements"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--require-hashes"]
        subprocess.run([*pip, "-r", str(HERE / "requirements.txt")], check=True)
        stamp.write_text(wanted, "utf-8")
    return python


def switched(python: Path) -> None:
    """Puts our package into the environment, as an installation does: its folder, and the file that reads the variable."""
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())
    (packages / "samewire.pth").write_text(f"{ROOT / 'python'}\n", "utf-8")
    shutil.copy(ROOT / "python/samewire_py4j.pth", packages)


def output(python: Path, program: str, jar: Path, ours: bool) -> str:
    """What a program prints, and how it ends if that is not well."""
    settings = {**os.environ, "PY4J_JAR": str(jar), "SAMEWIRE_PY4J": str(int(ours))}
    settings.pop("PYTHONPATH", None)
    command = [str(python), str(HERE / "programs" / program)]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=SECONDS)
    return done.stdout + (f"ended with {done.returncode}:\n{done.stderr}" if done.returncode else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path)
    python = parser.parse_args().python or environment()
    switched(python)
    theirs = next((python.parent.parent / "share/py4j").glob("py4j*.jar"))
    good = True
    for program in PROGRAMS:
        expected = output(python, program, theirs, ours=False)
        sides = {"our client": (theirs, True), "our jar": (OURS, False), "both ours": (OURS, True)}
        for side, (jar, ours) in sides.items():
            got = output(python, program, jar, ours)
            same = got == expected != "" and "ended with" not in expected
            good &= same
            print(f"{program:24} {side:11} {'the same' if same else 'differs'}", flush=True)
            if not same:
                print(f"--- Py4J\n{expected}--- {side}\n{got}", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
