import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as pack from "../../src/pack/index.js";
import { primitives, webPrimitives } from "../../src/pack/wire/primitives.js";
import { textMachine } from "../../src/pack/wire/wasm-text.js";

/** Milliseconds of CPU time. */
function cost(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * Texts that agree in their length and in every character that the sampled hash looks at, each followed by one that
 * keeps the site open.
 */
function collisions(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const digits = i.toString(36).padStart(6, "0");
    return [`${"a".repeat(50)}${digits}${"a".repeat(10)}${"a".repeat(20)}`, "same"];
  }).flat();
}

test("takes linear time for texts with colliding hashes", () => {
  const codec = pack.codec(pack.list(pack.string));
  const message = codec.encode(collisions(100));
  assert.deepEqual(codec.decode(message), collisions(100));
  const many = collisions(40_000);
  // Some 50 ms; with every text compared to all before it, some 20 seconds.
  const milliseconds = cost(() => codec.encode(many));
  assert.ok(milliseconds < 2_000, `${milliseconds} ms for 80,000 texts`);
  assert.deepEqual(codec.decode(codec.encode(many)), many);
});

test("encodes the same bytes for any seed and any earlier message", () => {
  const type = pack.list(pack.struct("Pair", { a: pack.string, b: pack.any }));
  const value = Array.from({ length: 3_000 }, (_, i) => ({ a: `name ${i % 700}`, b: `name ${(i * 7) % 900}` }));
  const first = pack.codec(type);
  const second = pack.codec(type, { eval: false });
  second.encode([{ a: "name 1", b: 1n }]);
  const message = first.encode(value);
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(first.encode(value), message);
    assert.deepEqual(second.encode(value), message);
  }
});

test("a codec adapts to wide text and back", () => {
  const codec = pack.codec(pack.list(pack.string));
  for (const texts of [["a", "é"], ["€", "a"], ["a"], ["日本", "b".repeat(200)], ["c".repeat(96)], [], ["😀".repeat(20)]]) {
    assert.deepEqual(codec.decode(codec.encode(texts)), texts);
  }
});

test("the web's primitives return what Node's do", () => {
  const web = webPrimitives();
  const bytes = Uint8Array.from({ length: 512 }, (_, i) => i * 37);
  for (let length = 0; length < 400; length++) {
    const text = primitives.latin1(bytes, 5, 5 + length);
    assert.equal(web.latin1(bytes, 5, 5 + length), text);
    const [left, right] = [new Uint8Array(410), new Uint8Array(410)];
    primitives.writeLatin1(left, text, 3);
    web.writeLatin1(right, text, 3);
    assert.deepEqual(right, left);
    const ascii = "x".repeat(length);
    web.writeLatin1(right, ascii, 0);
    assert.equal(web.latin1(right, 0, length), ascii);
    web.writeUtf16(right, "\ufeff€😀", 1);
    assert.equal(primitives.utf16(right, 1, 9), "\ufeff€😀");
    assert.equal(web.utf16(right, 1, 9), "\ufeff€😀");
    assert.equal(web.utf16(right, 1, 7), undefined);
    assert.equal(primitives.utf16(right, 1, 7), undefined);
  }
});

test("reads texts without WebAssembly", () => {
  const { WebAssembly: kept } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "WebAssembly");
    assert.equal(textMachine(), undefined);
  } finally {
    Object.defineProperty(globalThis, "WebAssembly", { value: kept, writable: true, configurable: true });
  }
});

test("detached texts are equal to slices", () => {
  const codec = pack.codec(pack.list(pack.string), { detach: true });
  const texts = ["short", "a text of thirteen characters and more", "wide €", "a wide text of thirteen units and more €", "x".repeat(300)];
  assert.deepEqual(codec.decode(codec.encode(texts)), texts);
});

test("detached texts do not keep the message's text alive", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    // Buffers that nobody has are swept one collection later.
    collect();
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external - arrayBuffers;
  };
  const kept = (detach: boolean, messages: number, characters: number): number => {
    const codec = pack.codec(pack.list(pack.string), { detach });
    const message = codec.encode(["a text of thirteen characters and more", "x".repeat(characters)]);
    const before = held();
    const cut = (): string => codec.decode(message)[0]!;
    const texts = Array.from({ length: messages }, cut);
    const bytes = held() - before;
    for (const text of texts) assert.equal(text, "a text of thirteen characters and more");
    return bytes;
  };
  assert.ok(kept(false, 200, 80_000) > 12 << 20);
  assert.ok(kept(true, 200, 80_000) < 1 << 20);
  // Of longer text only the piece that it was cut from.
  assert.ok(kept(false, 1, 16 << 20) < 1 << 20);
});

test("decimals as text", () => {
  for (const [text, unscaled, scale, plain] of [
    ["0", 0n, 0, "0"],
    ["-12.50", -1250n, 2, "-12.50"],
    [".5", undefined, 0, ""],
    ["1e-7", 1n, 7, "0.0000001"],
    ["1.5e3", 15n, -2, "15e2"],
    ["+7", 7n, 0, "7"],
    ["1e99999999999", undefined, 0, ""],
  ] as const) {
    if (unscaled === undefined) {
      assert.throws(() => pack.Decimal.parse(text), { code: "type_mismatch" });
    } else {
      const value = pack.Decimal.parse(text);
      assert.ok(value.equals(new pack.Decimal(unscaled, scale)));
      assert.equal(value.toString(), plain);
    }
  }
});

test("keeps no texts, misses or numbers between messages", () => {
  // One text is given, and number 1 referred to.
  const dangling = Uint8Array.of(0x45, 2, 0x61, 0x62, 2, 2, 0x81);
  for (const evaluate of [true, false]) {
    const type = pack.list(pack.string);
    const kept = pack.codec(type, { eval: evaluate });
    for (let turn = 0; turn < 150; turn++) {
      const different = turn % 50 === 49 ? 2_000 : 3 + (turn % 7);
      const texts = Array.from({ length: 2 * different }, (_, i) => `${turn}-${turn % 3 === 0 ? i % different : i}`);
      const message = kept.encode(texts);
      assert.deepEqual(message, pack.codec(type, { eval: evaluate }).encode(texts));
      assert.deepEqual(kept.decode(message), texts);
      assert.throws(() => kept.decode(dangling), { code: "malformed", at: 6 });
    }
  }
});

test("reads text blocks of several pieces", () => {
  const strings = pack.list(pack.string);
  const texts = Array.from({ length: 12_000 }, (_, i) => (i % 1_000 === 0 ? "x".repeat(5 * i) : i % 7 === 0 ? `\u4e2d${i}` : i % 5 === 0 ? "same" : `text ${i}`));
  const even = Array.from({ length: 2_000 }, (_, i) => `${i}`.padStart(80));
  for (const options of [{}, { detach: true }, { eval: false }, { eval: false, detach: true }]) {
    const codec = pack.codec(strings, options);
    assert.deepEqual(codec.decode(codec.encode(texts)), texts);
    const message = codec.encode(even);
    assert.deepEqual(codec.decode(message), even);
    for (const token of [79, 81]) {
      const lying = message.slice();
      lying[lying.length - 1] = token;
      assert.throws(() => codec.decode(lying), { code: "malformed" });
    }
  }
});

test("finds a skipped struct's text in its piece", () => {
  const Shared = pack.struct("Shared", { text: pack.string });
  const strings = pack.list(pack.string);
  const written = pack.codec(pack.struct("Doc", { before: strings, first: pack.ref(Shared), between: strings, second: pack.ref(Shared), after: pack.string }));
  const shared = { text: "shared" };
  const doc = { before: ["a", "b"], between: Array.from({ length: 9_000 }, (_, i) => `text ${i} of many`), after: "after" };
  const message = written.encode({ ...doc, first: shared, second: shared });
  for (const evaluate of [true, false]) {
    const read = pack.codec(pack.struct("Doc", { before: strings, between: strings, second: pack.ref(Shared), after: pack.string }), { eval: evaluate });
    assert.deepEqual(read.resolve(written.schema).decode(message), { ...doc, second: shared });
  }
});
