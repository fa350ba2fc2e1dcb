"""Text: tokens, Latin-1 and wide, numbering, look-up, the blocks."""

from __future__ import annotations

from spec.oracle.cases.table import Topic

TOPIC = Topic("texts", "pack.md#6-text")
LIST = "list<string>"


def latin(length: int, start: int = 0) -> str:
    """Text of that many Latin-1 characters, most of them no ASCII."""
    return "".join(chr(0xA1 + (start + i) % 90) for i in range(length))


def wide(length: int, start: int = 0) -> str:
    """Text of that many UTF-16 units, all beyond Latin-1, none a surrogate."""
    return "".join(chr(0x4E00 + start + i) for i in range(length))


for length in (0, 1, 2, 28, 29, 94, 95, 96, 97, 223, 224, 1000):
    TOPIC.canonical(f"Latin-1 of {length}", "string", latin(length))
for length in (1, 2, 3, 27, 28, 29, 30, 95, 96, 156, 157, 500):
    TOPIC.canonical(f"wide of {length}", "string", wide(length))
TOPIC.canonical("ASCII", "string", "hello, world")
TOPIC.canonical("the character of zero", "string", "a\x00b")
TOPIC.canonical("controls and delete", "string", "\t\r\n\x1f\x7f\x80\x9f")
TOPIC.canonical("every Latin-1 character", "string", "".join(chr(i) for i in range(256)))
TOPIC.canonical("U+00FF is Latin-1", "string", "\xff\xff")
TOPIC.canonical("U+0100 is wide", "string", "\u0100")
TOPIC.canonical("one wide character makes the text wide", "string", "plain but for \u20ac")
TOPIC.canonical("beyond the BMP, two units", "string", "\U0001f600")
TOPIC.canonical("the last character", "string", "\U0010ffff")
TOPIC.canonical("noncharacters and the byte order mark", "string", "\ufeff\ufffe\uffff\ufdd0")
TOPIC.canonical("around the surrogates", "string", "\ud7ff\ue000\ufffd")
TOPIC.canonical("combining marks are not composed", "string", "e\u0301")
TOPIC.canonical("14 pairs of surrogates are short", LIST, ["\U0001f600" * 14] * 2)
TOPIC.canonical("29 units with a pair are long", LIST, ["\U0001f600" * 14 + "\u0100"] * 2)

TOPIC.both("a text twice", LIST, ["again", "again"])
TOPIC.both("one character is never numbered", LIST, ["a", "a", "bc", "bc"])
TOPIC.both("empty texts", LIST, ["", "", "xy", ""])
TOPIC.both("95 characters are numbered", LIST, [latin(95), latin(95)])
TOPIC.both("96 characters are not", LIST, [latin(96), latin(96), "xy", "xy"])
TOPIC.both("28 wide units are numbered", LIST, [wide(28), wide(28)])
TOPIC.both("29 wide units are not", LIST, [wide(29), wide(29), "xy", "xy"])
TOPIC.both("one wide unit is not numbered", LIST, ["\u0100", "\u0100", "\u0100\u0101", "\u0100\u0101"])
TOPIC.both("Latin-1 and wide share the numbers", LIST, ["ab", "\u0416\u0416", "cd", "cd", "\u0416\u0416", "ab"])
TOPIC.both("wide text around Latin-1 text", LIST, ["\u4e2d", "ab", "\u6587\u5b57", "cd", "\u4e2d"])
TOPIC.canonical("like at the end, not the same", LIST, ["prefix-one", "prefix-two", "prefix-one", "prefix-tw"])
TOPIC.canonical("equal to text of another width up to the last", LIST, ["abc\xff", "abc\u0100", "abc\xff", "abc\u0100"])

TOPIC.accepted("ASCII in the wide block", "string", "42 02 61006200 64", "ab")
TOPIC.accepted("Latin-1 in the wide block", "string", "42 01 e900 63", "\xe9")
TOPIC.accepted("REFS without a reference", "string", "45 02 6162 02", "ab")
TOPIC.accepted("FAST says nothing", "string", "61 02 6162 02", "ab")
TOPIC.accepted("ALIGNED without an array", "string", "49 02 6162 0000000000 02", "ab")
TOPIC.accepted("ALIGNED without text", "i32", "48 02", 1)
TOPIC.accepted("REFS without text", "i32", "44 02", 1)
TOPIC.accepted("equal texts, both new", LIST, "41 04 61626162 02 02 02", ["ab", "ab"])
TOPIC.accepted("a reference to the second of equal texts", LIST, "45 04 61626162 03 02 02 81", ["ab", "ab", "ab"])
TOPIC.accepted("a reference to text in the wide block", LIST, "46 02 61006200 02 64 80", ["ab", "ab"])
TOPIC.accepted("wide text of one character is not numbered", LIST, "47 02 01 6162 7a00 03 63 02 80", ["z", "ab", "ab"])

TOPIC.rejected("token 7F", "string", "40 7f", "malformed", 1)
TOPIC.rejected("token 7F in a list", LIST, "41 01 61 02 01 7f", "malformed", 5, "$[1]")
TOPIC.rejected("new text without a block", "string", "40 02", "malformed", 1)
TOPIC.rejected("new text longer than the block", "string", "41 02 6162 03", "malformed", 4)
TOPIC.rejected("second text longer than what is left", LIST, "41 03 616263 02 02 02", "malformed", 7, "$[1]")
TOPIC.rejected("long text longer than the block", "string", "41 02 6162 60 00", "malformed", 4)
TOPIC.rejected("long text of 2^31 less one and 96", "string", "41 02 6162 60 ffffffff07", "malformed", 4)
TOPIC.rejected("wide text without a block", "string", "41 02 6162 63", "malformed", 4)
TOPIC.rejected("wide text longer than the block", "string", "42 01 6162 64", "malformed", 4)
TOPIC.rejected("long wide text longer than the block", "string", "42 01 6162 61 00", "malformed", 4)
TOPIC.rejected("long wide text of 2^31 less one and 29", "string", "42 01 6162 61 ffffffff07", "malformed", 4)
TOPIC.rejected("long text, a length of 2^31", "string", "41 02 6162 60 8080808008", "bad_number", 5)
TOPIC.rejected("long text, an over-long length", "string", "41 02 6162 60 8000", "bad_number", 5)
TOPIC.rejected("long text without its length", "string", "41 02 6162 60", "truncated", 5)
TOPIC.rejected("token missing", "string", "41 02 6162", "truncated", 4)

TOPIC.rejected("a reference before any text", "string", "44 80", "malformed", 1)
TOPIC.rejected("a reference to the number after the last", LIST, "45 02 6162 02 02 81", "malformed", 6, "$[1]")
TOPIC.rejected("a reference of two bytes, too far", LIST, "45 02 6162 02 02 e000", "malformed", 6, "$[1]")
TOPIC.rejected("the last reference of two bytes", LIST, "45 02 6162 02 02 ffff", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference, too far", LIST, "45 02 6162 02 02 6200", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference, much too far", LIST, "45 02 6162 02 02 62ffffffff07", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference of 2^31", LIST, "45 02 6162 02 02 62 8080808008", "bad_number", 7, "$[1]")
TOPIC.rejected("a long reference, over-long", LIST, "45 02 6162 02 02 62 8000", "bad_number", 7, "$[1]")
TOPIC.rejected("a reference of two bytes, cut", LIST, "45 02 6162 02 02 e0", "truncated", 7, "$[1]")
TOPIC.rejected("a reference without REFS", LIST, "41 02 6162 02 02 80", "malformed", 6, "$[1]")
TOPIC.rejected("a reference of two bytes without REFS", LIST, "41 02 6162 02 02 e000", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference without REFS", LIST, "41 02 6162 02 02 6200", "malformed", 6, "$[1]")
TOPIC.rejected("a reference to an empty text", LIST, "44 02 00 80", "malformed", 3, "$[1]")
TOPIC.rejected("a reference to one character", LIST, "45 01 61 02 01 80", "malformed", 5, "$[1]")
TOPIC.rejected(
    "a reference to a long text", LIST, "45 60" + "61" * 96 + "02 6000 80", "malformed", 101, "$[1]"
)
TOPIC.rejected(
    "a reference to a long wide text", LIST, "46 1d" + "004e" * 29 + "02 6100 80", "malformed", 63, "$[1]"
)
TOPIC.rejected(
    "a reference to a short text in its long form", LIST, "45 62" + "61" * 98 + "02 6002 80", "malformed", 103, "$[1]"
)

TOPIC.rejected("a high surrogate alone", "string", "42 01 00d8 63", "bad_utf8", 4)
TOPIC.rejected("a low surrogate alone", "string", "42 01 00dc 63", "bad_utf8", 4)
TOPIC.rejected("surrogates in the wrong order", "string", "42 02 00dc00d8 64", "bad_utf8", 6)
TOPIC.rejected("a high surrogate at the end", "string", "42 02 004e00d8 64", "bad_utf8", 6)
TOPIC.rejected("a high surrogate before a letter", "string", "42 02 3dd84100 64", "bad_utf8", 6)
TOPIC.rejected("two high surrogates and a low one", "string", "42 03 3dd83dd800de 65", "bad_utf8", 8)
TOPIC.rejected("a pair cut between two texts", LIST, "42 02 3dd800de 02 63 63", "bad_utf8", 7, "$[0]")
TOPIC.rejected("a surrogate in the second text", LIST, "42 02 004e00d8 02 63 63", "bad_utf8", 8, "$[1]")
TOPIC.rejected(
    "a surrogate in a long wide text", "string", "42 1e" + "004e" * 29 + "ffdf" + "61 01", "bad_utf8", 62
)

TOPIC.rejected("Latin-1 text that nothing uses", "string", "41 03 616263 02", "malformed", 4)
TOPIC.rejected("no text used", "i32", "41 02 6162 02", "malformed", 2)
TOPIC.rejected("wide text that nothing uses", "string", "42 02 004e014e 63", "malformed", 4)
TOPIC.rejected("both blocks not used up", "i32", "43 01 01 61 004e 02", "malformed", 3)
TOPIC.rejected("the wide block not used up", "string", "43 01 01 61 004e 01", "malformed", 4)
TOPIC.rejected("trailing is told before unused text", "string", "41 03 616263 02 00", "trailing", 6)
TOPIC.rejected("a Latin-1 length of zero", "string", "41 00 00", "malformed", 1)
TOPIC.rejected("a wide length of zero", "string", "42 00 00", "malformed", 1)
TOPIC.rejected("a wide length of zero after a Latin-1 length", "string", "43 01 00 61 01", "malformed", 2)
TOPIC.rejected("a Latin-1 block that is not there", "string", "41 05 616263", "truncated", 5)
TOPIC.rejected("a wide block that is not there", "string", "42 02 6100", "truncated", 4)
TOPIC.rejected("a wide block cut inside a unit", "string", "42 01 61", "truncated", 3)
TOPIC.rejected("a Latin-1 length of 64 MiB", "string", "41 8080802000", "truncated", 6)
TOPIC.rejected("a Latin-1 length over the limit", "string", "41 8180802000", "limit_size", 1)
TOPIC.rejected("a Latin-1 length of 2^31 less one", "string", "41 ffffffff07", "limit_size", 1)
TOPIC.rejected("a Latin-1 length of 2^31", "string", "41 8080808008", "bad_number", 1)
TOPIC.rejected("an over-long Latin-1 length", "string", "41 8200 6162 02", "bad_number", 1)
TOPIC.rejected("a wide length over the limit", "string", "42 8180801000", "limit_size", 1)
TOPIC.rejected("a wide length of 2^31 less one", "string", "42 ffffffff07", "limit_size", 1)
TOPIC.rejected("both lengths over the limit together", "string", "43 01 8080801000", "limit_size", 2)
TOPIC.rejected("text limit, Latin-1", "string", "41 03 616263 03", "limit_size", 1, text_bytes=2)
TOPIC.rejected("text limit counts bytes", "string", "42 02 004e014e 64", "limit_size", 1, text_bytes=3)
TOPIC.rejected("text limit, both blocks", LIST, "43 01 01 61 004e 02 01 63", "limit_size", 2, text_bytes=2)
