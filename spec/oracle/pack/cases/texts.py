"""Text: tokens, the three forms, numbering, look-up, the blocks."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("texts", "pack.md#6-text")
LIST = "list<string>"


def latin(length: int, start: int = 0) -> str:
    """Returns a text of that many Latin-1 characters, most of them not ASCII."""
    return "".join(chr(0xA1 + (start + i) % 90) for i in range(length))


def wide(length: int, start: int = 0) -> str:
    """Returns a text of that many UTF-16 units, all beyond Latin-1, none a surrogate."""
    return "".join(chr(0x4E00 + start + i) for i in range(length))


def mixed(length: int, start: int = 0) -> str:
    """Returns a text of that many bytes of UTF-8, in which it is smaller than in UTF-16."""
    return "\u0101" + "".join(chr(0x61 + (start + i) % 26) for i in range(length - 2))


for length in (0, 1, 2, 28, 29, 94, 95, 96, 97, 223, 224, 1000):
    TOPIC.canonical(f"Latin-1 of {length}", "string", latin(length))
for length in (1, 2, 3, 13, 14, 15, 16, 47, 48, 95, 96, 142, 143, 500):
    TOPIC.canonical(f"wide of {length}", "string", wide(length))
for length in (3, 4, 15, 16, 17, 18, 94, 95, 96, 144, 145, 500):
    TOPIC.canonical(f"UTF-8 of {length}", "string", mixed(length))
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
TOPIC.canonical("7 pairs of surrogates are short", LIST, ["\U0001f600" * 7] * 2)
TOPIC.canonical("15 units with a pair are long", LIST, ["\U0001f600" * 7 + "\u0100"] * 2)
for name, text in {
    "as long in UTF-8 as in UTF-16": "\u0416\u0416",
    "as long, of three bytes and one": "\u201ca",
    "shorter in UTF-8 by one byte": "\u201cab",
    "shorter in UTF-16 by one byte": "\u201ca\u201d",
    "words of two bytes": "\u0416\u0438 \u0416\u0438",
    "Latin-1 beside what is not": "\xe9\xe9\u2019\xe9\xe9",
    "a pair with one letter": "\U0001f600a",
    "a text with two typographic quotes": "It is provided \u201cas is\u201d.",
}.items():
    TOPIC.canonical(name, "string", text)

TOPIC.both("a text twice", LIST, ["again", "again"])
TOPIC.both("one character is never numbered", LIST, ["a", "a", "bc", "bc"])
TOPIC.both("empty texts", LIST, ["", "", "xy", ""])
TOPIC.both("95 characters are numbered", LIST, [latin(95), latin(95)])
TOPIC.both("96 characters are not", LIST, [latin(96), latin(96), "xy", "xy"])
TOPIC.both("47 wide units are numbered", LIST, [wide(47), wide(47)])
TOPIC.both("48 wide units are not", LIST, [wide(48), wide(48), "xy", "xy"])
TOPIC.both("one wide unit is numbered", LIST, ["\u0100", "\u0100", "\u0100\u0101", "\u0100\u0101"])
TOPIC.both("3 bytes of UTF-8 are numbered", LIST, [mixed(3), mixed(3)])
TOPIC.both("95 bytes of UTF-8 are numbered", LIST, [mixed(95), mixed(95)])
TOPIC.both("96 bytes of UTF-8 are not", LIST, [mixed(96), mixed(96), "xy", "xy"])
TOPIC.both("the forms share the numbers", LIST, ["ab", "\u0416\u0416", mixed(9), "cd", mixed(9), "\u0416\u0416", "ab", "cd"])
TOPIC.both("the blocks in turn", LIST, [mixed(5), "\u4e2d", "ab", mixed(20), "\u6587\u5b57", "cd", mixed(7)])
TOPIC.both("Latin-1 and wide share the numbers", LIST, ["ab", "\u0416\u0416", "cd", "cd", "\u0416\u0416", "ab"])
TOPIC.both("wide text around Latin-1 text", LIST, ["\u4e2d", "ab", "\u6587\u5b57", "cd", "\u4e2d"])
TOPIC.canonical("like at the end, not the same", LIST, ["prefix-one", "prefix-two", "prefix-one", "prefix-tw"])
TOPIC.canonical("equal to text of another width up to the last", LIST, ["abc\xff", "abc\u0100", "abc\xff", "abc\u0100"])

TOPIC.accepted("ASCII in the wide block", "string", "82 02 61006200 64", "ab")
TOPIC.accepted("Latin-1 in the wide block", "string", "82 01 e900 63", "\xe9")
TOPIC.accepted("REFS without a reference", "string", "85 02 6162 02", "ab")
TOPIC.accepted("ASCII in the UTF-8 block", "string", "a0 03 616263 71", "abc")
TOPIC.accepted("Latin-1 in the UTF-8 block", "string", "a0 04 c3a9c3a9 72", "\xe9\xe9")
TOPIC.accepted("what UTF-16 holds in fewer bytes", "string", "a0 06 e4b8ade69687 74", "\u4e2d\u6587")
TOPIC.accepted("one character of three bytes", LIST, "a4 03 e4b8ad 02 71 80", ["\u4e2d", "\u4e2d"])
TOPIC.accepted(
    "the three forms of a text", LIST, "a7 02 02 03 6162 61006200 616263 05 02 64 71 80 81", ["ab", "ab", "abc", "ab", "ab"]
)
TOPIC.accepted(
    "the first and the last characters of each length in UTF-8",
    "string",
    "a0 19 7f c280 dfbf e0a080 ed9fbf ee8080 efbfbf f0908080 f48fbfbf 7f08",
    "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff",
)
TOPIC.accepted("ALIGNED without an array", "string", "89 02 6162 0000000000 02", "ab")
TOPIC.accepted("ALIGNED without text", "i32", "88 02", 1)
TOPIC.accepted("REFS without text", "i32", "84 02", 1)
TOPIC.accepted("equal texts, both new", LIST, "81 04 61626162 02 02 02", ["ab", "ab"])
TOPIC.accepted("a reference to the second of equal texts", LIST, "85 04 61626162 03 02 02 81", ["ab", "ab", "ab"])
TOPIC.accepted("a reference to text in the wide block", LIST, "86 02 61006200 02 64 80", ["ab", "ab"])
TOPIC.accepted("wide text of one character is numbered", LIST, "87 02 01 6162 7a00 03 63 02 80", ["z", "ab", "z"])
TOPIC.accepted("a text of its own form is not another", LIST, "87 02 02 6162 61006200 04 02 64 80 81", ["ab", "ab", "ab", "ab"])

TOPIC.rejected("new text without a block", "string", "80 02", "malformed", 1)
TOPIC.rejected("new text longer than the block", "string", "81 02 6162 03", "malformed", 4)
TOPIC.rejected("second text longer than what is left", LIST, "81 03 616263 02 02 02", "malformed", 7, "$[1]")
TOPIC.rejected("long text longer than the block", "string", "81 02 6162 60 00", "malformed", 4)
TOPIC.rejected("long text of 2^31 less one and 96", "string", "81 02 6162 60 ffffffff07", "malformed", 4)
TOPIC.rejected("wide text without a block", "string", "81 02 6162 63", "malformed", 4)
TOPIC.rejected("wide text longer than the block", "string", "82 01 6162 64", "malformed", 4)
TOPIC.rejected("long wide text longer than the block", "string", "82 01 6162 61 00", "malformed", 4)
TOPIC.rejected("long wide text of 2^31 less one and 15", "string", "82 01 6162 61 ffffffff07", "malformed", 4)
TOPIC.rejected("UTF-8 text without a block", "string", "81 02 6162 71", "malformed", 4)
TOPIC.rejected("UTF-8 text longer than the block", "string", "a0 02 c481 71", "malformed", 4)
TOPIC.rejected("long UTF-8 text longer than the block", "string", "a0 02 c481 7f 00", "malformed", 4)
TOPIC.rejected("long UTF-8 text of 2^31 less one and 17", "string", "a0 02 c481 7f ffffffff07", "malformed", 4)
TOPIC.rejected("long UTF-8 text, a length of 2^31", "string", "a0 02 c481 7f 8080808008", "bad_number", 5)
TOPIC.rejected("long UTF-8 text, an over-long length", "string", "a0 02 c481 7f 8000", "bad_number", 5)
TOPIC.rejected("long UTF-8 text without its length", "string", "a0 02 c481 7f", "truncated", 5)
TOPIC.rejected("long text, a length of 2^31", "string", "81 02 6162 60 8080808008", "bad_number", 5)
TOPIC.rejected("long text, an over-long length", "string", "81 02 6162 60 8000", "bad_number", 5)
TOPIC.rejected("long text without its length", "string", "81 02 6162 60", "truncated", 5)
TOPIC.rejected("token missing", "string", "81 02 6162", "truncated", 4)

TOPIC.rejected("a reference before any text", "string", "84 80", "malformed", 1)
TOPIC.rejected("a reference to the number after the last", LIST, "85 02 6162 02 02 81", "malformed", 6, "$[1]")
TOPIC.rejected("a reference of two bytes, too far", LIST, "85 02 6162 02 02 e000", "malformed", 6, "$[1]")
TOPIC.rejected("the last reference of two bytes", LIST, "85 02 6162 02 02 ffff", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference, too far", LIST, "85 02 6162 02 02 6200", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference, much too far", LIST, "85 02 6162 02 02 62ffffffff07", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference of 2^31", LIST, "85 02 6162 02 02 62 8080808008", "bad_number", 7, "$[1]")
TOPIC.rejected("a long reference, over-long", LIST, "85 02 6162 02 02 62 8000", "bad_number", 7, "$[1]")
TOPIC.rejected("a reference of two bytes, cut", LIST, "85 02 6162 02 02 e0", "truncated", 7, "$[1]")
TOPIC.rejected("a reference without REFS", LIST, "81 02 6162 02 02 80", "malformed", 6, "$[1]")
TOPIC.rejected("a reference of two bytes without REFS", LIST, "81 02 6162 02 02 e000", "malformed", 6, "$[1]")
TOPIC.rejected("a long reference without REFS", LIST, "81 02 6162 02 02 6200", "malformed", 6, "$[1]")
TOPIC.rejected("a reference to an empty text", LIST, "84 02 00 80", "malformed", 3, "$[1]")
TOPIC.rejected("a reference to one character", LIST, "85 01 61 02 01 80", "malformed", 5, "$[1]")
TOPIC.rejected("a reference to a long text", LIST, "85 60" + "61" * 96 + "02 6000 80", "malformed", 101, "$[1]")
TOPIC.rejected("a reference to a long wide text", LIST, "86 30" + "004e" * 48 + "02 6121 80", "malformed", 101, "$[1]")
TOPIC.rejected("a reference to a long UTF-8 text", LIST, "a4 60" + "61" * 96 + "02 7f4f 80", "malformed", 101, "$[1]")
TOPIC.rejected("a reference to a short text in its long form", LIST, "85 62" + "61" * 98 + "02 6002 80", "malformed", 103, "$[1]")

TOPIC.rejected("a high surrogate alone", "string", "82 01 00d8 63", "bad_utf8", 4)
TOPIC.rejected("a low surrogate alone", "string", "82 01 00dc 63", "bad_utf8", 4)
TOPIC.rejected("surrogates in the wrong order", "string", "82 02 00dc00d8 64", "bad_utf8", 6)
TOPIC.rejected("a high surrogate at the end", "string", "82 02 004e00d8 64", "bad_utf8", 6)
TOPIC.rejected("a high surrogate before a letter", "string", "82 02 3dd84100 64", "bad_utf8", 6)
TOPIC.rejected("two high surrogates and a low one", "string", "82 03 3dd83dd800de 65", "bad_utf8", 8)
TOPIC.rejected("a pair cut between two texts", LIST, "82 02 3dd800de 02 63 63", "bad_utf8", 7, "$[0]")
TOPIC.rejected("a surrogate in the second text", LIST, "82 02 004e00d8 02 63 63", "bad_utf8", 8, "$[1]")
TOPIC.rejected("a surrogate in a long wide text", "string", "82 10" + "004e" * 15 + "ffdf" + "61 01", "bad_utf8", 34)

for name, data in {
    "a byte that none begins with": "ff6161",
    "a byte of a character's middle": "806161",
    "an over-long form of two bytes": "c18161",
    "an over-long form of three": "e09f80",
    "a surrogate": "eda080",
    "a surrogate after a letter": "61edbfbf",
    "an over-long form of four": "f08f8080",
    "beyond U+10FFFF": "f4908080",
    "a form of five bytes": "f888808080",
    "a character of two bytes, cut": "6161c4",
    "a character of three bytes, cut": "61e4b8",
    "a character of four bytes, cut": "f09f98",
    "a second byte that is none": "c46161",
    "a last byte that is none": "e4b861",
    "a letter within a character": "f09f9861",
}.items():
    size = len(data) // 2
    TOPIC.rejected(f"UTF-8, {name}", "string", f"a0 {size:02x} {data} {0x6E + size:02x}", "bad_utf8", 2 + size)
TOPIC.rejected("a character cut between two texts", LIST, "a0 07 6161c4816161 61 02 71 72", "bad_utf8", 10, "$[0]")
TOPIC.rejected("a character cut before the last text", LIST, "a0 07 6161 61 616161 c4 02 72 71", "bad_utf8", 11, "$[1]")
TOPIC.rejected("bad UTF-8 in a long text", "string", "a0 11" + "61" * 16 + "ff" + "7f00", "bad_utf8", 19)
TOPIC.rejected("length before well-formedness", "string", "a0 03 ff6161 72", "malformed", 5)
TOPIC.rejected("bad UTF-8 that nothing uses", "i32", "a0 01 ff 02", "malformed", 2)

TOPIC.rejected("Latin-1 text that nothing uses", "string", "81 03 616263 02", "malformed", 4)
TOPIC.rejected("no text used", "i32", "81 02 6162 02", "malformed", 2)
TOPIC.rejected("wide text that nothing uses", "string", "82 02 004e014e 63", "malformed", 4)
TOPIC.rejected("both blocks not used up", "i32", "83 01 01 61 004e 02", "malformed", 3)
TOPIC.rejected("the wide block not used up", "string", "83 01 01 61 004e 01", "malformed", 4)
TOPIC.rejected("UTF-8 text that nothing uses", "string", "a0 04 61616161 71", "malformed", 5)
TOPIC.rejected("the UTF-8 block not used up after the others", "string", "a3 01 01 01 61 004e 61 01", "malformed", 5)
TOPIC.rejected("trailing is told before unused text", "string", "81 03 616263 02 00", "trailing", 6)
TOPIC.rejected("a Latin-1 length of zero", "string", "81 00 00", "malformed", 1)
TOPIC.rejected("a wide length of zero", "string", "82 00 00", "malformed", 1)
TOPIC.rejected("a wide length of zero after a Latin-1 length", "string", "83 01 00 61 01", "malformed", 2)
TOPIC.rejected("a UTF-8 length of zero", "string", "a0 00 00", "malformed", 1)
TOPIC.rejected("a UTF-8 length of zero after the others", "string", "a3 01 01 00 61 01", "malformed", 3)
TOPIC.rejected("a UTF-8 block that is not there", "string", "a0 02 61", "truncated", 3)
TOPIC.rejected("a UTF-8 block that is not there after the others", "string", "a3 01 01 02 61 004e 61", "truncated", 8)
TOPIC.rejected("a UTF-8 length over the limit", "string", "a0 8180802000", "limit_size", 1)
TOPIC.rejected("a UTF-8 length of 2^31", "string", "a0 8080808008", "bad_number", 1)
TOPIC.rejected("the three lengths over the limit together", "string", "a3 01 01 feffff1f", "limit_size", 3)
TOPIC.rejected("text limit, UTF-8", "string", "a0 03 616263 71", "limit_size", 1, text_bytes=2)
TOPIC.rejected("a Latin-1 block that is not there", "string", "81 05 616263", "truncated", 5)
TOPIC.rejected("a wide block that is not there", "string", "82 02 6100", "truncated", 4)
TOPIC.rejected("a wide block cut inside a unit", "string", "82 01 61", "truncated", 3)
TOPIC.rejected("a Latin-1 length of 64 MiB", "string", "81 8080802000", "truncated", 6)
TOPIC.rejected("a Latin-1 length over the limit", "string", "81 8180802000", "limit_size", 1)
TOPIC.rejected("a Latin-1 length of 2^31 less one", "string", "81 ffffffff07", "limit_size", 1)
TOPIC.rejected("a Latin-1 length of 2^31", "string", "81 8080808008", "bad_number", 1)
TOPIC.rejected("an over-long Latin-1 length", "string", "81 8200 6162 02", "bad_number", 1)
TOPIC.rejected("a wide length over the limit", "string", "82 8180801000", "limit_size", 1)
TOPIC.rejected("a wide length of 2^31 less one", "string", "82 ffffffff07", "limit_size", 1)
TOPIC.rejected("both lengths over the limit together", "string", "83 01 8080801000", "limit_size", 2)
TOPIC.rejected("text limit, Latin-1", "string", "81 03 616263 03", "limit_size", 1, text_bytes=2)
TOPIC.rejected("text limit counts bytes", "string", "82 02 004e014e 64", "limit_size", 1, text_bytes=3)
TOPIC.rejected("text limit, both blocks", LIST, "83 01 01 61 004e 02 01 63", "limit_size", 2, text_bytes=2)
TOPIC.rejected("a reference of two bytes without REFS, cut", LIST, "81 02 6162 02 02 e0", "truncated", 7, "$[1]")
TOPIC.rejected("a long reference without REFS, cut", LIST, "81 02 6162 02 02 62", "truncated", 7, "$[1]")
TOPIC.rejected("a long reference without REFS, over-long", LIST, "81 02 6162 02 02 62 8000", "bad_number", 7, "$[1]")
TOPIC.rejected("long wide text, a length of 2^31", "string", "82 01 6162 61 8080808008", "bad_number", 5)
TOPIC.rejected("long wide text, an over-long length", "string", "82 01 6162 61 8000", "bad_number", 5)
TOPIC.rejected("long wide text without its length", "string", "82 01 6162 61", "truncated", 5)
TOPIC.rejected("two high surrogates", "string", "82 02 3dd83dd8 64", "bad_utf8", 6)
TOPIC.rejected("a high surrogate before U+FFFD", "string", "82 02 3dd8fdff 64", "bad_utf8", 6)
TOPIC.rejected("a wide length of 2^31", "string", "82 8080808008", "bad_number", 1)
TOPIC.rejected("an over-long wide length", "string", "82 8200 00410042 64", "bad_number", 1)
TOPIC.rejected("a wide length of 2^31 after a Latin-1 length", "string", "83 01 8080808008", "bad_number", 2)
