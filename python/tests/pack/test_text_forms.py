"""Texts in their three forms (spec/pack.md section 6): which is chosen, and that all come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewire import pack
from samewire.errors import SamewireError

TEXT, WIDE, REFS, UTF8, VERSION = 1, 2, 4, 32, 128
LATIN1 = ["é" * n for n in (0, 1, 2, 95, 96)]
UTF16 = ["日" * n for n in (1, 2, 14, 15, 46, 47, 48, 150)] + ["😀", "😀" * 8, "😀" * 24, "Ā", "привет"]
IN_UTF8 = ["Ā" + "a" * (n - 2) for n in (3, 16, 17, 95, 96, 300)] + ["a😀", "привет, мир", "“quoted”" + "x" * 20, "é日ab"]
ALL = [*LATIN1, *UTF16, *IN_UTF8]

TEXTS = pack.codec(list[str], check=False)


class Text(str):
    __slots__ = ()


class Slow(list[Any]):
    """A list that the fast encoder falls back on."""


@dataclass
class Row:
    first: str
    number: int
    note: str | None
    tags: list[str]
    names: dict[str, str]
    any: Any


def form(text: str) -> int:
    """The blocks of a message of one text, as its header says."""
    return TEXTS.encode([text])[0] & ~VERSION


def shorter_in_utf8(text: str) -> bool:
    return len(text.encode()) < len(text.encode("utf-16-le"))


def by_hand(blocks: dict[int, bytes], values: bytes, refs: bool = False) -> bytes:
    """A message of blocks that are shorter than 128."""
    header = VERSION | (REFS if refs else 0) | sum(blocks)
    lengths = bytes(len(block) // 2 if bit == WIDE else len(block) for bit, block in blocks.items())
    return bytes([header]) + lengths + b"".join(blocks.values()) + values


@pytest.mark.parametrize("text", LATIN1)
def test_latin1_stays(text: str) -> None:
    assert form(text) == (TEXT if text else 0)


@pytest.mark.parametrize("text", UTF16)
def test_what_is_as_long_in_utf8_or_longer_is_utf16(text: str) -> None:
    assert not shorter_in_utf8(text)
    assert form(text) == WIDE


@pytest.mark.parametrize("text", IN_UTF8)
def test_what_is_shorter_in_utf8_is_utf8(text: str) -> None:
    assert shorter_in_utf8(text)
    assert form(text) == UTF8


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("日", "63"),
        ("日" * 14, "70"),
        ("日" * 15, "6100"),
        ("日" * 47, "6120"),
        ("日" * 48, "6121"),
        ("Āa", "71"),
        ("Ā" + "a" * 14, "7e"),
        ("Ā" + "a" * 15, "7f00"),
        ("Ā" + "a" * 93, "7f4e"),
        ("Ā" + "a" * 94, "7f4f"),
        ("Ā" + "a" * 143, "7f8001"),
    ],
)
def test_tokens_at_the_borders(text: str, token: str) -> None:
    assert pack.codec(str, check=False).encode(text).hex().endswith(token)


@pytest.mark.parametrize("text", ALL)
def test_texts_of_2_to_95_bytes_are_found_again(text: str) -> None:
    size = {0: 0, TEXT: len(text), WIDE: len(text.encode("utf-16-le")), UTF8: len(text.encode())}[form(text)]
    both = TEXTS.encode([text, text])
    assert bool(both[0] & REFS) == (2 <= size <= 95)
    assert both == TEXTS.encode(Slow([Text(text), text]))
    assert TEXTS.decode(both) == [text, text]


def test_numbers_across_forms() -> None:
    data = TEXTS.encode(ALL * 2)
    assert data == TEXTS.encode(Slow(ALL * 2))
    assert TEXTS.decode(data) == ALL * 2
    # Equal bytes in two forms are not the same text.
    twins = ["aĀ", "a\u00c4\u0080", "ba", "慢"] * 2
    data = TEXTS.encode(twins)
    assert data.endswith(bytes([0x80, 0x81, 0x82, 0x83]))
    assert TEXTS.decode(data) == twins


@pytest.mark.parametrize("count", [0, 1, 20, 63, 64, 130, 300])
@pytest.mark.parametrize("profile", ["compact", "fast"])
def test_rows_and_columns(count: int, profile: str) -> None:
    """From 64 on the list is columns."""

    def at(place: int) -> str:
        return ALL[place % len(ALL)]

    rows = [
        Row(
            at(i),
            i,
            None if i % 4 == 0 else f"{at(5 * i)}{i % 9}",
            [at(i + k) for k in range(i % 3)],
            {at(3 * i): at(i)},
            [at(7 * i), {at(i): 1}],
        )
        for i in range(count)
    ]
    codec = pack.codec(list[Row], profile=profile)
    data = codec.encode(rows)
    assert codec.encode(Slow(rows)) == data
    assert b"".join(codec.encode_chunks(rows, 100)) == data
    decoded = codec.decode(data)
    assert decoded == rows
    assert pack.codec(list[Row], profile=profile).encode(decoded) == data
    for cut in range(0, len(data), len(data) // 50 + 1):
        with pytest.raises(SamewireError):
            codec.decode(data[:cut])


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60)))
@settings(deadline=None, max_examples=100)
def test_any_texts_come_back_in_the_shorter_form(texts: list[str]) -> None:
    texts += texts[:3]
    data = TEXTS.encode(texts)
    assert data == TEXTS.encode(Slow(texts))
    assert TEXTS.decode(data) == texts
    for text in texts:
        wide = any(character > "\xff" for character in text)
        wanted = (UTF8 if shorter_in_utf8(text) else WIDE) if wide else TEXT if text else 0
        assert form(text) == wanted


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udc00b", "日\ud83d", "a" * 50 + "\udfff", "😀\ud800", "日" * 20 + "\ud800" + "日" * 20]
)
def test_a_lone_surrogate_is_refused(text: str) -> None:
    for value in ([text], [text] * 100, Slow([text])):
        with pytest.raises(SamewireError) as caught:
            TEXTS.encode(value)
        assert caught.value.code == "bad_utf8"
    rows = pack.codec(list[Row])
    with pytest.raises(SamewireError) as caught:
        rows.encode([Row(text, 1, None, [], {}, None)] * 70)
    assert caught.value.code == "bad_utf8"


@pytest.mark.parametrize("text", ["abc", "aéb", "日本", "a日b", "😀b", "ÿÿ", "привет, мир", "日本語" * 7])
def test_every_form_of_a_text_is_read(text: str) -> None:
    utf8, utf16 = text.encode(), text.encode("utf-16-le")
    long = b"\x7f" + bytes([len(utf8) - 17]) if len(utf8) > 16 else bytes([0x71 + len(utf8) - 3])
    units = len(utf16) // 2
    wide = b"\x61" + bytes([units - 15]) if units > 14 else bytes([0x63 + units - 1])
    for data in (by_hand({UTF8: utf8}, b"\x01" + long), by_hand({WIDE: utf16}, b"\x01" + wide)):
        [decoded] = TEXTS.decode(data)
        assert decoded == text
        # Of the narrowest kind, as CPython's own: else equal texts differ, and their hashes.
        assert hash(decoded) == hash(text)
        assert {decoded: 1}[text] == 1
    both = by_hand({WIDE: utf16, UTF8: utf8}, b"\x03" + long + wide + b"\x80", refs=True)
    assert TEXTS.decode(both) == [text] * 3
    with pytest.raises(SamewireError, match="malformed") as caught:
        pack.codec(set[str]).decode(by_hand({WIDE: utf16, UTF8: utf8}, b"\x02" + long + wide))
    assert caught.value.code == "malformed"


@pytest.mark.parametrize("fault", ["61c080", "c3616161", "eda080", "f0808080", "f4908080", "e2826161", "616161c4", "ffffff"])
def test_utf8_must_be_well_formed(fault: str) -> None:
    bad = bytes.fromhex(fault)
    token = bytes([0x71 + len(bad) - 3])
    for block, values, at in ((b"abc" + bad, b"\x02\x71" + token, 2), (bad + b"abc", b"\x02" + token + b"\x71", 1)):
        data = by_hand({UTF8: block}, values)
        with pytest.raises(SamewireError) as caught:
            TEXTS.decode(data)
        assert (caught.value.code, caught.value.at) == ("bad_utf8", len(data) - len(values) + at)


def test_a_character_does_not_begin_in_one_text_and_end_in_the_next() -> None:
    data = by_hand({UTF8: "ab日c".encode()}, b"\x02\x71\x71")
    with pytest.raises(SamewireError) as caught:
        TEXTS.decode(data)
    assert (caught.value.code, caught.value.at) == ("bad_utf8", len(data) - 2)
