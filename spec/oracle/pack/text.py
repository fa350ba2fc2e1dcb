"""Text: tokens, the three blocks, numbering and look-up (pack.md section 6)."""

from __future__ import annotations

from spec.oracle.core.primitives import Cursor, varint
from spec.oracle.pack.schema import Scalar

MOST_MISSES = 128
LATIN_SHORT, WIDE_SHORT, UTF8_SHORT = 95, 14, 16
MOST_NUMBERED = 95  # bytes
LATIN, WIDE, UTF8 = 0, 1, 2
FORMS = ["latin-1", "utf-16-le", "utf-8"]
ONE_BYTE, TWO_BYTES = 96, 96 + 32 * 256


class TextWriter:
    """The blocks of one message, the numbers of its texts, and the consecutive misses of its dedup slots."""

    def __init__(self, look_up: bool) -> None:
        self.look_up = look_up
        self.latin = bytearray()
        self.wide = bytearray()
        self.utf8 = bytearray()
        self.numbered = 0
        self.recorded: dict[str, int] = {}
        self.misses: dict[Scalar, int] = {}
        self.refs = False

    def token(self, text: str, slot: Scalar) -> bytes:
        """Returns the token of a text. `slot` is the dedup slot. The bytes of a new text go to a block."""
        block, data = self.form(text)
        may_be_numbered = is_numbered(data)
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
        block += data
        length = len(data)
        if block is self.latin:
            return bytes([length]) if length <= LATIN_SHORT else b"\x60" + varint(length - 96)
        if block is self.wide:
            length //= 2
            return bytes([0x62 + length]) if length <= WIDE_SHORT else b"\x61" + varint(length - 15)
        return bytes([0x6E + length]) if length <= UTF8_SHORT else b"\x7f" + varint(length - 17)

    def form(self, text: str) -> tuple[bytearray, bytes]:
        """Returns the block that a text belongs to, and what it puts there."""
        if all(ord(character) < 0x100 for character in text):
            return self.latin, text.encode("latin-1")
        units, utf8 = text.encode("utf-16-le"), text.encode()
        return (self.utf8, utf8) if len(utf8) < len(units) else (self.wide, units)


def is_numbered(data: bytes) -> bool:
    """Returns whether a new text gets a number: one of so many bytes of its block."""
    return 2 <= len(data) <= MOST_NUMBERED


def back_reference(number: int) -> bytes:
    if number < ONE_BYTE:
        return bytes([0x80 + number])
    if number < TWO_BYTES:
        high, low = divmod(number - ONE_BYTE, 256)
        return bytes([0xE0 + high, low])
    return b"\x62" + varint(number - TWO_BYTES)


class TextReader:
    """The three blocks of one message, and how much of them has been used."""

    def __init__(self, at: int, latin: bytes, wide: bytes, utf8: bytes, refs: bool) -> None:
        self.at = at
        self.blocks = [latin, wide, utf8]
        self.used = [0, 0, 0]
        self.refs = refs
        self.texts: list[str] = []

    def read(self, cursor: Cursor) -> str:
        """Reads a text. A token is read whole before it is checked; its varint is a primitive of its own."""
        at = cursor.pos
        token = cursor.byte()
        if token <= 0x5F:
            return self.new(cursor, at, LATIN, token)
        if token == 0x60:
            return self.new(cursor, at, LATIN, 96 + cursor.count())
        if token == 0x61:
            return self.new(cursor, at, WIDE, 2 * (15 + cursor.count()))
        if token == 0x62:
            return self.earlier(cursor, at, TWO_BYTES + cursor.count())
        if token <= 0x70:
            return self.new(cursor, at, WIDE, 2 * (token - 0x62))
        if token <= 0x7E:
            return self.new(cursor, at, UTF8, token - 0x6E)
        if token == 0x7F:
            return self.new(cursor, at, UTF8, 17 + cursor.count())
        if token <= 0xDF:
            return self.earlier(cursor, at, token - 0x80)
        return self.earlier(cursor, at, ONE_BYTE + (token - 0xE0) * 256 + cursor.byte())

    def new(self, cursor: Cursor, at: int, form: int, length: int) -> str:
        """Takes so many bytes of the block of a form."""
        begin = self.used[form]
        if length > len(self.blocks[form]) - begin:
            cursor.fail("malformed", at, f"{length} bytes are not left in the {FORMS[form]} block")
        data = self.blocks[form][begin : begin + length]
        self.used[form] += length
        try:
            text = data.decode(FORMS[form])
        except UnicodeDecodeError:
            cursor.fail("bad_utf8", at, f"not well-formed {FORMS[form]}")
        if is_numbered(data):
            self.texts.append(text)
        return text

    def earlier(self, cursor: Cursor, at: int, number: int) -> str:
        if not self.refs:
            cursor.fail("malformed", at, "a back reference in a message without REFS")
        if number >= len(self.texts):
            cursor.fail("malformed", at, f"text number {number} has not been given yet")
        return self.texts[number]

    def unused(self) -> int | None:
        """Returns the offset of the first byte of the blocks that no text has used."""
        at = self.at
        for block, used in zip(self.blocks, self.used, strict=True):
            if used < len(block):
                return at + used
            at += len(block)
        return None
