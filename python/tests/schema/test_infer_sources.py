"""Where data come from: arrays and lines piece by piece, compressed files, pipes."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewire.errors import SamewireError
from samewire.schema.infer import Options, Source, SourceError, infer, parse, read
from samewire.schema.infer.json_rows import Elements, Lines


class Cut:
    """A text in pieces of a few characters."""

    label = "data"

    def __init__(self, text: str, size: int) -> None:
        self._text = text
        self._size = size

    def pieces(self) -> Iterator[str]:
        return (self._text[at : at + self._size] for at in range(0, len(self._text), self._size))

    def lines(self, universal: bool = False) -> Iterator[str]:
        raise AssertionError("arrays are read in pieces")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_JSON, max_size=6), st.integers(1, 40), st.sampled_from([None, 1]))
def test_elements_come_whole_from_any_pieces(value: list[Any], size: int, indent: int | None) -> None:
    text = f" {json.dumps(value, indent=indent)}\n"
    elements = Elements(Cut(text, size))
    assert list(elements) == value
    assert list(elements) == value, "again from the start"


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1, 2", r"line 1, column 6: Expecting ',' delimiter"),
        ("[1,\n 2,\n x]", "line 3, column 2: Expecting value"),
        ("[1]\n[2]", "line 2, column 1: Extra data"),
        ('["a', "line 1, column 2: Unterminated string"),
        ("[1 2]", "line 1, column 4: Expecting ',' delimiter"),
        ('[{"a" 1}]', "line 1, column 7: Expecting ':' delimiter"),
    ],
)
def test_places_of_errors(text: str, says: str, size: int) -> None:
    with pytest.raises(SourceError, match=says):
        list(Elements(Cut(text, size)))


def test_an_error_does_not_wait_for_the_end() -> None:
    def endless() -> Iterator[str]:
        yield '[{"a": 1}, {"a": oops}'
        yield ", " * 100
        raise AssertionError("read on behind the error")

    source = Cut("", 1)
    source.pieces = endless  # type: ignore[method-assign]
    with pytest.raises(SourceError, match="column 18: Expecting value"):
        list(Elements(source))


def test_arrays_and_lines_are_not_kept(tmp_path: Path) -> None:
    array, lines = tmp_path / "a.json", tmp_path / "a.ndjson"
    rows = [{"n": number, "t": "x" * 50} for number in range(20_000)]
    array.write_text(json.dumps(rows))
    lines.write_text("\n".join(map(json.dumps, rows)))
    sources = [read(array), read(lines)]
    assert [type(source.value) for source in sources] == [Elements, Lines]
    for source in sources:
        assert source.loaded() == rows
        assert infer(source.value).schema.text == "list<struct Record { n: i32, t: string }>"


@pytest.mark.parametrize("ending", ["json", "txt"])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('[{"a": 1}, {"a": 2}]', "json"),
        ('[\n{"a": 1}]', "json"),
        ("[1, 2]\n[3, 4]\n", "ndjson"),
        ('{"a": 1}\n\n{"a": 2}', "ndjson"),
        ('{\n"a": 1}\n', "json"),
    ],
)
def test_lines_are_told_from_one_value(text: str, kind: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.{ending}"
    path.write_text(text)
    assert read(path).format == kind


def _by_gzip(data: bytes) -> bytes:
    return gzip.compress(data)


def _zstd() -> Any:
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


TEXT = b'{"a": 1}\n' * 50_000


def test_gzip_is_read_as_it_is_expanded(tmp_path: Path) -> None:
    path = tmp_path / "rows.ndjson.gz"
    path.write_bytes(_by_gzip(TEXT) + _by_gzip(TEXT))
    source = read(path)
    assert (source.format, len(source.loaded()), source.size) == ("ndjson", 100_000, path.stat().st_size)
    path.write_bytes(_by_gzip(TEXT)[:-200])
    with pytest.raises(SourceError, match=r"rows.ndjson.gz is broken"):
        read(path).loaded()


def test_zstd_is_read_or_its_lack_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.ndjson.zst"
    module = _zstd()
    if module is None:
        path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
        with pytest.raises(SamewireError, match=r"needs Python 3\.14, or the package zstandard") as caught:
            read(path)
        assert caught.value.code == "unsupported"
        return
    compress = module.ZstdCompressor().compress if module.__name__ == "zstandard" else module.compress
    path.write_bytes(compress(TEXT) * 2)
    assert len(read(path).loaded()) == 100_000
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(SourceError, match="is broken"):
        read(path).loaded()


def test_zstd_by_the_standard_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of Python 3.14, stood in for by gzip's where there is none."""

    class Standard:
        ZstdError = EOFError

        @staticmethod
        def ZstdFile(file: Any) -> Any:  # noqa: N802 - its name
            file.seek(4)
            return gzip.GzipFile(fileobj=file)

    monkeypatch.setitem(sys.modules, "compression.zstd", Standard)
    path = tmp_path / "rows.ndjson.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + gzip.compress(TEXT))
    assert len(read(path).loaded()) == 50_000


def test_a_source_says_whether_it_has_rows() -> None:
    sources: list[Source] = [parse(text, None, "data") for text in ("[1]", '{"a": 1}', "1\n2\n", "a,b\n1,2\n")]
    assert [source.is_rows for source in sources] == [True, False, True, True]


def test_a_union_is_found_in_rows_that_are_read_anew() -> None:
    lines = "".join(
        json.dumps({"type": "circle", "radius": n, "unit": "m"} if n % 2 else {"type": "square", "side": 2.5, "turned": True})
        + "\n"
        for n in range(400)
    )
    assert infer(parse(lines, "ndjson", "data").value, Options(name="Shape")).schema.text == (
        "list<union { struct Circle { radius: i32, unit: string }, struct Square { side: f64, turned: bool } }>"
    )
