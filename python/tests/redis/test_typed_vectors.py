"""Every case of spec/vectors/typed, on a real server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from samewire import pack
from samewire.redis import Client
from samewire.redis.typed import StoredValueError
from servers import valkey

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "spec" / "vectors"

Case = dict[str, Any]
executed: dict[str, int] = {}


@pytest.fixture(scope="module")
def client() -> Iterator[Client[bytes]]:
    with valkey() as server, Client(port=server.port) as made:
        yield made


def written(client: Client[bytes], case: Case) -> None:
    """The notation is not read here: a reader of the same type reads the value, and another store writes it."""
    kind = pack.types_of(case["schema"])
    data = bytes.fromhex(case["hex"])
    client.set("given:x", data)
    value = client.store(kind, "given:").get("x")
    client.store(pack.codec(kind, profile=case["profile"]), "made:").put("x", value)
    assert client.get("made:x") == data
    assert client.get(case["key"]) == bytes.fromhex(case["text"])


def given(client: Client[bytes], case: Case) -> Any:
    """The store and the codec of a reader, and the value and schemas in the server."""
    client.set("x", bytes.fromhex(case["hex"]))
    for key, text in case["keys"].items():
        client.set(key, bytes.fromhex(text))
    codec = pack.codec(pack.types_of(case["schema"]), check=False)
    return client.store(codec, ""), codec


def read(client: Client[bytes], case: Case) -> None:
    store, codec = given(client, case)
    for value in (store.get("x"), store.get_many(["x"])[0], store.get("x")):
        assert codec.encode(value).hex() == case["canonical"]


def same(value: Any) -> Any:
    return value


def refused(client: Client[bytes], case: Case) -> None:
    store, _ = given(client, case)
    attempts: list[Callable[[], Any]] = [
        lambda: store.get("x"),
        lambda: store.get_many(["x"]),
        lambda: store.update("x", same),
    ]
    for attempt in attempts:
        with pytest.raises(StoredValueError) as caught:
            attempt()
        assert (caught.value.code, caught.value.at, caught.value.path) == (case["error"], case["at"], case["path"])
    assert client.get("x") == bytes.fromhex(case["hex"])


KINDS: dict[str, Callable[[Client[bytes], Case], None]] = {"written": written, "read": read, "refused": refused}


def cases() -> Iterator[Any]:
    for file in sorted(FOLDER.glob("typed/*.json")):
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            yield pytest.param(f"typed/{file.name}", case, id=f"{file.stem}-{case['name']}")


@pytest.mark.parametrize(("file", "case"), list(cases()))
def test_case(client: Client[bytes], file: str, case: Case) -> None:
    client.flushall()
    KINDS[case["kind"]](client, case)
    executed[file] = executed.get(file, 0) + 1


def test_every_case_was_executed() -> None:
    manifest = json.loads((FOLDER / "MANIFEST.json").read_text(encoding="utf-8"))
    report = ROOT / "build" / "executed" / "python-typed.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"vectors": executed}), encoding="utf-8")
    assert executed == {file: count for file, count in manifest["only"]["python"].items() if file.startswith("typed/")}
