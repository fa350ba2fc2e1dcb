"""Text: tokens, the two blocks, numbering and look-up (pack.md section 6)."""

from __future__ import annotations

from spec.oracle.core.primitives import Cursor, varint
from spec.oracle.pack.schema import Scalar

MOST_MISSES = 128
LATIN_SHORT, WIDE_SHORT = 95, 28
ONE_BYTE, TWO_BYTES = 96, 96 + 32 * 256


class TextWriter:
    """The blocks of one message, the numbers of its texts, and the consecutive misses of its dedup slots."""

    def __init__(self, look_up: bool) -> None:
        self.look_up = look_up
        self.latin = bytearray()
        self.wide = bytearray()
        self.numbered = 0
        self.recorded: dict[str, int] = {}
        self.misses: dict[Scalar, int] = {}
        self.refs = False

    def token(self, text: str, slot: Scalar) -> bytes:
        """Returns the token of a text. `slot` is the dedup slot. The characters of a new text go to a block."""
        units = text.encode("utf-16-le")
        is_latin = all(ord(character) < 0x100 for character in text)
        length = len(text) if is_latin else len(units) // 2
        may_be_numbered = 2 <= length <= (LATIN_SHORT if is_latin else WIDE_SHORT)
        misses = self.misses.get(slot, 0)
        if may_be_numbered and self.look_up and misses < MOST_MISSES:
            if text in self.recorded:
                self.misses[slot] = 0
                self.refs = True
                return back_reference(self.recorded[text])
            self.misses[slot] = misses + 1
            self.recorded[text] = self.numbered
        if may_be_numbered:
            self.numbered += 1
        if is_latin:
            self.latin += text.encode("latin-1")
            return bytes([length]) if length <= LATIN_SHORT else b"\x60" + varint(length - 96)
        self.wide += units
        return bytes([0x62 + length]) if length <= WIDE_SHORT else b"\x61" + varint(length - 29)


def back_reference(number: int) -> bytes:
    if number < ONE_BYTE:
        return bytes([0x80 + number])
    if number < TWO_BYTES:
        high, low = divmod(number - ONE_BYTE, 256)
        return bytes([0xE0 + high, low])
    return b"\x62" + varint(number - TWO_BYTES)


class TextReader:
    """The two blocks of one message, and how much of them has been used."""

    def __init__(self, latin_at: int, latin: bytes, wide: bytes, refs: bool) -> None:
        self.latin_at = latin_at
        self.latin = latin
        self.wide = wide
        self.refs = refs
        self.latin_used = 0
        self.wide_used = 0
        self.texts: list[str] = []

    def read(self, cursor: Cursor) -> str:
        """Reads a text. A token is read whole before it is checked; its varint is a primitive of its own."""
        at = cursor.pos
        token = cursor.byte()
        if token <= 0x5F:
            return self.new_latin(cursor, at, token)
        if token == 0x60:
            return self.new_latin(cursor, at, 96 + cursor.count())
        if token == 0x61:
            return self.new_wide(cursor, at, 29 + cursor.count())
        if token == 0x62:
            return self.earlier(cursor, at, TWO_BYTES + cursor.count())
        if token <= 0x7E:
            return self.new_wide(cursor, at, token - 0x62)
        if token == 0x7F:
            cursor.fail("malformed", at, "7F is not a token")
        if token <= 0xDF:
            return self.earlier(cursor, at, token - 0x80)
        return self.earlier(cursor, at, ONE_BYTE + (token - 0xE0) * 256 + cursor.byte())

    def new_latin(self, cursor: Cursor, at: int, length: int) -> str:
        if length > len(self.latin) - self.latin_used:
            cursor.fail("malformed", at, f"{length} characters are not left in the Latin-1 block")
        text = self.latin[self.latin_used : self.latin_used + length].decode("latin-1")
        self.latin_used += length
        if 2 <= length <= LATIN_SHORT:
            self.texts.append(text)
        return text

    def new_wide(self, cursor: Cursor, at: int, length: int) -> str:
        if 2 * length > len(self.wide) - self.wide_used:
            cursor.fail("malformed", at, f"{length} units are not left in the wide block")
        units = self.wide[self.wide_used : self.wide_used + 2 * length]
        self.wide_used += 2 * length
        try:
            text = units.decode("utf-16-le")
        except UnicodeDecodeError:
            cursor.fail("bad_utf8", at, "a lone surrogate")
        if 2 <= length <= WIDE_SHORT:
            self.texts.append(text)
        return text

    def earlier(self, cursor: Cursor, at: int, number: int) -> str:
        if not self.refs:
            cursor.fail("malformed", at, "a back reference in a message without REFS")
        if number >= len(self.texts):
            cursor.fail("malformed", at, f"text number {number} has not been given yet")
        return self.texts[number]
