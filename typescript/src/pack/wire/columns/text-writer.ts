import { bailOut } from "../bail-out.js";
import { DEDUP_MISSES, TextTable } from "../dedup-table.js";
import { TOKEN_BYTES, type Writer } from "../writer.js";
import { NEW_AT_FIRST, RAW, TEXTS } from "./form.js";
import { writeInts } from "./integer-writer.js";
import { ints } from "./scratch.js";

/** The distinct texts of a column. One for all: no code of a program runs while a column of texts is written. */
const table = new TextTable();

/** Writes a column of `m` texts (columns.md section 6). May move the buffer. */
export function writeTexts(w: Writer, p: number, texts: readonly string[], m: number, dedupSlot: number): number {
  const indexes = ints.take(m);
  const distinct = lookUp(texts, m, indexes);
  w.ensure(p, 1 + TOKEN_BYTES);
  w.b[p] = distinct === undefined ? RAW : TEXTS;
  if (distinct === undefined) {
    p = writeTokens(w, p + 1, texts, m, dedupSlot);
  } else {
    p = writeTokens(w, w.varint(p + 1, distinct.length), distinct, distinct.length, dedupSlot);
    p = writeInts(w, p, "u32", indexes, m);
  }
  ints.used--;
  return p;
}

/** The distinct texts, and for each text which of them it is; undefined if they are too many. */
function lookUp(texts: readonly string[], m: number, indexes: Int32Array): string[] | undefined {
  const distinct: string[] = [];
  const most = m >> 1;
  // The table hashes texts of two characters and more.
  let short: Map<string, number> | undefined;
  try {
    for (let i = 0; i < m; i++) {
      const text = texts[i]!;
      const { length } = text;
      let index: number;
      if (length > 1) {
        index = table.find(text, length, distinct.length);
      } else {
        short ??= new Map();
        index = short.get(text) ?? -1;
        if (index < 0) short.set(text, distinct.length);
      }
      if (index < 0) {
        index = distinct.length;
        distinct.push(text);
        if (index >= NEW_AT_FIRST + ((i + 1) >> 1)) return undefined;
      }
      indexes[i] = index;
    }
  } finally {
    table.clear();
  }
  return distinct.length <= most ? distinct : undefined;
}

/** Writes tokens. As in generated code, a text of up to 95 characters is assumed to be Latin-1. */
function writeTokens(w: Writer, p: number, texts: readonly string[], m: number, dedupSlot: number): number {
  w.ensureAll(p, m);
  w.ensure(p, TOKEN_BYTES * m);
  const { b, max, misses } = w;
  let t = w.t;
  for (let i = 0; i < m; i++) {
    const text = texts[i]!;
    const { length } = text;
    if (length >= max) {
      w.t = t;
      p = w.text(p, text, dedupSlot);
      t = w.t;
      continue;
    }
    let number = -1;
    if (length > 1) {
      if (misses[dedupSlot]! < DEDUP_MISSES) number = w.find(text, length, dedupSlot);
      else w.number++;
    }
    if (number < 0) {
      b[p++] = length;
      t += text;
    } else {
      p = w.reference(p, number);
    }
  }
  w.t = t;
  return p;
}

/** Writes a column of bytes: the lengths, then all bytes. May move the buffer. */
export function writeBytes(w: Writer, p: number, values: readonly Uint8Array[], lengths: Int32Array, m: number): number {
  let sum = 0;
  for (let i = 0; i < m; i++) sum += lengths[i]!;
  p = writeInts(w, p, "u32", lengths, m);
  w.ensureAll(p, sum);
  for (let i = 0; i < m; i++) {
    const value = values[i]!;
    const length = lengths[i]!;
    if (value.length !== length) bailOut();
    w.b.set(value, p);
    p += length;
  }
  return p;
}
