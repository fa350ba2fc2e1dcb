"""Modules that programs import by the paths that redis-py has, or that spec/redis.md names."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import samewire.redis
from samewire.redis.redis_py.as_redis import FACADES

#: Behind `samewire.redis`, as behind `redis`.
BLOCKING = "backoff cache client cluster connection crc credentials driver_info exceptions lock retry sentinel typing".split()
#: Behind `samewire.redis.aio`, as behind `redis.asyncio`.
AWAITING = "client cluster connection lock retry sentinel".split()
#: What redis-py does not have.
OWN = {"breaker": "CircuitBreaker", "observability": "Observer", "reader": "Reader", "typed": "Store", "aio": "Client"}


def names(module: str) -> set[str]:
    """The public names of the module of ours that a facade is made of."""
    (source, *_) = FACADES[module]
    ours = importlib.import_module(f"samewire.redis.{source}")
    return set(getattr(ours, "__all__", None) or (name for name in dir(ours) if not name.startswith("_")))


@pytest.mark.parametrize(
    ("path", "facade"),
    [(f"samewire.redis.{name}", f"redis.{name}") for name in BLOCKING]
    + [(f"samewire.redis.aio.{name}", f"redis.asyncio.{name}") for name in AWAITING],
)
def test_a_path_of_redis_py_has_its_names(path: str, facade: str) -> None:
    module = importlib.import_module(path)
    assert names(facade) - {name for name in dir(module) if hasattr(module, name)} == set()


@pytest.mark.parametrize("name", OWN)
def test_a_path_of_ours_has_what_programs_import(name: str) -> None:
    assert hasattr(importlib.import_module(f"samewire.redis.{name}"), OWN[name])


def test_modules_are_attributes_of_the_package_without_being_imported() -> None:
    wanted = [*BLOCKING, *OWN, "asyncio", "commands"]
    code = f"import samewire.redis as redis; print([name for name in {wanted!r} if not hasattr(redis, name)])"
    environment = {**os.environ, "PYTHONPATH": str(Path(samewire.redis.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_not_every_program_needs_is_loaded_when_it_is_asked_for() -> None:
    code = "import sys, samewire.redis; print(*(name for name in sys.modules if name.startswith('samewire.redis.')))"
    environment = {**os.environ, "PYTHONPATH": str(Path(samewire.redis.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    for later in ("aio", "sync.cluster", "sync.sentinel", "cluster", "sentinel", "redis_py", "typed.store"):
        assert f"samewire.redis.{later}" not in loaded
    assert "asyncio" not in loaded
    assert len(loaded) <= 120


def test_classes_say_the_path_by_which_programs_import_them() -> None:
    redis = samewire.redis
    for kind in (redis.Client, type(redis.Client[bytes]().pipeline())):
        assert kind.__module__ == "samewire.redis.client"
    assert redis.RedisCluster.__module__ == redis.cluster.ClusterPipeline.__module__ == "samewire.redis.cluster"
    assert redis.Sentinel.__module__ == redis.SentinelConnectionPool.__module__ == "samewire.redis.sentinel"
    assert redis.aio.Client.__module__ == "samewire.redis.aio.client"
    assert pickle.loads(pickle.dumps([redis.Client, redis.RedisCluster, redis.Sentinel])) == [
        redis.Client,
        redis.RedisCluster,
        redis.Sentinel,
    ]
