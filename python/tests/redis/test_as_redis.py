"""`import redis` finds samewire.redis: in this process, in its children, and not where redis-py was first."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import samewire.redis
from samewire.redis.redis_py.as_redis import FACADES, REDIS_PY_VERSION, SHADOW

PYTHON = Path(samewire.redis.__file__).parents[2]


def run(code: str, *path: Path, launcher: tuple[str, ...] = ()) -> str:
    """What a new interpreter prints, or its last line on stderr."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*path, PYTHON)))}
    done = subprocess.run([*launcher, sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


INSTALL = "import samewire.redis; samewire.redis.install_as_redis(); "


@pytest.fixture(scope="module")
def seen() -> dict[str, str]:
    """What one process sees after it has called `install_as_redis`: the texts of expressions, or of what they raise."""
    code = f"""
import importlib, importlib.metadata, json, sys
import samewire.redis, samewire.redis.aio
samewire.redis.install_as_redis()
import redis
before = len(sys.meta_path), len(sys.path)
def text(expression):
    try:
        return repr(eval(expression))
    except Exception as error:
        return f"{{type(error).__name__}}: {{error}}"
print(json.dumps({{expression: text(expression) for expression in {list(EXPRESSIONS)!r}}}))
"""
    found: dict[str, str] = json.loads(run(code))
    return found


SUBMODULES = (
    "asyncio client connection exceptions sentinel cluster backoff retry credentials lock utils commands typing crc cache"
)
EXPRESSIONS = {
    "samewire.redis.install_as_redis() is redis and before == (len(sys.meta_path), len(sys.path))": "True",
    f"[name for name in {SUBMODULES!r}.split() if not hasattr(redis, name)]": "[]",
    f"[name for name in {sorted(FACADES)!r} if not dir(importlib.import_module(name))]": "[]",
    "redis.Redis is redis.client.Redis is redis.StrictRedis is samewire.redis.Client": "True",
    "redis.asyncio.Redis is samewire.redis.aio.Client": "True",
    "redis.ConnectionError is redis.asyncio.ConnectionError is samewire.redis.exceptions.ConnectionError": "True",
    "redis.__version__, redis.VERSION, importlib.metadata.version('redis')": (
        f"{(REDIS_PY_VERSION, tuple(map(int, REDIS_PY_VERSION.split('.'))), REDIS_PY_VERSION)!r}"
    ),
    "importlib.import_module('redis._parsers.helpers').bool_ok(b'OK')": "True",
    "importlib.import_module('redis._parsers.helpers').pairs_to_dict([b'a', 1], decode_keys=True)": "{'a': 1}",
    "redis.connection.DefaultParser.EXCEPTION_CLASSES['NOAUTH'] is redis.AuthenticationError": "True",
    "importlib.import_module('redis.auth.token').SimpleToken('t', -1, 0, {}).is_expired()": "False",
    "issubclass(redis.client.Redis, redis.commands.core.ListCommands)": "True",
    "redis.client.bool_ok(b'OK'), redis.cluster.Redis is redis.Redis, redis.connection.SYM_CRLF": "(True, True, b'\\r\\n')",
    "'GET' in redis.cluster.READ_COMMANDS, 'SET' in redis.cluster.READ_COMMANDS": "(True, False)",
    "redis.nothing": f"AttributeError: module 'redis' has no attribute 'nothing' (samewire.redis stands in for redis-py {REDIS_PY_VERSION})",
    "importlib.import_module('redis.nothing')": "ModuleNotFoundError: No module named 'redis.nothing'",
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_is_redis_py_to_those_who_ask(seen: dict[str, str], expression: str) -> None:
    assert seen[expression] == EXPRESSIONS[expression]


def test_children_by_multiprocessing_find_it() -> None:
    code = (
        "import samewire.redis, multiprocessing\n"
        "if __name__ == '__main__':\n"
        "    samewire.redis.install_as_redis()\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.apply(eval, (\"__import__('redis').Redis.__module__\",)))"
    )
    assert run(code) == "samewire.redis.client"


def test_launcher_gives_it_to_a_command_and_its_children() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import redis; print(redis.Redis.__module__)'])"
    assert run(code, launcher=(sys.executable, "-m", "samewire.redis")) == "samewire.redis.client"


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_launcher_shows_its_usage(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "samewire.redis", *arguments], capture_output=True, text=True, check=False)
    said, silent = (done.stdout, done.stderr) if arguments else (done.stderr, done.stdout)
    assert (done.returncode, silent) == (0 if arguments else 1, "")
    assert "usage: python -m samewire.redis COMMAND" in said


@pytest.mark.parametrize("name", ["bridge", "pack", "redis", "redis.aio", "redis.typed"])
def test_dir_lists_names_that_are_loaded_later(name: str) -> None:
    code = f"import importlib; m = importlib.import_module('samewire.{name}'); print(set(m.__all__) - set(dir(m)))"
    assert run(code) == "set()"


def test_launcher_names_a_command_that_is_not_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "samewire.redis", "no-such-command"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "samewire.redis: cannot run 'no-such-command': No such file or directory\n"


def test_launcher_runs_python_files_and_commands_beside_its_own_python(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import redis, sys; print(redis.Redis.__module__, sys.executable, sys.argv[1:])")
    environment = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(PYTHON)}
    for command in ([str(program)], [Path(sys.executable).name, str(program)]):
        launch = [sys.executable, "-m", "samewire.redis", *command, "--flag"]
        done = subprocess.run(launch, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout == f"samewire.redis.client {sys.executable} ['--flag']\n", done.stderr


#: What redis-py exports and we do not: its keyspace notifications' classes.
NOT_OURS = {"ChannelType", "EventType", "KeyNotification", "get_channel_type"}


@pytest.mark.parametrize("name", ["redis", "redis.asyncio"])
def test_exports_what_redis_py_exports(name: str) -> None:
    theirs = pytest.importorskip(name, reason="redis-py is not installed").__all__
    ours = importlib.import_module(f"samewire.{name}")
    missing = {name for name in theirs if not hasattr(ours, name)}
    assert {name for name in missing if "Keyspace" not in name and not name.endswith("Channel")} <= NOT_OURS, missing
    assert not [name for name in ours.__all__ if not hasattr(ours, name)]


def test_asyncio_is_aio() -> None:
    from samewire.redis import aio, asyncio

    assert all(getattr(asyncio, name) is getattr(aio, name) for name in aio.__all__)


def test_folder_in_pythonpath_is_enough() -> None:
    assert run("import redis.asyncio; print(redis.asyncio.Redis.__module__)", SHADOW) == "samewire.redis.aio.client"


def test_refuses_when_redis_py_was_imported_before() -> None:
    pytest.importorskip("redis", reason="redis-py is not installed")
    message = run("import redis; " + INSTALL)
    assert message.startswith("RuntimeError: redis has been imported already, from ")
    assert message.endswith("call samewire.redis.install_as_redis() before anything imports redis")
