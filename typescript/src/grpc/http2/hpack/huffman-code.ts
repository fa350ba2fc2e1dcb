/**
 * The Huffman code of RFC 7541 appendix B. It is canonical: within one length codes ascend with the symbol, and each
 * length goes on where the shorter one stopped. So the lengths define the code: bits, then the symbols (ranges
 * inclusive) of that length.
 */
const LENGTHS: readonly (readonly [bits: number, symbols: string])[] = [
  [5, "48-50 97 99 101 105 111 115-116"],
  [6, "32 37 45-47 51-57 61 65 95 98 100 102-104 108-110 112 114 117"],
  [7, "58 66-87 89 106-107 113 118-122"],
  [8, "38 42 44 59 88 90"],
  [10, "33-34 40-41 63"],
  [11, "39 43 124"],
  [12, "35 62"],
  [13, "0 36 64 91 93 126"],
  [14, "94 125"],
  [15, "60 96 123"],
  [19, "92 195 208"],
  [20, "128 130-131 162 184 194 224 226"],
  [21, "153 161 167 172 176-177 179 209 216-217 227 229-230"],
  [22, "129 132-134 136 146 154 156 160 163-164 169-170 173 178 181 185-187 189-190 196 198 228 232-233"],
  [23, "1 135 137-141 143 147 149-152 155 157-158 165-166 168 174-175 180 182-183 188 191 197 231 239"],
  [24, "9 142 144-145 148 159 171 206 215 225 236-237"],
  [25, "199 207 234-235"],
  [26, "192-193 200-202 205 210 213 218-219 238 240 242-243 255"],
  [27, "203-204 211-212 214 221-223 241 244-248 250-254"],
  [28, "2-8 11-12 14-21 23-31 127 220 249"],
  [30, "10 13 22 256"],
];

/** The symbol that ends a string: its code pads the last byte and may never stand whole. */
export const END_OF_STRING = 256;

/** Bits of each symbol's code, 257 of them. */
export const CODE_BITS: Uint8Array = new Uint8Array(257);

/** Each symbol's code, in the low bits. */
export const CODES: Uint32Array = new Uint32Array(257);

let code = 0;
let previous = LENGTHS[0]![0];
for (const [bits, symbols] of LENGTHS) {
  code <<= bits - previous;
  previous = bits;
  for (const range of symbols.split(" ")) {
    const [first, last] = range.split("-").map(Number);
    for (let symbol = first!; symbol <= (last ?? first!); symbol++) {
      CODE_BITS[symbol] = bits;
      CODES[symbol] = code++;
    }
  }
}
