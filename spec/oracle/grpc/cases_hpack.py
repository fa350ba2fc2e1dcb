"""Header compression: the examples of RFC 7541 appendix C, and blocks that must be refused."""

from __future__ import annotations

from spec.oracle.grpc.topic import Topic


def topics() -> list[Topic]:
    return [_integers(), _huffman(), _examples(), _refused()]


def _integers() -> Topic:
    t = Topic("hpack_integers", "RFC 7541 section 5.1")
    t.integer("10 in 5 bits (C.1.1)", 5, "0a", 10)
    t.integer("1337 in 5 bits (C.1.2)", 5, "1f9a0a", 1337)
    t.integer("42 in 8 bits (C.1.3)", 8, "2a", 42)
    for bits, data, value in (
        (4, "0e", 14), (4, "0f00", 15), (4, "0f01", 16), (5, "1e", 30), (5, "1f00", 31), (6, "3f00", 63), (7, "7e", 126),
        (7, "7f00", 127), (7, "7f01", 128), (7, "7f7f", 254), (7, "7f8001", 255), (7, "7fffff7f", 2097278), (7, "7fffffff7f", 268435582),
    ):  # fmt: skip
        t.integer(f"{value} in {bits} bits", bits, data, value)
    return t


def _huffman() -> Topic:
    t = Topic("huffman", "RFC 7541 section 5.2")
    for text in (b"", b"www.example.com", b"no-cache", b"custom-key", b"custom-value", b"302", b"307", b"private", b"gzip",
                 b"Mon, 21 Oct 2013 20:13:21 GMT", b"https://www.example.com", b"application/grpc", b"/echo.EchoService/Echo"):  # fmt: skip
        t.huffman(repr(text.decode()), text)
    for first in range(0, 256, 16):
        t.huffman(f"bytes {first} to {first + 15}", bytes(range(first, first + 16)))
    t.huffman("every byte", bytes(range(256)))
    t.huffman("the longest codes", bytes([10, 13, 22]) * 5)
    t.bad_huffman("padding with a zero", "1c64fe")
    t.bad_huffman("padding of eight ones", "ff")
    t.bad_huffman("a whole byte of padding after a symbol", "1fff")
    t.bad_huffman("the end of a string", "3fffffff")
    t.bad_huffman("the end of a string and padding", "ffffffff")
    t.bad_huffman("the start of a long code as padding", "fffe")
    return t


def _examples() -> Topic:
    t = Topic("hpack_examples", "RFC 7541 appendix C")
    t.blocks("C.2.1 literal with indexing", "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", sizes=[55])
    t.blocks("C.2.2 literal without indexing", "040c 2f73 616d 706c 652f 7061 7468", sizes=[0])
    t.blocks("C.2.3 literal never indexed", "1008 7061 7373 776f 7264 0673 6563 7265 74", sizes=[0])
    t.blocks("C.2.4 indexed", "82", sizes=[0])
    t.blocks(
        "C.3 requests",
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
        sizes=[57, 110, 164],
    )
    t.blocks(
        "C.4 requests, Huffman coded",
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
        sizes=[57, 110, 164],
    )
    # The appendix assumes a table of 256 bytes; here the first block announces it.
    t.blocks(
        "C.5 responses",
        "3fe101 4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d"
        "546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153"
        "444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e"
        "3d31",
        sizes=[222, 222, 215],
    )
    t.blocks(
        "C.6 responses, Huffman coded",
        "3fe101 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b"
        "97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b"
        "3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
        sizes=[222, 222, 215],
    )
    t.blocks("an empty block", "", sizes=[0])
    t.blocks("size updates alone", "20 3fe11f", sizes=[0])
    t.blocks("an entry that empties the table", "40 0161 0162", "3f21 40 0163 7f02" + "7a" * 129, sizes=[34, 0])
    t.blocks("an entry named after one that it evicts", "3f02 40 0161 00", "7e 00", sizes=[33, 33])
    return t


def _refused() -> Topic:
    t = Topic("hpack_refused", "RFC 7541")
    t.bad_block("index 0", "80")
    t.bad_block("an index past the static table", "be")
    t.bad_block("an index past the dynamic table", "40 0161 0162", "bf")
    t.bad_block("a name past the tables", "7f00 0161")
    t.bad_block("an index that is cut off", "ff")
    t.bad_block("an index that is cut off later", "ffff")
    t.bad_block("an index of 35 bits", "ffffffffffff01")
    t.bad_block("an integer of zeros without end", "ff" + "80" * 20 + "00")
    t.bad_block("a literal without name", "40")
    t.bad_block("a literal without value", "40 0161")
    t.bad_block("a name that is cut off", "40 0561")
    t.bad_block("a value that is cut off", "40 0161 0262")
    t.bad_block("a value of 2^27 bytes", "40 0161 7f81ffff3f")
    t.bad_block("a value with bad padding", "40 0161 83 1c64fe")
    t.bad_block("a value with the end of a string", "40 0161 84 ffffffff")
    t.bad_block("a size update above the limit", "3fe21f")
    t.bad_block("a size update after a field", "82 20")
    t.bad_block("the last entry was evicted", "40 0161 0162", "20", "be")
    return t
