import { bailOut } from "../bail-out.js";
import type { Reader } from "../reader.js";
import { dictionarySize } from "./doubles.js";
import { RAW, TEXTS } from "./form.js";
import { COUNTS, indices, readInts } from "./integers.js";

/** Longer arrays are not kept. */
const KEPT = 1 << 16;
/** 0, 1, 2 …: the indices of texts that stand in no dictionary. */
let ascending: Int32Array = new Int32Array(0);

function firstNumbers(count: number): Int32Array {
  if (ascending.length >= count) return ascending;
  const numbers = new Int32Array(Math.max(256, count));
  for (let i = 0; i < numbers.length; i++) numbers[i] = i;
  if (count <= KEPT) ascending = numbers;
  return numbers;
}

/**
 * Reads a column of texts (columns.md section 6); returns its dictionary. `textIndices` then returns each value's index
 * in it.
 */
export function readTexts(r: Reader, m: number): string[] {
  if (m === 0) return [];
  const how = r.b[r.p++];
  if (how !== RAW && how !== TEXTS) return bailOut();
  if (how === RAW) {
    const texts = readTokens(r, m);
    found = firstNumbers(m);
    return texts;
  }
  const size = dictionarySize(r, m);
  const texts = readTokens(r, size);
  found = readInts(r, indices(size), m);
  return texts;
}

let found = ascending;

/** The indices of the texts that were read last. */
export function textIndices(): Int32Array {
  return found;
}

/** Reads tokens: new texts of up to 95 Latin-1 characters, and back references of one byte, without a call. */
function readTokens(r: Reader, m: number): string[] {
  if (m > r.end - r.p) bailOut();
  const { b, text, refs, cut, given } = r;
  const texts = new Array<string>(m);
  let { p, tp, n } = r;
  for (let i = 0; i < m; i++) {
    const token = b[p++]!;
    // Where the block comes in pieces, `cut` is 0.
    if (token < cut) {
      const value = text.substring(tp, (tp += token));
      if (refs && token > 1) given[n++] = value;
      texts[i] = value;
    } else if (token > 127 && token < 224) {
      texts[i] = token - 128 < n ? given[token - 128]! : bailOut();
    } else if (token > 127) {
      const number = 96 + ((token - 224) << 8) + b[p++]!;
      texts[i] = number < n ? given[number]! : bailOut();
    } else {
      r.p = p;
      r.tp = tp;
      r.n = n;
      texts[i] = r.token(token);
      ({ p, tp, n } = r);
    }
  }
  r.p = p;
  r.tp = tp;
  r.n = n;
  return texts;
}

/** Reads a column of bytes: the lengths, then all bytes. */
export function readBytes(r: Reader, m: number): Uint8Array[] {
  const lengths = readInts(r, COUNTS, m);
  let sum = 0;
  for (let i = 0; i < m; i++) sum += lengths[i]!;
  if (sum > r.end - r.p) bailOut();
  const values = new Array<Uint8Array>(m);
  for (let i = 0; i < m; i++) values[i] = r.bytesOf(lengths[i]!);
  return values;
}

/** Reads a column of UUIDs. */
export function readUuids(r: Reader, m: number): string[] {
  if (16 * m > r.end - r.p) bailOut();
  const values = new Array<string>(m);
  for (let i = 0; i < m; i++) values[i] = r.uuid();
  return values;
}
