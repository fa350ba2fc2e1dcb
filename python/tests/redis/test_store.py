"""Typed values under keys of their own, on a real server."""

from __future__ import annotations

import enum
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import pytest
from samewire import pack
from samewire.errors import SamewireError
from samewire.redis import DELETE
from samewire.redis.client import Client
from samewire.redis.exceptions import ConnectionError, ResponseError
from samewire.redis.typed import Store, StoredValueError, schemas, values
from samewire.redis.typed.store_steps import CHUNK_BYTES, COMMANDS, TOGETHER
from servers import peer


@dataclass(slots=True, frozen=True)
class Book:
    id: str
    name: str
    author: str
    year: Annotated[int, pack.I32]


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass(slots=True)
class Everything:
    flag: bool
    small: Annotated[int, pack.U8]
    number: float
    exact: Decimal
    name: str
    raw: bytes
    uuid: UUID
    day: date
    at: datetime
    took: timedelta
    colour: Colour
    maybe: str | None
    tags: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    pair: tuple[int, str] = (1, "x")
    kids: list[Everything] = field(default_factory=list)


EVERYTHING = Everything(
    flag=True,
    small=200,
    number=-0.0,
    exact=Decimal("1.50"),
    name="日本 é",
    raw=bytes(range(256)),
    uuid=UUID(int=7),
    day=date(2026, 1, 2),
    at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    took=timedelta(seconds=-1),
    colour=Colour.BLUE,
    maybe=None,
    tags=["a", "b", "a"],
    counts={"x": -1},
)

CARRIE = Book("1001", "Carrie", "Stephen King", 1974)


def named(name: str, fields: dict[str, Any]) -> Any:
    """A dataclass made now: another version of a class."""
    made = type(name, (), {"__annotations__": fields})
    return dataclass(made)


@pytest.fixture(params=[False, True], ids=["bytes", "texts"])
def client(port: int, request: pytest.FixtureRequest) -> Iterator[Client[Any]]:
    """Typed values are the same whether or not the client decodes texts."""
    made: Client[Any] = Client(port=port, decode_responses=request.param)
    with made:
        made.execute_command("FLUSHALL")
        yield made


@pytest.fixture
def books(client: Client[Any]) -> Store[Book]:
    return client.store(Book, prefix="book:")


def test_values_come_back(client: Client[Any], books: Store[Book]) -> None:
    assert books.get("1001") is None
    assert books.get("1001", CARRIE) is CARRIE
    assert books.put("1001", CARRIE) is True
    assert books.get("1001") == CARRIE
    assert (books.exists("1001"), books.exists("1002")) == (True, False)
    assert (books.delete("1001", "1002"), books.delete("1001"), books.delete()) == (1, 0, 0)
    assert books.get("1001") is None


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Everything, EVERYTHING),
        (list[int], list(range(1000))),
        (dict[str, list[float]], {"a": [1.5], "b": []}),
        (int, -(1 << 63)),
        (str, ""),
        (bytes, b"\0\r\n"),
        (pack.codec(Any), {"a": [None, 1, "x"]}),
        (pack.codec(Book, profile="fast"), CARRIE),
        (tuple[Book, Book], (CARRIE, CARRIE)),
    ],
    ids=str,
)
def test_every_type_comes_back(client: Client[Any], kind: Any, value: Any) -> None:
    store = client.store(kind, prefix="any:")
    store.put("x", value)
    assert store.get("x") == value
    assert store.get_many(["y", "x"]) == [None, value]
    # Another process: it has the schema of its own type alone.
    assert client.store(kind, prefix="any:").get("x") == value


def test_what_is_stored_is_the_digest_and_the_value(client: Client[Any], books: Store[Book]) -> None:
    books.put("1001", CARRIE)
    raw, codec = client.decoding(False), pack.codec(Book, digest=True)
    assert raw.execute_command("GET", "book:1001") == codec.encode(CARRIE)
    name = f"samewire:schema:{codec.digest.hex()}"
    assert raw.execute_command("GET", name) == codec.schema.text.encode()
    assert raw.execute_command("PTTL", name) == -1
    assert set(raw.execute_command("KEYS", "*")) == {b"book:1001", name.encode()}


def test_names_may_be_bytes_and_any_text(client: Client[Any]) -> None:
    store = client.store(int, prefix="*[é]?\\:")
    names: list[str | bytes] = ["a", "日本", b"raw\xff", "", "x*"]
    for number, name in enumerate(names):
        assert store.put(name, number)
    assert [store.get(name) for name in names] == [0, 1, 2, 3, 4]
    client.execute_command("SET", "*xé?:a", "outside of the prefix")
    found = dict(store.items())
    assert sorted(found.values()) == [0, 1, 2, 3, 4]
    assert store.get_many(found) == list(found.values())
    assert list(store.scan("a*")) == ["a"]


def test_a_name_of_another_type_is_refused(client: Client[Any]) -> None:
    store: Store[Any] = client.store(int, prefix="n:")
    name: Any = 7
    calls: list[Callable[[], object]] = [lambda: store.get(name), lambda: store.delete(name), lambda: store.put(name, 1)]
    calls.append(lambda: store.get_many([name]))
    for call in calls:
        with pytest.raises(SamewireError, match="a name is 7: expected str or bytes"):
            call()
    with pytest.raises(SamewireError, match=r"expected several, as in \['abc'\]"):
        store.get_many("abc")


def test_a_store_says_what_it_is(client: Client[Any]) -> None:
    assert repr(client.store(dict[str, int], "n:")) == "<samewire.redis.typed.store.Store(map<string, i64>, prefix='n:')>"
    assert repr(client.store(int, "n:", ttl=1.5)) == "<samewire.redis.typed.store.Store(i64, prefix='n:', ttl=1.5)>"


def test_a_prefix_may_be_bytes(client: Client[Any]) -> None:
    store = client.store(int, prefix=b"\xff*:")
    store.put_many({"a": 1, "é": 2})
    assert store.put(b"b", 3)
    assert dict(store.items()) == {"a": 1, "é": 2, "b": 3}
    assert client.decoding(False).exists(b"\xff*:\xc3\xa9")


def test_a_name_with_a_lone_surrogate_is_refused(client: Client[Any]) -> None:
    store = client.store(int, prefix="n:")
    for call in (lambda: store.get("\ud800"), lambda: store.get_many(["a", "\ud800"])):
        with pytest.raises(SamewireError, match="lone surrogate") as caught:
            call()
        assert caught.value.code == "bad_utf8"


def test_none_may_be_a_value(client: Client[Any]) -> None:
    store: Store[int | None] = client.store(pack.codec(int | None), prefix="n:")
    store.put_many({"a": None, "b": 1})
    assert store.get("a", 5) is None
    assert dict(store.items()) == {"a": None, "b": 1}
    assert store.exists("a") and store.delete("a")


def test_nx_and_xx_write_under_their_condition(books: Store[Book]) -> None:
    assert books.put("1", CARRIE, xx=True) is False
    assert books.put("1", CARRIE, nx=True) is True
    assert books.put("1", CARRIE, nx=True) is False
    assert books.put("1", CARRIE, xx=True) is True


def test_ttl_of_the_store_and_of_a_call(client: Client[Any]) -> None:
    store = client.store(int, prefix="n:", ttl=timedelta(seconds=100))

    def left(name: str) -> int:
        found: int = client.execute_command("PTTL", f"n:{name}")
        return found

    store.put("a", 1)
    store.put("b", 1, ttl=0.5)
    assert (99_000 < left("a") <= 100_000, 0 < left("b") <= 500) == (True, True)
    assert store.touch("b") is True and left("b") > 99_000
    assert store.touch("b", 2) is True and left("b") <= 2000
    assert store.touch("none") is False
    store.put_many({"c": 1, "d": 2}, ttl=50)
    store.put_many([("e", 3)])
    assert all(49_000 < left(name) <= 50_000 for name in "cd") and left("e") > 99_000
    store.update("c", lambda value: 5)
    assert left("c") > 99_000
    client.store(int, prefix="n:").put("a", 2)
    assert left("a") == -1


def test_update_keeps_the_time_that_is_left(client: Client[Any]) -> None:
    store = client.store(int, prefix="n:")
    store.put("a", 1, ttl=100)
    assert store.update("a", lambda value: value + 1) == 2  # type: ignore[operator]
    assert client.execute_command("PTTL", "n:a") > 99_000
    assert store.touch("a") is True
    assert client.execute_command("PTTL", "n:a") > 99_000


@pytest.mark.parametrize("ttl", [0, -1, "1", True, float("nan"), float("inf"), timedelta(0), 1e300])
def test_refuses_an_impossible_ttl(client: Client[Any], ttl: Any) -> None:
    with pytest.raises(SamewireError, match="ttl=") as caught:
        client.store(int, prefix="n:", ttl=ttl)
    assert caught.value.code == "misuse"


def test_a_ttl_below_a_millisecond_is_a_millisecond(client: Client[Any]) -> None:
    store = client.store(int, prefix="n:", ttl=1e-9)
    store.put("a", 1)
    assert client.execute_command("PTTL", "n:a") <= 1


def test_update_replaces_deletes_and_creates(books: Store[Book]) -> None:
    assert books.update("1", lambda book: CARRIE if book is None else DELETE) == CARRIE
    assert books.get("1") == CARRIE
    assert books.update("1", lambda book: DELETE) is None
    assert books.exists("1") is False
    assert books.update("1", lambda book: DELETE) is None


def test_update_without_a_return_is_misuse_and_stores_nothing(books: Store[Book], client: Client[Any]) -> None:
    shelf = client.typed_hash(Book, "shelf")
    books.put("1", CARRIE)
    shelf.put("1", CARRIE)
    for update in (books.update, shelf.update):
        with pytest.raises(SamewireError, match=r"update\(\) returned None.*samewire\.redis\.DELETE to delete it") as caught:
            update("1", lambda book: None)  # type: ignore[arg-type, return-value]
        assert caught.value.code == "misuse"
    assert books.get("1") == shelf.get("1") == CARRIE
    assert shelf.update("1", lambda book: DELETE) is None
    assert shelf.exists("1") is False


def test_update_sees_another_writers_value(books: Store[Book]) -> None:
    seen: list[Book | None] = []
    other = Book("2", "It", "Stephen King", 1986)

    def change(book: Book | None) -> Book:
        seen.append(book)
        if len(seen) == 1:
            books.put("1", other)
        return CARRIE

    assert books.update("1", change) == CARRIE
    assert seen == [None, other]
    assert books.get("1") == CARRIE


def test_no_update_of_threads_is_lost(client: Client[Any]) -> None:
    store = client.store(dict[str, int], prefix="count:")

    def add(name: str) -> None:
        for _ in range(40):
            store.update("all", lambda counts: {**(counts or {}), name: (counts or {}).get(name, 0) + 1})

    threads = [threading.Thread(target=add, args=(f"t{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.get("all") == {f"t{number}": 40 for number in range(6)}


def test_an_error_of_the_change_stores_nothing(books: Store[Book]) -> None:
    books.put("1", CARRIE)
    with pytest.raises(ZeroDivisionError):
        books.update("1", lambda book: 1 // 0)  # type: ignore[arg-type, return-value]
    assert books.get("1") == CARRIE


@pytest.mark.parametrize("count", [0, 1, 2, TOGETHER - 1, TOGETHER, TOGETHER + 1, TOGETHER * COMMANDS + 7])
@pytest.mark.parametrize("ttl", [None, 1000])
def test_many_of_any_number(client: Client[Any], count: int, ttl: int | None) -> None:
    store = client.store(int, prefix="n:", ttl=ttl)
    assert store.put_many((str(number), number) for number in range(count)) == count
    names = [str(number) for number in range(count)]
    assert store.get_many(names) == list(range(count))
    assert store.get_many(iter(["none", *names, "none"])) == [None, *range(count), None]
    assert client.execute_command("DBSIZE") == count + bool(count)
    assert sorted(store.scan()) == sorted(names)
    assert store.delete(*names) == count


def test_large_values_go_in_small_chunks(client: Client[Any]) -> None:
    store = client.store(bytes, prefix="blob:")
    blobs = {str(number): bytes([number]) * (CHUNK_BYTES // 3) for number in range(40)}
    assert store.put_many(blobs) == 40
    assert store.get_many(blobs) == list(blobs.values())


def test_values_that_together_exceed_a_limit_are_read_one_by_one(client: Client[Any], port: int) -> None:
    store = client.store(bytes, prefix="blob:")
    blobs = {str(number): bytes(200_000) for number in range(TOGETHER)}
    store.put_many(blobs)
    bounded: Client[Any] = Client(port=port, limits=pack.Limits(frame_bytes=1_000_000))
    with bounded:
        assert bounded.store(bytes, prefix="blob:").get_many(blobs) == list(blobs.values())


def test_put_many_stops_at_a_value_of_another_type(client: Client[Any], books: Store[Book]) -> None:
    wrong: Any = Book("1", "x", "y", "1974")  # type: ignore[arg-type]
    with pytest.raises(SamewireError) as caught:
        books.put_many({"1": CARRIE, "2": wrong})
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$.year")


def test_values_of_an_older_and_of_a_newer_version_are_resolved(client: Client[Any]) -> None:
    old = named("Book", {"name": str, "year": Annotated[int, pack.I32]})
    new = named("Book", {"author": str | None, "year": int, "name": str})
    older, newer = client.store(old, prefix="book:"), client.store(new, prefix="book:")
    older.put("1", old("Carrie", 1974))
    newer.put("2", new("Stephen King", 1986, "It"))
    assert newer.get("1") == new(None, 1974, "Carrie")
    assert newer.get_many(["1", "2", "3", "1"]) == [new(None, 1974, "Carrie"), newer.get("2"), None, newer.get("1")]
    assert dict(newer.items())["1"] == new(None, 1974, "Carrie")
    with pytest.raises(StoredValueError, match=r"book:2: schema_mismatch.*year") as caught:
        older.get("2")
    assert (caught.value.code, caught.value.path, caught.value.key) == ("schema_mismatch", "$.year", "book:2")
    assert newer.update("1", lambda book: book) == new(None, 1974, "Carrie")
    with pytest.raises(StoredValueError, match="schema_mismatch"):
        older.get_many(["1"])


def test_a_schema_that_is_not_there_is_a_schema_mismatch(client: Client[Any], books: Store[Book]) -> None:
    books.put("1", CARRIE)
    digest = pack.codec(Book).digest.hex()
    client.execute_command("DEL", f"samewire:schema:{digest}")
    assert books.get("1") == CARRIE
    with pytest.raises(StoredValueError, match=f"book:1: schema_mismatch.*{digest}") as caught:
        client.store(named("Book", {"name": str}), prefix="book:").get("1")
    assert (caught.value.code, caught.value.data) == ("schema_mismatch", pack.codec(Book, digest=True).encode(CARRIE))


@pytest.mark.parametrize("text", [b"", b"i32", b"struct Book {", b"\xff", b"struct  Book { name: string }"])
def test_a_text_that_is_no_schema_of_its_digest_is_refused(client: Client[Any], books: Store[Book], text: bytes) -> None:
    books.put("1", CARRIE)
    name = f"samewire:schema:{pack.codec(Book).digest.hex()}"
    client.execute_command("SET", name, text)
    with pytest.raises(StoredValueError, match=name) as caught:
        client.store(named("Book", {"name": str}), prefix="book:").get("1")
    assert caught.value.code in ("malformed", "bad_utf8", "truncated")
    with pytest.raises(StoredValueError, match=name) as caught:
        client.store(Book, prefix="book:").put("1", CARRIE)
    assert (caught.value.code, caught.value.data) == ("schema_mismatch", text)


@pytest.mark.parametrize(
    ("data", "code", "at"),
    [
        (b"", "truncated", 0),
        (b'{"id": 1}', "unsupported", 0),
        (b"\x01\xff", "unsupported", 0),
        (b"\x80\x04\x95", "malformed", 0),
        (pack.codec(Book).encode(CARRIE), "malformed", 0),
        (b"P\0\0", "unsupported", 0),
        (b"\x90\0\0", "truncated", 3),
        (pack.codec(Book, digest=True).encode(CARRIE)[:-1], "truncated", None),
        (pack.codec(Book, digest=True).encode(CARRIE) + b"\0", "trailing", None),
    ],
)
def test_bytes_that_are_no_value_are_refused(
    client: Client[Any], books: Store[Book], data: bytes, code: str, at: int | None
) -> None:
    client.execute_command("SET", "book:1", data)
    books.put("2", CARRIE)
    for read in (lambda: books.get("1"), lambda: books.get_many(["2", "1"]), lambda: books.update("1", lambda _: CARRIE)):
        with pytest.raises(StoredValueError, match=f"book:1: {code}") as caught:
            read()
        assert (caught.value.code, caught.value.key, caught.value.data) == (code, "book:1", data)
        assert at is None or caught.value.at == at


def test_every_cut_of_a_value_is_an_error_that_names_its_key(client: Client[Any]) -> None:
    store = client.store(Everything, prefix="all:")
    message = pack.codec(Everything, digest=True).encode(EVERYTHING)
    with client.pipeline(transaction=False) as pipe:
        for length in range(len(message)):
            pipe.execute_command("SET", f"all:{length}", message[:length])
        pipe.execute()
    for length in range(len(message)):
        with pytest.raises(StoredValueError, match=f"^all:{length}: truncated"):
            store.get(str(length))


def test_a_key_of_another_kind_is_the_servers_error(client: Client[Any], books: Store[Book]) -> None:
    client.execute_command("LPUSH", "book:1", "x")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        books.get("1")
    assert list(books.scan()) == []


def test_scan_of_an_empty_prefix_leaves_the_schemas_out(client: Client[Any]) -> None:
    store = client.store(int, prefix="")
    store.put_many({str(number): number for number in range(100)})
    assert sorted(store.scan(count=7), key=int) == [str(number) for number in range(100)]


def test_a_type_without_a_schema_is_refused(client: Client[Any]) -> None:
    with pytest.raises(SamewireError) as caught:
        client.store(complex, prefix="c:")
    assert caught.value.code in ("unsupported", "misuse")


def test_a_store_keeps_its_client(port: int) -> None:
    store = Client(port=port).store(int, prefix="n:")
    store.put("x", 1)
    assert store.get("x") == 1


def test_the_schema_is_written_again_after_a_flush(client: Client[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schemas, "LOOK_AGAIN", 0.05)
    store = client.store(Book, prefix="book:")
    store.put("1", CARRIE)
    client.execute_command("FLUSHALL")
    time.sleep(0.06)
    store.put_many({"1": CARRIE})
    found: Any = client.store(named("Book", {"name": str}), prefix="book:").get("1")
    assert found.name == "Carrie"


def test_decoders_of_other_writers_are_bounded(client: Client[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "WRITERS", 3)
    reader: Store[Any] = client.store(named("Row", {"a": int | None}), prefix="row:")
    for turn in range(2):
        for number in range(7):
            other = named("Row", {"a": int, f"b{number}": str})
            client.store(other, prefix="row:").put(str(number), other(turn, "x"))
            found: Any = reader.get(str(number))
            assert found.a == turn
    rows: list[Any] = reader.get_many(list("0123456"))
    assert [row.a for row in rows] == [1] * 7


def test_an_update_whose_reply_is_lost_may_have_run_and_is_not_repeated(port: int) -> None:
    """The proxy hands the script on and then cuts the client off."""

    def serve(connection: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", port)) as server:
            while data := connection.recv(65536):
                server.sendall(data)
                reply = server.recv(65536)
                if b"EVAL" in data:
                    return
                connection.sendall(reply)

    direct: Client[Any] = Client(port=port)
    with direct, peer(serve) as cut:
        client: Client[Any] = Client(port=cut)
        direct.execute_command("FLUSHALL")
        store = client.store(int, prefix="n:")
        store.put("a", 1)
        calls: list[int] = []

        def add(value: int | None) -> int:
            calls.append(1)
            return (value or 0) + 1

        with pytest.raises(ConnectionError) as caught:
            store.update("a", add)
        assert caught.value.may_have_run is True
        assert (direct.store(int, prefix="n:").get("a"), len(calls)) == (2, 1)
