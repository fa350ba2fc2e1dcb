"""The package under the name `py4j`."""

from __future__ import annotations

import os
import shutil
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


def test_a_folder_remembers_what_it_does_not_have_until_it_changes(tmp_path: Path) -> None:
    program = f"""
import importlib, importlib.util, os, sys
from importlib.machinery import FileFinder
sys.path = [folder for folder in sys.path if "site-packages" not in folder]
first, second = {str(tmp_path / "first")!r}, {str(tmp_path / "second")!r}
for folder in (first, second):
    os.mkdir(folder)
    os.utime(folder, (0, 0))
    sys.path.append(folder)
looked = []
whole = FileFinder.find_spec
FileFinder.find_spec = lambda self, name, target=None: (looked.append(self.path), whole(self, name, target))[1]

def tried(name="IPython"):
    looked.clear()
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert (error.name, str(error)) == (name, f"No module named {{name!r}}"), error
        return "missing"
    return sys.modules.pop(name).__file__

assert tried() == tried() == "missing"
assert first in looked and second in looked, looked  # these are the first to remember it
assert tried() == "missing"
assert looked == [], looked
assert importlib.util.find_spec("IPython") is None
assert tried("IPython_") == tried("IPython_") == "missing"
assert first in looked, looked  # no other names are remembered
found = os.path.join(second, "IPython.py")
open(found, "w").close()
assert tried() == found
assert first not in looked, looked
os.remove(found)
os.utime(second, (0, 0))
importlib.invalidate_caches()
assert tried() == "missing"
assert first in looked and second in looked, looked
os.rmdir(first)
open(found, "w").close()
os.utime(second, (0, 0))
assert tried() == "missing"  # as CPython does it: the folder has the same time
importlib.invalidate_caches()
assert tried() == found
"""
    for install in ("from samewire import bridge\nbridge.install_as_py4j()", "import samewire.py4j.switch"):
        for folder in tmp_path.iterdir():
            shutil.rmtree(folder)
        done = run("-c", install + program, SAMEWIRE_PY4J="1")
        assert done.returncode == 0, done.stderr


def test_it_must_come_before_py4j() -> None:
    done = run("-c", "import py4j.java_gateway\nfrom samewire import bridge\nbridge.install_as_py4j()")
    assert "RuntimeError: py4j has been imported already" in done.stderr
