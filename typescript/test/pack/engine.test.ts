/**
 * Limits raised beyond what this engine's strings, arrays and maps hold: an error with a place, before the engine has
 * one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

const MODES = [true, false];
const RAISED = { items: 2 ** 31, frameBytes: 2 ** 32, textBytes: 2 ** 32 };
const KEYS = 2 ** 24;
const ELEMENTS = 2 ** 27 - 3;
const UNITS = 2 ** 29 - 24;

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

/**
 * A message that begins so, has so many bytes of zero, and ends so. The system gives the zeros no memory until someone
 * looks at them.
 */
function message(begin: number[], zeros: number, end: number[] = []): Uint8Array {
  const bytes = new Uint8Array(begin.length + zeros + end.length);
  bytes.set(begin);
  bytes.set(end, begin.length + zeros);
  return bytes;
}

/** Decodes it as the only field of a struct. */
function refuses(type: pack.Type, bytes: Uint8Array, code: pack.ErrorCode, at: number): void {
  for (const evaluate of MODES) {
    const codec = pack.codec(pack.struct("Outer", { it: type }), { eval: evaluate, limits: RAISED });
    assert.throws(() => codec.decode(bytes), { name: "SamewireError", code, at, path: "$.it" }, codec.schema.text);
  }
}

test("rejects at the count more keys than a Map or a Set holds", () => {
  const count = varint(KEYS + 1);
  refuses(pack.map(pack.i32, pack.bool), message([0x80, ...count], KEYS), "limit_items", 1);
  refuses(pack.set(pack.i32), message([0x80, ...count], KEYS), "limit_items", 1);
  refuses(pack.any, message([0x80, 0x09, ...count], 2 * KEYS + 2), "limit_items", 2);
});

test("rejects at the count more elements than an array holds", () => {
  const count = varint(ELEMENTS + 1);
  refuses(pack.list(pack.bool), message([0x80, ...count], ELEMENTS), "limit_items", 1);
  refuses(pack.list(pack.i32), message([0x80, ...count], ELEMENTS), "limit_items", 1);
  refuses(pack.any, message([0x80, 0x08, ...count], ELEMENTS + 1), "limit_items", 2);
});

test("rejects texts longer than a string: Latin-1 at the token, others at the block", () => {
  const latin = message([0x81, ...varint(UNITS + 1)], UNITS + 1, [0x60, ...varint(UNITS + 1 - 96)]);
  refuses(pack.string, latin, "limit_size", latin.length - 6);
  const wide = message([0x82, ...varint(UNITS + 1)], 2 * (UNITS + 1), [0x61, ...varint(UNITS + 1 - 15)]);
  const utf8 = message([0xa0, ...varint(UNITS + 1)], UNITS + 1, [0x7f, ...varint(UNITS + 1 - 17)]);
  for (const evaluate of MODES) {
    const codec = pack.codec(pack.string, { eval: evaluate, limits: RAISED });
    for (const bytes of [wide, utf8]) assert.throws(() => codec.decode(bytes), { name: "SamewireError", code: "limit_size", at: 6, path: "$" });
  }
});

test("rejects at its start a row that the engine has no memory for", () => {
  const Rows = pack.struct("Rows", { before: pack.array(pack.i64), row: pack.array(pack.i64), after: pack.bytes });
  const value = { before: BigInt64Array.of(1n), row: new BigInt64Array(100).fill(5n), after: Uint8Array.of(1, 2) };
  for (const evaluate of MODES) {
    const codec = pack.codec(Rows, { eval: evaluate, check: false });
    const bytes = codec.encode(value);
    const words = globalThis.Uint32Array;
    /** An engine that has no room for 100 numbers of 64 bits. */
    class Small extends words {
      constructor(length: number) {
        if (length > 100) throw new RangeError("Array buffer allocation failed");
        super(length);
      }
    }
    globalThis.Uint32Array = Small as unknown as Uint32ArrayConstructor;
    try {
      assert.throws(() => codec.decode(bytes), { name: "SamewireError", code: "limit_size", at: 4, path: "$.row" });
    } finally {
      globalThis.Uint32Array = words;
    }
    assert.deepEqual(codec.decode(bytes), value);
  }
});
