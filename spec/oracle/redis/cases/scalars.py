"""Elements that contain no others (redis.md section 2)."""

from __future__ import annotations

import struct

from spec.oracle.redis.encode import double
from spec.oracle.redis.topic import Topic

TOPIC = Topic("scalars", "redis.md#2-elements")


def text(kind: str, value: bytes) -> dict[str, str]:
    return {kind: value.hex()}


def bits(value: float) -> dict[str, str]:
    return {"double": struct.pack(">d", value).hex()}


TOPIC.reply("simple string", b"+OK\r\n", text("simple", b"OK"))
TOPIC.reply("simple string, empty", b"+\r\n", text("simple", b""))
TOPIC.reply("simple string, not UTF-8", b"+\xff\x00\r\n", text("simple", b"\xff\x00"))
TOPIC.reply("simple string, long", b"+" + b"a" * 700 + b"\r\n", text("simple", b"a" * 700))
TOPIC.reply("simple string that looks like a length", b"+$3\r\n", text("simple", b"$3"))
TOPIC.reply("error", b"-ERR unknown command\r\n", text("error", b"ERR unknown command"))
TOPIC.reply("error, empty", b"-\r\n", text("error", b""))
TOPIC.reply("error with a length", b"!21\r\nSYNTAX invalid syntax\r\n", text("error", b"SYNTAX invalid syntax"))
TOPIC.reply("error of two lines", b"!8\r\nERR a\r\nb\r\n", text("error", b"ERR a\r\nb"))

for value in (0, 1, -1, 9, 10, 42, 99, 100, -100, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63)):
    TOPIC.reply(f"integer {value}", b":%d\r\n" % value, {"integer": str(value)})
TOPIC.reply("integer with a plus", b":+5\r\n", {"integer": "5"})
TOPIC.reply("integer zero with a plus", b":+0\r\n", {"integer": "0"})

for number in (0.0, 1.0, -1.5, 0.1, 1e16, 123456789.125, 1e17, 1.5e300, 5e-324, 1e-5, 9.5e-6, 1.7976931348623157e308, 3.0e-7):
    TOPIC.reply(f"double {number!r}", b"," + double(bits(number)["double"]).encode() + b"\r\n", bits(number))
TOPIC.reply("double -0", b",-0\r\n", bits(-0.0))
TOPIC.reply("double inf", b",inf\r\n", bits(float("inf")))
TOPIC.reply("double -inf", b",-inf\r\n", bits(float("-inf")))
TOPIC.reply("double nan", b",nan\r\n", {"double": "7ff8000000000000"})
TOPIC.reply("double -nan", b",-nan\r\n", {"double": "7ff8000000000000"})
TOPIC.reply("double +inf", b",+inf\r\n", bits(float("inf")))
TOPIC.reply("double with an exponent", b",1.5E+3\r\n", bits(1500.0))
TOPIC.reply("double without digits before its point", b",-.5\r\n", bits(-0.5))
TOPIC.reply("double without digits after its point", b",10.\r\n", bits(10.0))
TOPIC.reply("double that rounds to zero", b",1e-999\r\n", bits(0.0))
TOPIC.reply("double of 325 characters", b"," + b"0" * 323 + b".5\r\n", bits(0.5))
TOPIC.reply("double of 17 digits", b",0.10000000000000001\r\n", bits(0.1))

TOPIC.reply(
    "big number", b"(3492890328409238509324850943850943825024385\r\n", {"big": "3492890328409238509324850943850943825024385"}
)
TOPIC.reply("big number, negative", b"(-12345678901234567890\r\n", {"big": "-12345678901234567890"})
TOPIC.reply("big number with a plus and zeros", b"(+007\r\n", {"big": "+007"})
TOPIC.reply("big number of 9,864 digits", b"(" + b"9" * 9864 + b"\r\n", {"big": "9" * 9864})
TOPIC.reply("true", b"#t\r\n", True)
TOPIC.reply("false", b"#f\r\n", False)
TOPIC.reply("null", b"_\r\n", None)
TOPIC.reply("null of a bulk string", b"$-1\r\n", None)
TOPIC.reply("null of an array", b"*-1\r\n", None)

for length in (0, 1, 9, 10, 11, 99, 100, 1000, 4097):
    body = bytes(i % 251 for i in range(length))
    TOPIC.reply(f"bulk string of {length} bytes", b"$%d\r\n%s\r\n" % (length, body), text("bulk", body))
TOPIC.reply("bulk string that holds a reply", b"$5\r\n+OK\r\n\r\n", text("bulk", b"+OK\r\n"))
TOPIC.reply("bulk string of CR and LF", b"$4\r\n\r\n\r\n\r\n", text("bulk", b"\r\n\r\n"))
TOPIC.reply("bulk string, its length with a plus", b"$+2\r\nab\r\n", text("bulk", b"ab"))
TOPIC.reply("verbatim string", b"=15\r\ntxt:Some string\r\n", {"verbatim": [b"txt".hex(), b"Some string".hex()]})
TOPIC.reply("verbatim string, empty", b"=4\r\nmkd:\r\n", {"verbatim": [b"mkd".hex(), ""]})
TOPIC.reply("verbatim string, any format", b"=6\r\n\x00:\xff:\r\n\r\n", {"verbatim": [b"\x00:\xff".hex(), b"\r\n".hex()]})

R = TOPIC.refused
R("no bytes", b"", "truncated", 0)
for byte in (0x00, 0x0A, 0x0D, 0x20, 0x22, 0x26, 0x2E, 0x2F, 0x30, 0x3B, 0x3C, 0x3F, 0x40, 0x41, 0x7F, 0xFF):
    R(f"type byte {byte:02x}", bytes([byte]) + b"1\r\n", "malformed", 0)
R("an inline command", b"PING\r\n", "malformed", 0)
R("simple string without an end", b"+OK", "truncated", 3)
R("simple string with half an end", b"+OK\r", "truncated", 4)
R("simple string with LF alone", b"+OK\n", "malformed", 0)
R("simple string with CR alone", b"+O\rK\r\n", "malformed", 0)
R("simple string with LF inside", b"+O\nK\r\n", "malformed", 0)
R("error with CR alone", b"-ERR\rx\r\n", "malformed", 0)
for bad in (b"", b"-", b"+", b"-0", b"00", b"01", b"+01", b" 1", b"1 ", b"1.0", b"1e3", b"0x1", b"1_0", b"--1", b"a"):
    R(f"integer {bad.decode()!r}", b":" + bad + b"\r\n", "bad_number", 0)
R("integer over 64 bits", b":9223372036854775808\r\n", "bad_number", 0)
R("integer below 64 bits", b":-9223372036854775809\r\n", "bad_number", 0)
R("integer of 20 digits", b":10000000000000000000\r\n", "bad_number", 0)
R("integer with LF alone", b":1\n", "malformed", 0)
R("integer of 33 bytes", b":" + b"1" * 33 + b"\r\n", "malformed", 0)
R("integer of 32 bytes", b":" + b"1" * 32 + b"\r\n", "bad_number", 0)
R("integer without an end", b":12", "truncated", 3)
for bad in (
    b"",
    b".",
    b"-",
    b"infinity",
    b"NaN",
    b"Inf",
    b"1e999",
    b"-1e400",
    b"0x1p3",
    b"1e",
    b"1e+",
    b"--1",
    b"1 ",
    b"e5",
    b"1,5",
    b"1_0",
    b"+-1",
):
    R(f"double {bad.decode()!r}", b"," + bad + b"\r\n", "bad_number", 0)
R("double of 326 characters", b"," + b"0" * 324 + b".5\r\n", "malformed", 0)
for bad in (b"", b"-", b"+", b"1.", b"1e5", b"a", b"1 ", b"--1"):
    R(f"big number {bad.decode()!r}", b"(" + bad + b"\r\n", "bad_number", 0)
R("big number of 9,865 digits", b"(" + b"9" * 9865 + b"\r\n", "limit_size", 0)
R("big number without an end", b"(" + b"9" * 20000, "limit_size", 0)
R("big number, too long and not one", b"(" + b"x" * 20000, "limit_size", 0)
R("big number with a sign, of 9,865 digits", b"(-" + b"9" * 9865 + b"\r\n", "limit_size", 0)
for bad in (b"", b"T", b"F", b"x"):
    R(f"boolean {bad.decode()!r}", b"#" + bad + b"\r\n", "malformed", 0)
R("boolean of two bytes", b"#tt\r\n", "malformed", 0)
R("null with a byte", b"_x\r\n", "malformed", 0)
R("null without an end", b"_\r", "truncated", 2)
for bad in (b"", b"-", b"01", b" 3", b"3 ", b"a", b"-2", b"-0", b"1.5"):
    R(f"length {bad.decode()!r}", b"$" + bad + b"\r\nabc\r\n", "bad_number", 0)
R("length of 33 bytes", b"$" + b"0" * 33 + b"\r\n", "malformed", 0)
R("length without an end", b"$" + b"1" * 33, "malformed", 0)
R("length of 2^63", b"$9223372036854775808\r\n", "bad_number", 0)
R("length of 2^63 - 1", b"$9223372036854775807\r\n", "limit_size", 0)
R("length of 512 MB", b"$536870912\r\n", "limit_size", 0)
R("bulk string, one byte short", b"$3\r\nab\r\n+OK\r\n", "malformed", 0)
R("bulk string, one byte long", b"$3\r\nabcd\r\n", "malformed", 0)
R("bulk string with LF alone behind it", b"$3\r\nabc\n+", "malformed", 0)
R("bulk string with CR alone behind it", b"$3\r\nabc\r+", "malformed", 0)
R("bulk string without its end", b"$3\r\nabc", "truncated", 7)
R("bulk string with half its end", b"$3\r\nabc\r", "truncated", 8)
R("bulk string without its text", b"$3\r\n", "truncated", 4)
R("error with a length of -1", b"!-1\r\n", "malformed", 0)
R("error with a length of ?", b"!?\r\n", "malformed", 0)
R("verbatim string with a length of -1", b"=-1\r\n", "malformed", 0)
R("verbatim string with a length of ?", b"=?\r\n", "malformed", 0)
R("verbatim string of 3 bytes", b"=3\r\ntxt\r\n", "malformed", 0)
R("verbatim string without a colon", b"=5\r\ntxt;a\r\n", "malformed", 0)
R("verbatim string, empty and without a format", b"=0\r\n\r\n", "malformed", 0)
R("verbatim string without a format and an end", b"=3\r\ntxtab", "malformed", 0)
