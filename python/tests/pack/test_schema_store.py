"""Messages of several versions of a type, by stores of schemas."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from samewire import pack
from samewire.errors import SamewireError
from samewire.pack import FolderSchemas, MemorySchemas, Schema, SchemaStore, VersionedCodec


class Old:
    """Another version's types."""

    @dataclass
    class Book:
        name: str
        year: Annotated[int, pack.I32]


@dataclass
class Book:
    year: int
    name: str
    author: str | None = None


@dataclass
class Film:
    name: str


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SchemaStore:
    return MemorySchemas() if request.param == "memory" else FolderSchemas(tmp_path / "schemas")


def test_reads_what_an_older_version_wrote(store: SchemaStore) -> None:
    old, new = VersionedCodec(Old.Book, store), VersionedCodec(Book, store)
    message = old.encode(Old.Book("Carrie", 1974))
    assert new.decode(message) == Book(1974, "Carrie")
    assert new.decoder_for(message) is new.decoder_for(message)
    own = new.encode(Book(1981, "Cujo", "Stephen King"))
    assert new.decode(own) == Book(1981, "Cujo", "Stephen King")
    assert store.get(new.schema.digest) == new.schema.text


def test_a_schema_that_is_nowhere_is_named(store: SchemaStore) -> None:
    message = pack.codec(Old.Book, digest=True).encode(Old.Book("Carrie", 1974))
    with pytest.raises(SamewireError) as caught:
        VersionedCodec(Book, store).decode(message)
    assert (caught.value.code, caught.value.at) == ("schema_mismatch", 1)
    assert pack.codec(Old.Book).digest.hex() in caught.value.text


def test_a_message_without_a_digest_is_refused(store: SchemaStore) -> None:
    with pytest.raises(SamewireError) as caught:
        VersionedCodec(Book, store).decode(pack.codec(Book).encode(Book(1, "a")))
    assert (caught.value.code, caught.value.at) == ("schema_mismatch", 0)


def test_schemas_that_do_not_resolve_say_where(store: SchemaStore) -> None:
    message = VersionedCodec(Film, store).encode(Film("It"))
    with pytest.raises(SamewireError) as caught:
        VersionedCodec(Book, store).decode(message)
    assert (caught.value.code, caught.value.path) == ("schema_mismatch", "$")


def test_what_a_folder_holds_is_checked(tmp_path: Path) -> None:
    store = FolderSchemas(tmp_path)
    message = VersionedCodec(Old.Book, store).encode(Old.Book("Carrie", 1974))
    (file,) = tmp_path.iterdir()
    assert file.name == f"{pack.codec(Old.Book).digest.hex()}.schema"
    for text, code in (
        (b"i32", "malformed"),
        (file.read_bytes() + b" ", "malformed"),
        (b"struct {", "malformed"),
        (b"\xff", "malformed"),
    ):
        file.write_bytes(text)
        with pytest.raises(SamewireError) as caught:
            VersionedCodec(Book, store).decode(message)
        assert caught.value.code == code
    file.write_bytes(b" " * (2 << 20))
    with pytest.raises(SamewireError, match="limit_size"):
        VersionedCodec(Book, store).decode(message)


def test_put_twice_writes_once(tmp_path: Path) -> None:
    store = FolderSchemas(tmp_path)
    schema = pack.codec(Book).schema
    store.put(schema)
    (file,) = tmp_path.iterdir()
    before = file.stat().st_mtime_ns
    store.put(schema)
    assert [found.stat().st_mtime_ns for found in tmp_path.iterdir()] == [before]


def test_more_schemas_than_decoders_are_kept() -> None:
    kinds = [Schema.parse(f"struct Book {{ name: string, x{number}: bool }}") for number in range(300)]

    @dataclass
    class Named:
        name: str

    Named.__name__ = "Book"
    codec = VersionedCodec(Named, MemorySchemas(*kinds))
    for schema in kinds + kinds:
        kind = pack.types_of(schema)
        message = pack.codec(kind, digest=True).encode(kind("Carrie", True))
        assert codec.decode(message).name == "Carrie"
    assert len(codec._decoders) <= 256
    assert codec.schema.digest in codec._decoders


def test_threads_share_it() -> None:
    store = MemorySchemas()
    message = VersionedCodec(Old.Book, store).encode(Old.Book("Carrie", 1974))
    codec = VersionedCodec(Book, store)
    found: list[Book] = []
    threads = [threading.Thread(target=lambda: found.append(codec.decode(message))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Book(1974, "Carrie")] * 16
