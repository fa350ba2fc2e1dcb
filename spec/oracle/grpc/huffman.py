"""The Huffman code of RFC 7541 appendix B, written as strings of bits: slow and obvious."""

from __future__ import annotations

# Numbers of bits, and the symbols (ranges inclusive) whose codes have that many: all there is of a canonical code.
LENGTHS = {
    5: "48-50 97 99 101 105 111 115-116",
    6: "32 37 45-47 51-57 61 65 95 98 100 102-104 108-110 112 114 117",
    7: "58 66-87 89 106-107 113 118-122",
    8: "38 42 44 59 88 90",
    10: "33-34 40-41 63",
    11: "39 43 124",
    12: "35 62",
    13: "0 36 64 91 93 126",
    14: "94 125",
    15: "60 96 123",
    19: "92 195 208",
    20: "128 130-131 162 184 194 224 226",
    21: "153 161 167 172 176-177 179 209 216-217 227 229-230",
    22: "129 132-134 136 146 154 156 160 163-164 169-170 173 178 181 185-187 189-190 196 198 228 232-233",
    23: "1 135 137-141 143 147 149-152 155 157-158 165-166 168 174-175 180 182-183 188 191 197 231 239",
    24: "9 142 144-145 148 159 171 206 215 225 236-237",
    25: "199 207 234-235",
    26: "192-193 200-202 205 210 213 218-219 238 240 242-243 255",
    27: "203-204 211-212 214 221-223 241 244-248 250-254",
    28: "2-8 11-12 14-21 23-31 127 220 249",
    30: "10 13 22 256",
}

END_OF_STRING = 256


def _symbols(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split():
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def _codes() -> dict[int, str]:
    codes: dict[int, str] = {}
    code = 0
    previous = 0
    for bits, symbols in LENGTHS.items():
        code <<= bits - previous
        previous = bits
        for symbol in _symbols(symbols):
            codes[symbol] = format(code, f"0{bits}b")
            code += 1
    return codes


CODES = _codes()
SYMBOLS = {code: symbol for symbol, code in CODES.items()}


def encode(data: bytes) -> bytes:
    """Returns the coded form, padded with the first bits of the end-of-string code."""
    bits = "".join(CODES[byte] for byte in data)
    bits += "1" * (-len(bits) % 8)
    return int("1" + bits, 2).to_bytes(len(bits) // 8 + 1, "big")[1:]


def decode(data: bytes) -> bytes:
    """Returns the text. Raises ValueError for an unknown code, the end-of-string code and wrong padding."""
    out = bytearray()
    code = ""
    for bit in "".join(format(byte, "08b") for byte in data):
        code += bit
        symbol = SYMBOLS.get(code)
        if symbol == END_OF_STRING:
            raise ValueError("the end of a string within a string")
        if symbol is not None:
            out.append(symbol)
            code = ""
    if len(code) > 7 or "0" in code:
        raise ValueError("padding")
    return bytes(out)
