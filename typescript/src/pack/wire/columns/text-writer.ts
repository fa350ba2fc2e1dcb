import { bailOut } from "../bail-out.js";
import { DEDUP_MISSES, PATIENCE } from "../dedup-table.js";
import { COLLISIONS, hashSampled, hashWhole, newSeed } from "../text-hash.js";
import { PIECE, TOKEN_BYTES, type Writer } from "../writer.js";
import { NEW_AT_FIRST, RAW, TEXTS } from "./form.js";
import { writeIndices, writeInts } from "./integer-writer.js";
import { ints } from "./scratch.js";

/** Writes a column of `m` texts (columns.md section 6). May move the buffer. */
export function writeTexts(w: Writer, p: number, texts: readonly string[], m: number, dedupSlot: number): number {
  const { used } = ints;
  const indexes = ints.take(m);
  const distinct = lookUp(texts, m, indexes);
  w.ensure(p, 1 + TOKEN_BYTES);
  w.b[p] = distinct === undefined ? RAW : TEXTS;
  if (distinct === undefined) {
    p = writeTokens(w, p + 1, texts, m, dedupSlot);
  } else {
    p = writeTokens(w, w.varint(p + 1, distinct.length), distinct, distinct.length, dedupSlot);
    p = writeIndices(w, p, indexes, m);
  }
  ints.used = used;
  return p;
}

const seed = newSeed();

/**
 * The distinct texts, and the index of each text among them; undefined if they are too many. As in the dedup table, the
 * hash samples a text; whole texts are hashed after a few comparisons of different texts, or after a long probe.
 */
function lookUp(texts: readonly string[], m: number, indexes: Int32Array): string[] | undefined {
  const most = m >> 1;
  const distinct: string[] = [];
  // At most half full.
  const mask = (1 << (33 - Math.clz32(Math.min(m, NEW_AT_FIRST + most)))) - 1;
  const slots = ints.take(mask + 1);
  const hashes = ints.take((mask + 1) >> 1);
  slots.fill(0, 0, mask + 1);
  let whole = false;
  let collisions = 0;
  // In a run of equal texts each is compared with the one before: that is faster than a look-up.
  let before = -1;
  let again = false;
  for (let i = 0; i < m; i++) {
    const text = texts[i]!;
    if (again && text === distinct[before]) {
      indexes[i] = before;
      continue;
    }
    const hash = whole ? hashWhole(text, text.length, seed) : hashSampled(text, text.length, seed);
    let at = hash & mask;
    let slot = slots[at]!;
    let steps = 0;
    while (slot !== 0) {
      if (hashes[slot - 1] === hash) {
        if (distinct[slot - 1] === text) break;
        collisions++;
      }
      at = (at + 1) & mask;
      slot = slots[at]!;
      steps++;
    }
    if (slot === 0) {
      if (distinct.length >= NEW_AT_FIRST + ((i + 1) >> 1)) return undefined;
      hashes[distinct.length] = hash;
      slot = slots[at] = distinct.push(text);
    }
    const index = slot - 1;
    indexes[i] = index;
    again = index === before;
    before = index;
    if ((steps > PATIENCE || collisions > COLLISIONS) && !whole) {
      whole = true;
      rehash(distinct, slots, hashes, mask);
    }
  }
  return distinct.length <= most ? distinct : undefined;
}

/** Puts the texts at the slots of their whole hashes. */
function rehash(distinct: readonly string[], slots: Int32Array, hashes: Int32Array, mask: number): void {
  slots.fill(0, 0, mask + 1);
  for (let index = 0; index < distinct.length; index++) {
    const text = distinct[index]!;
    const hash = hashWhole(text, text.length, seed);
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = index + 1;
    hashes[index] = hash;
  }
}

/** Writes tokens. As in generated code, a text of up to 95 characters is assumed to be Latin-1. */
function writeTokens(w: Writer, p: number, texts: readonly string[], m: number, dedupSlot: number): number {
  w.ensureAll(p, m);
  w.ensure(p, TOKEN_BYTES * m);
  const { b, misses } = w;
  const max = w.max[dedupSlot]!;
  if (max === 0) {
    for (let i = 0; i < m; i++) p = w.text(p, texts[i]!, dedupSlot);
    return p;
  }
  let t = w.t;
  let i = 0;
  for (; i < m && misses[dedupSlot]! < DEDUP_MISSES; i++) {
    const text = texts[i]!;
    const { length } = text;
    const number = length > 1 && length < max ? w.find(text, length, dedupSlot) : -1;
    if (number >= 0) {
      p = w.reference(p, number);
    } else if (length < max) {
      b[p++] = length;
      t += text;
      if (t.length > PIECE) t = w.moveText(t);
    } else {
      w.t = t;
      p = w.text(p, text, dedupSlot);
      t = w.t;
    }
  }
  // The others are not looked up.
  let numbered = 0;
  for (; i < m; i++) {
    const text = texts[i]!;
    const { length } = text;
    if (length < max) {
      numbered += length > 1 ? 1 : 0;
      b[p++] = length;
      t += text;
      if (t.length > PIECE) t = w.moveText(t);
    } else {
      w.t = t;
      p = w.text(p, text, dedupSlot);
      t = w.t;
    }
  }
  w.number += numbered;
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
