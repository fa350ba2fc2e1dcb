import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as pack from "../../src/pack/index.js";
import { primitives, webPrimitives } from "../../src/pack/wire/primitives.js";
import { hashSampled, newSeed } from "../../src/pack/wire/text-hash.js";
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
  const columns = pack.codec(pack.list(pack.struct("Row", { text: pack.string })));
  const rows = collisions(20_000).map((text) => ({ text }));
  const more = cost(() => columns.encode(rows));
  assert.ok(more < 2_000, `${more} ms for a column of 40,000 texts`);
  assert.deepEqual(columns.decode(columns.encode(rows)), rows);
});

test("the sampled hash tells numbered names apart", () => {
  const shapes = [(i: number) => `web-${i}.example.net`, (i: number) => `user${i}`, (i: number) => `${i}`, (i: number) => `2024-01-${i}`];
  for (const shape of shapes) {
    const seed = newSeed();
    const names = Array.from({ length: 90 }, (_, i) => shape(10 + i));
    assert.equal(new Set(names.map((name) => hashSampled(name, name.length, seed))).size, names.length, names[0]);
  }
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

test("texts of every length, wide and not, stand for themselves beside wide ones", () => {
  const type = pack.list(pack.tuple(pack.string, pack.any));
  const lengths = [0, 1, 2, 3, 27, 28, 29, 30, 94, 95, 96, 97, 300];
  const fills = ["a", "ÿ", "Ā", "日", "\u{1f600}".slice(0, 2)];
  const texts = lengths.flatMap((length) => fills.map((fill) => fill.repeat(length).slice(0, fill.length * Math.ceil(length / fill.length))));
  for (const evaluate of [true, false]) {
    for (const count of [20, 100]) {
      const value = [...texts, ...texts].slice(0, count).map((text, i): [string, pack.AnyValue] => [text, texts[(7 * i) % texts.length]!]);
      const codec = pack.codec(type, { eval: evaluate });
      // The first message is begun as Latin-1, the others are not.
      const first = codec.encode(value);
      assert.deepEqual(codec.decode(first), value);
      assert.deepEqual(codec.encode(value), first);
      assert.deepEqual(codec.encode(value), first);
      for (const lone of ["\ud800", "x".repeat(40) + "\udc00", "日".repeat(100) + "\ud83d"]) {
        assert.throws(() => codec.encode([[lone, null]]), { code: "bad_utf8", path: "$[0][0]" });
        assert.deepEqual(codec.encode(value), first);
      }
    }
  }
});

test("a message may be as long as its limit, beside wide texts too", () => {
  const list = pack.list(pack.string);
  for (const texts of [["€"], ["a".repeat(85), "€"], ["日".repeat(28), "a"], ["b".repeat(80), "b".repeat(80), "€"]]) {
    const codec = pack.codec(list, { limits: { frameBytes: 100 } });
    assert.deepEqual(codec.decode(codec.encode(texts)), texts);
    assert.throws(() => codec.encode(["€", "d".repeat(95)]), { code: "limit_size", path: "$" });
  }
});

test("a text that is found takes no room of the limit, however long it is", () => {
  for (const text of ["’".repeat(31), `${"a".repeat(60)}Ж`, `${"a".repeat(93)}Ж`, "日".repeat(47)]) {
    const texts = [text, text, text];
    const length = pack.codec(pack.list(pack.string)).encode(texts).length;
    for (const evaluate of [true, false]) {
      const codec = pack.codec(pack.list(pack.string), { eval: evaluate, limits: { frameBytes: length } });
      for (let turn = 0; turn < 2; turn++) assert.deepEqual(codec.decode(codec.encode(texts)), texts);
    }
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
    // Unreachable buffers are swept one collection later.
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
  const dangling = Uint8Array.of(0x85, 2, 0x61, 0x62, 2, 2, 0x81);
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
