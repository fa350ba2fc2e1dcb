"""The package under the name `py4j`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import samewire

PROGRAM = """
import importlib.metadata, multiprocessing, pickle
from py4j.java_gateway import JavaGateway, JavaObject
import py4j.clientserver, py4j.protocol, samewire.py4j.java_gateway
assert samewire.py4j.java_gateway is py4j.java_gateway
assert JavaObject.__module__ == "py4j.java_gateway", JavaObject.__module__
assert py4j.protocol.Py4JError.__module__ == "py4j.protocol"
assert type(pickle.loads(pickle.dumps(py4j.protocol.Py4JNetworkError("x")))) is py4j.protocol.Py4JNetworkError
assert importlib.metadata.version("py4j") == py4j.__version__ == "0.10.9.9"
print("ours")
"""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python, which finds this package."""
    environment = {**os.environ, "PYTHONPATH": str(Path(samewire.__file__).parents[1]), **environment}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment, check=False, timeout=120)


def test_a_program_installs_it() -> None:
    done = run("-c", "from samewire import bridge\nbridge.install_as_py4j()\nbridge.install_as_py4j()\n" + PROGRAM)
    assert (done.stdout, done.returncode) == ("ours\n", 0), done.stderr


def test_a_command_runs_under_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = run("-m", "samewire.bridge", str(program))
    assert (done.stdout, done.returncode) == ("ours\n", 0), done.stderr


def test_other_modules_are_passed_over_in_its_folder() -> None:
    program = """
import sys
import py4j
from samewire.bridge.as_py4j import SHADOW
finder = sys.path_importer_cache[str(SHADOW)]
assert str(SHADOW) in sys.path[:2], sys.path
looked = []
sys.addaudithook(lambda event, args: looked.append(args) if event == "os.listdir" else None)
assert finder.find_spec("IPython") is None
assert not looked, looked
assert finder.find_spec("py4j").origin == str(SHADOW / "py4j" / "__init__.py")
"""
    for install in ("from samewire import bridge\nbridge.install_as_py4j()", "import samewire.py4j.switch"):
        done = run("-c", install + program, SAMEWIRE_PY4J="1")
        assert done.returncode == 0, done.stderr


def test_it_must_come_before_py4j() -> None:
    done = run("-c", "import py4j.java_gateway\nfrom samewire import bridge\nbridge.install_as_py4j()")
    assert "RuntimeError: py4j has been imported already" in done.stderr
