import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import { dictionarySize, lookedUp } from "./doubles.js";
import { RAW, TEXTS } from "./form.js";
import { COUNTS, indices, readIntegers } from "./integers.js";

/** Reads a column of texts (columns.md section 6). */
export function readTexts(r: Reader, m: number): string[] {
  const how = r.b[r.p++];
  if (how === RAW) return readTokens(r, m);
  if (how !== TEXTS) return bailOut();
  const size = dictionarySize(r, m);
  const texts = readTokens(r, size);
  return lookedUp(texts, readIntegers(r, indices(size), m));
}

/** Reads tokens: new texts of up to 95 Latin-1 characters, and back references of one byte, without a call. */
function readTokens(r: Reader, m: number): string[] {
  if (m > r.end - r.p) bailOut();
  const { b, text, refs, cut, given } = r;
  const texts = new Array<string>(m);
  for (let i = 0; i < m; i++) {
    const token = b[r.p++]!;
    // Where the block comes in pieces, `cut` is 0.
    if (token < cut) {
      const value = text.substring(r.tp, (r.tp += token));
      if (refs && token > 1) given[r.n++] = value;
      texts[i] = value;
    } else if (token > 127 && token < 224) {
      texts[i] = token - 128 < r.n ? given[token - 128]! : bailOut();
    } else {
      texts[i] = r.token(token);
    }
  }
  return texts;
}

/** Reads a column of bytes: the lengths, then all bytes. */
export function readBytes(r: Reader, m: number): Uint8Array[] {
  const lengths = readIntegers(r, COUNTS, m);
  if (lengths.reduce((sum, length) => sum + length, 0) > r.end - r.p) bailOut();
  return lengths.map((length) => r.bytesOf(length));
}
