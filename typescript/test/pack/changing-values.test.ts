/**
 * Values that change while they are written, and names and classes that are not what they seem: right bytes or an
 * error, and the next message is right.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import * as pack from "../../src/pack/index.js";

const MODES = [true, false];
const Point = pack.struct("Point", { x: pack.i32 });
const CHANGED = { code: "type_mismatch", path: "$", at: undefined };

/** An array whose second element is asked for through `get`. */
function asked<T>(elements: T[], get: (array: T[]) => T | null): T[] {
  Object.defineProperty(elements, 1, { get: () => get(elements), enumerable: true, configurable: true });
  return elements;
}

test("writes an array inside an any with the length that was counted", () => {
  for (const evaluate of MODES) {
    const codec = pack.codec(pack.any, { eval: evaluate });
    const grows = asked<pack.AnyValue>([1n, 2n, 3n], (array) => {
      if (array.length < 9) array.push(7n);
      return 2n;
    });
    assert.deepEqual(codec.decode(codec.encode(grows)), [1n, 2n, 3n]);
    class Short extends Array<pack.AnyValue> {
      override *[Symbol.iterator](): ArrayIterator<pack.AnyValue> {
        yield 9n;
        return undefined;
      }
    }
    assert.deepEqual(codec.decode(codec.encode(Short.from([1n, 2n]))), [1n, 2n]);
    const shrinks = asked<pack.AnyValue>([1n, 2n, 3n], (array) => {
      array.length = 2;
      return 2n;
    });
    assert.throws(() => codec.encode(shrinks), CHANGED);
    assert.deepEqual(codec.decode(codec.encode([4n])), [4n]);
  }
});

test("writes a map inside an any with the entries that were counted", () => {
  for (const evaluate of MODES) {
    const codec = pack.codec(pack.any, { eval: evaluate });
    for (const meddle of [(map: Map<string, pack.AnyValue>) => map.set("z", 1n), (map: Map<string, pack.AnyValue>) => map.delete("b")]) {
      const map = new Map<string, pack.AnyValue>();
      map.set("a", asked<pack.AnyValue>([1n, 2n], () => { meddle(map); return 2n; })).set("b", 1n);
      assert.throws(() => codec.encode(map), CHANGED);
    }
    class Boasting extends Map<string, pack.AnyValue> {
      override get size(): number {
        return 5;
      }
    }
    assert.throws(() => codec.encode(new Boasting([["a", 1n]])), CHANGED);
    class Poor extends Map<string, number> {
      override values(): MapIterator<number> {
        return new Map([["a", 1]]).values();
      }
    }
    const declared = pack.codec(pack.map(pack.string, pack.option(pack.i32)), { eval: evaluate });
    assert.throws(() => declared.encode(new Poor([["a", 1], ["b", 2]])), CHANGED);
  }
});

test("reads an optional element once, and rejects it if it was removed", () => {
  for (const evaluate of MODES) {
    const numbers = pack.codec(pack.list(pack.option(pack.i32)), { eval: evaluate });
    const points = pack.codec(pack.list(pack.option(Point)), { eval: evaluate });
    for (const first of [5, null]) {
      let asks = 0;
      const flips = asked<number | null>([1, 2, 3], () => (asks++ % 2 === 0 ? first : first === null ? 5 : null));
      assert.deepEqual(numbers.decode(numbers.encode(flips)), [1, first, 3]);
      assert.equal(asks, 1);
    }
    const list: { x: number }[] = [{ x: 1 }, { get x() { list.length = 2; return 2; } }, { x: 3 }];
    assert.throws(() => points.encode(list), CHANGED);
    assert.deepEqual(points.decode(points.encode([{ x: 1 }, null])), [{ x: 1 }, null]);
  }
});

test("an inherited property is not a field's value", () => {
  const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
  const Car: pack.Type<object> = pack.struct("Car", Object.fromEntries(names.map((name) => [name, pack.option(pack.string)])));
  class Own {
    model = "own";
  }
  for (const evaluate of MODES) {
    const codec = pack.codec(Car, { eval: evaluate });
    const none = JSON.parse(`{${names.map((name) => `"${name}": null`).join()}}`) as object;
    for (const value of [{}, new Own(), Object.create(null) as object]) assert.deepEqual(codec.decode(codec.encode(value)), none);
    const given = JSON.parse('{"constructor": "Ferrari", "toString": null, "valueOf": "10", "hasOwnProperty": null, "__proto__": "p"}') as object;
    const back = codec.decode(codec.encode(given));
    assert.deepEqual(Object.entries(back), Object.entries(given));
    assert.throws(() => codec.encode({ toString: 1 }), { code: "type_mismatch", path: "$.toString" });
    const strict = pack.codec(pack.struct("Strict", { constructor: pack.string }), { eval: evaluate });
    assert.throws(() => strict.encode({} as never), { code: "type_mismatch", path: "$.constructor" });
  }
});

test("accepts maps, sets, dates and bytes of another realm", () => {
  const realm = createContext({});
  const theirs = (source: string): never => runInContext(source, realm) as never;
  const everything = pack.tuple(pack.map(pack.string, pack.i8), pack.set(pack.i8), pack.jsDate, pack.bytes, pack.array(pack.f64), pack.list(pack.i8), pack.any);
  const source = 'new Map([["a", 1]]), new Set([1]), new Date(5), new Uint8Array([1, 2]), new Float64Array([0.5]), [1], new Map([[1n, new Uint8Array([3])], [2n, [new Float32Array(1)]]])';
  const ours = [new Map([["a", 1]]), new Set([1]), new Date(5), Uint8Array.of(1, 2), Float64Array.of(0.5), [1], new Map<bigint, pack.AnyValue>([[1n, Uint8Array.of(3)], [2n, [new Float32Array(1)]]])];
  for (const evaluate of MODES) {
    const codec = pack.codec(everything, { eval: evaluate });
    const message = codec.encode(theirs(`[${source}]`));
    assert.deepEqual(message, codec.encode(ours as never));
    assert.deepEqual(codec.decode(theirs(`new Uint8Array([${message.join()}])`)), ours);
    assert.throws(() => codec.decode(theirs(`new Uint8Array([${message.join()}, 0])`)), { code: "trailing", at: message.length });
    for (const pretended of ['({ [Symbol.toStringTag]: "Map" })', "new Uint8ClampedArray(1)", "new DataView(new ArrayBuffer(8))", "new WeakMap()"]) {
      assert.throws(() => codec.encode([theirs(pretended), ...ours.slice(1)] as never), { code: "type_mismatch", path: "$[0]" });
      assert.throws(() => codec.encode([...ours.slice(0, 6), theirs(pretended)] as never), { code: "type_mismatch", path: "$[6]" });
    }
  }
});

test("an output whose buffer was transferred works again after clear", () => {
  const codec = pack.codec(pack.string);
  const output = new pack.Output(64);
  codec.encodeInto("to a worker", output);
  const received = structuredClone(output.bytes, { transfer: [output.buffer.buffer as ArrayBuffer] });
  assert.equal(codec.decode(received), "to a worker");
  assert.throws(() => codec.encodeInto("more", output), { code: "misuse" });
  assert.throws(() => { output.write(Uint8Array.of(1)); }, { code: "misuse" });
  output.clear();
  codec.encodeInto("again", output);
  assert.equal(codec.decode(output.bytes), "again");
});

test("look-up still works when a larger table cannot be allocated", () => {
  const texts = Array.from({ length: 500 }, (_, i) => `text ${i % 250}`);
  const expected = pack.codec(pack.list(pack.string)).encode(texts);
  const words = globalThis.Int32Array;
  // Three times it grows, and has three arrays.
  for (let room = 0; room < 9; room++) {
    const codec = pack.codec(pack.list(pack.string));
    let left = room;
    globalThis.Int32Array = class extends words {
      constructor(size: number) {
        if (left-- === 0) throw new RangeError("Array buffer allocation failed");
        super(size);
      }
    } as unknown as Int32ArrayConstructor;
    try {
      assert.throws(() => codec.encode(texts), { code: "limit_size" });
    } finally {
      globalThis.Int32Array = words;
    }
    assert.deepEqual(codec.encode(texts), expected, `room for ${room} arrays`);
  }
});
