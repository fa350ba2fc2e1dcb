import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isMap, isSet } from "../../src/core/realm.js";
import * as pack from "../../src/pack/index.js";
import { nested } from "./arbitrary.js";

// Generated code, and closures, call the functions of as() where the value stands. What they fail at is done again by a pass of its
// own over the whole value, which calls them once more: so the numbers of calls tell whether they did it.

class Box {
  constructor(readonly held: unknown) {}
}

/** The values that the functions of one type got. */
interface Seen {
  encoded: number;
  decoded: number;
  /** A value that the type does not hold. */
  wrong: unknown;
}

/** A type with boxes at half of its places, chosen by the bits of a number. */
class Boxing {
  readonly seen: Seen = { encoded: 0, decoded: 0, wrong: undefined };
  private readonly structs = new Map<object, pack.Type>();

  constructor(private bits: number) {}

  type(plain: pack.Type): pack.Type {
    const inner = this.inside(plain);
    this.bits = (Math.imul(this.bits, 1_103_515_245) + 12_345) >>> 0;
    return this.bits >>> 31 === 0 ? inner : this.boxed(plain, inner);
  }

  private boxed(plain: pack.Type, inner: pack.Type): pack.Type {
    let check: pack.Codec<unknown> | undefined;
    const open = ({ held }: Box): unknown => {
      this.seen.encoded++;
      return held;
    };
    const close = (held: unknown): Box => {
      this.seen.decoded++;
      if (inner === plain) {
        try {
          (check ??= pack.codec(plain)).encode(held);
        } catch {
          this.seen.wrong ??= { held };
        }
      }
      return new Box(held);
    };
    return inner.as(open, close);
  }

  private inside(plain: pack.Type): pack.Type {
    const { definition } = plain;
    switch (definition.kind) {
      case "option":
        return pack.option(this.type(definition.of) as pack.Type<string>);
      case "list":
        return definition.typed ? plain : pack.list(this.type(definition.of));
      case "set":
        return pack.set(this.type(definition.of));
      case "map":
        return pack.map(this.type(definition.key), this.type(definition.value));
      case "tuple":
        return pack.tuple(...definition.of.map((part) => this.type(part)));
      case "struct": {
        const known = this.structs.get(definition);
        if (known !== undefined) return known;
        const made = pack.struct(definition.name, Object.fromEntries(definition.fields.map(({ name, type }) => [name, this.type(type)])));
        this.structs.set(definition, made);
        return made;
      }
      default:
        return plain;
    }
  }
}

/** A value of a boxed type. */
function put(type: pack.Type, value: unknown): unknown {
  const { definition } = type;
  switch (definition.kind) {
    case "adapted":
      return new Box(put(definition.of, value));
    case "option":
      return value === null ? null : put(definition.of, value);
    case "list":
      return Array.isArray(value) ? value.map((part) => put(definition.of, part)) : value;
    case "set":
      return isSet(value) ? new Set([...value].map((part) => put(definition.of, part))) : value;
    case "map":
      return isMap(value) ? new Map([...value].map(([key, part]) => [put(definition.key, key), put(definition.value, part)])) : value;
    case "tuple":
      return definition.of.map((part, i) => put(part, (value as unknown[])[i]));
    case "struct":
      return Object.fromEntries(definition.fields.map(({ name, type: part }) => [name, put(part, (value as Record<string, unknown>)[name])]));
    default:
      return value;
  }
}

const CODECS: readonly pack.CodecOptions[] = (["compact", "fast"] as const).flatMap((profile) => [true, false].map((evaluate) => ({ profile, eval: evaluate })));

/** A list that is long enough for columns, and one that is not. */
const lists = nested.chain(({ type, values }) => {
  const List = pack.list(pack.struct("Item", { first: type, maybe: pack.option(pack.string), second: pack.list(type) }));
  const item = fc.record({ first: values, maybe: fc.option(fc.string({ maxLength: 5 })), second: fc.array(values, { maxLength: 3 }) }, { noNullPrototype: true });
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({ type: List, values: items }));
});

test("values of the program's types have the bytes of those that are written, and come back", () => {
  fc.assert(fc.property(lists, fc.nat(), fc.constantFrom(1, 66), (list, bits, copies) => {
    const boxing = new Boxing(bits);
    const type = boxing.type(list.type);
    const plain = Array.from({ length: copies }, () => list.values).flat();
    const value = put(type, plain);
    for (const options of CODECS) {
      const own = pack.codec(type, options);
      const data = own.encode(value);
      assert.deepEqual(data, pack.codec(list.type, options).encode(plain));
      boxing.seen.encoded = 0;
      boxing.seen.decoded = 0;
      const read = own.decode(data);
      const { decoded } = boxing.seen;
      assert.deepEqual(read, put(type, pack.codec(list.type, options).decode(data)));
      assert.deepEqual(own.encode(read), data);
      assert.ok(boxing.seen.encoded === decoded || boxing.seen.encoded === 2 * decoded, "texts beyond Latin-1 are written twice");
      assert.deepEqual(own.resolve(own.schema).decode(data), read);
      assert.equal(boxing.seen.decoded, 2 * decoded);
      assert.equal(boxing.seen.wrong, undefined);
    }
  }), { numRuns: 6 });
});

/** The value or error of a decode. */
function outcome(decode: () => unknown): object {
  try {
    return { value: decode() };
  } catch (error) {
    if (!(error instanceof pack.SamewireError)) throw error;
    return { code: error.code, at: error.at, path: error.path, message: error.message };
  }
}

test("malformed messages are refused as those of the type that is written, and no function sees a value of another type", () => {
  fc.assert(fc.property(lists, fc.nat(), fc.constantFrom(1, 66), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }), (list, bits, copies, changes) => {
    const boxing = new Boxing(bits);
    const type = boxing.type(list.type);
    for (const options of CODECS) {
      const own = pack.codec(type, options);
      const plain = pack.codec(list.type, options);
      const data = plain.encode(Array.from({ length: copies }, () => list.values).flat());
      for (const [at, byte] of changes) {
        const changed = data.slice();
        changed[at % data.length] = byte;
        for (const bytes of [changed, data.subarray(0, at % data.length)]) {
          const expected = outcome(() => put(type, plain.decode(bytes)));
          const read = outcome(() => own.decode(bytes));
          // Boxes distinguish two keys that differ only in bytes, as NaNs or UUIDs.
          assert.deepEqual(read, expected);
        }
      }
      assert.equal(boxing.seen.wrong, undefined);
    }
  }), { numRuns: 4 });
});

test("keys that are equal are refused, though the program's are not", () => {
  const Key = pack.bool.as((box: Box) => box.held as boolean, (held) => new Box(held));
  const twice = (one: pack.Type, two: pack.Type, columnar: boolean): [pack.Type, pack.Type] =>
    columnar ? [pack.list(pack.struct("Item", { keys: one })), pack.list(pack.struct("Item", { keys: two }))] : [one, two];
  for (const options of CODECS) {
    for (const [one, two, value] of [[pack.set(Key), pack.set(pack.bool), new Set([false, true])], [pack.map(Key, pack.bool), pack.map(pack.bool, pack.bool), new Map([[false, true], [true, true]])]] as const) {
      for (const columnar of [false, true]) {
        const [boxed, plain] = twice(one, two, columnar).map((type) => pack.codec(type, options));
        const data = plain!.encode(columnar ? Array.from({ length: 64 }, () => ({ keys: value })) : value);
        // Every byte after the counts is made 0, so that all keys are false.
        for (let at = 1; at < data.length; at++) {
          const changed = data.slice();
          changed[at] = 0;
          const expected = outcome(() => plain!.decode(changed));
          if ("code" in expected) assert.deepEqual(outcome(() => boxed!.decode(changed)), expected);
        }
      }
    }
  }
});

test("the limit of cells holds what it held, wherever the program's values stand", () => {
  const Text = pack.string.as((box: Box) => box.held as string, (held) => new Box(held));
  const Item = pack.struct("Item", { a: Text, many: pack.list(pack.i32.as((box: Box) => box.held as number, (held) => new Box(held))), kept: pack.map(pack.string, Text), last: pack.bool });
  const item = { a: new Box("x"), many: [new Box(1), new Box(2)], kept: new Map([["k", new Box("v")]]), last: true };
  for (const options of CODECS) {
    for (const count of [60, 90]) {
      const list = pack.list(Item);
      const data = pack.codec(list, options).encode(Array.from({ length: count }, () => item));
      // The cells of the type that is written, and five of each box beyond the first 64 KiB.
      const written = leastCells((cells) => pack.codec(pack.parse(pack.codec(list).schema.text), { ...options, limits: { cells } }).decode(data));
      const own = leastCells((cells) => pack.codec(list, { ...options, limits: { cells } }).decode(data));
      assert.equal(own, Math.max(written, Math.ceil(written + 5 * 4 * count - 65_536 / 60)));
      assert.throws(() => pack.codec(list, { ...options, limits: { cells: own - 1 } }).decode(data), { code: "limit_items" });
    }
  }
});

function leastCells(decode: (cells: number) => unknown): number {
  let [least, most] = [1, 1 << 16];
  while (least < most) {
    const cells = (least + most) >> 1;
    const { code } = outcome(() => decode(cells)) as { code?: string };
    if (code === undefined) most = cells;
    else least = cells + 1;
  }
  return least;
}

test("each function is called once for each value", () => {
  let [encoded, decoded] = [0, 0];
  const box = <T>(type: pack.Type<T>): pack.Type<Box> => type.as(({ held }: Box) => (encoded++, held as T), (held) => (decoded++, new Box(held)));
  const Row = pack.struct("Row", {
    text: box(pack.string), maybe: pack.option(box(pack.i64)), flags: pack.list(box(pack.bool)), numbers: pack.list(box(pack.f64)),
    keys: pack.map(box(pack.u8), box(pack.string)), pair: pack.tuple(box(pack.i32), pack.u8), whole: box(pack.struct("Inner", { x: box(pack.timestamp) })),
  });
  const row = {
    text: new Box("a"), maybe: new Box(5n), flags: [new Box(true), new Box(false)], numbers: [new Box(1), new Box(0.5)],
    keys: new Map([[new Box(1), new Box("x")], [new Box(2), new Box("y")]]), pair: [new Box(7), 1], whole: new Box({ x: new Box(9n) }),
  };
  for (const options of CODECS) {
    for (const count of [3, 70]) {
      const own = pack.codec(box(pack.list(Row)), options);
      const value = new Box(Array.from({ length: count }, () => row));
      [encoded, decoded] = [0, 0];
      const data = own.encode(value);
      const read = own.decode(data);
      assert.deepEqual([encoded, decoded], [1 + 13 * count, 1 + 13 * count]);
      assert.deepEqual(read, value);
      const output = new pack.Output();
      own.encodeInto(value, output);
      assert.deepEqual(output.bytes, data);
      assert.deepEqual(Buffer.concat([...own.encodeChunks(value)]), Buffer.from(data));
      assert.equal(encoded, 3 * (1 + 13 * count));
    }
  }
});

test("each function is called once for each shared object, which stays one", () => {
  let [encoded, decoded] = [0, 0];
  const Point = pack.struct("Point", { x: pack.i32, text: pack.string });
  const box = <T>(type: pack.Type<T>): pack.Type<Box> => type.as(({ held }: Box) => (encoded++, held as T), (held) => (decoded++, new Box(held)));
  const Boxed = box(box(Point));
  const Pair = pack.struct("Pair", { one: pack.ref(Boxed), other: pack.ref(Boxed), apart: pack.ref(box(Point)), plain: pack.ref(Point), own: Boxed });
  const point = { x: 1, text: "a" };
  const inner = new Box(point);
  const [first, second] = [new Box(inner), new Box(new Box({ x: 2, text: "b" }))];
  const row = { one: first, other: first, apart: inner, plain: point, own: first };
  for (const options of CODECS) {
    for (const count of [1, 70]) {
      const own = pack.codec(pack.list(Pair), options);
      const value = Array.from({ length: count }, () => row).concat({ ...row, other: second });
      [encoded, decoded] = [0, 0];
      const data = own.encode(value);
      // Those of `one`, `second` and `apart` once each, those of `own` every time.
      assert.equal(encoded, 2 + 2 + 1 + 2 * (count + 1));
      const read = own.decode(data);
      assert.equal(decoded, encoded);
      assert.deepEqual(read, value);
      const { one, apart, plain } = read[0]!;
      for (const pair of read) assert.ok(pair.one === one && pair.apart === apart && pair.plain === plain && apart.held === plain && pair.own !== one);
      assert.deepEqual(data, pack.codec(pack.list(Pair), { ...options, digest: false }).encode(read));
      const message = own.encode([{ ...row, other: new Box(new Box({ x: 3, text: "€" })) }]);
      assert.deepEqual(own.encode(own.decode(message)), message);
      assert.throws(() => own.encode([{ ...row, apart: new Box({ x: 0.5, text: "" }) }]), { code: "type_mismatch", path: "$[0].apart.x" });
    }
  }
});

test("a shared object is made where it stands, as any other", () => {
  let log: string[] = [];
  const Point = pack.struct("Point", { x: pack.i32 });
  const Named = Point.as(
    (name: string) => {
      log.push(`made of ${name}`);
      return { get x() { return log.push(`read for ${name}`); } };
    },
    ({ x }) => String(x),
  );
  for (const options of CODECS) {
    log = [];
    pack.codec(pack.tuple(pack.ref(Named), pack.ref(Named)), options).encode(["a", "b"]);
    assert.deepEqual(log, ["made of a", "read for a", "made of b", "read for b"]);
  }
});

test("messages within messages are read a few times each, however deep what is wrong with them stands", () => {
  for (const options of CODECS) {
    let calls = 0;
    const Envelope: pack.Type<{ child: unknown }> = pack.struct("Envelope", {
      child: pack.option(pack.bytes.as((child: unknown) => (calls++, codec.encode(child as { child: unknown })), (bytes) => (calls++, codec.decode(bytes)))),
    });
    const codec = pack.codec(Envelope, options);
    const outer = pack.codec(pack.struct("Envelope", { child: pack.option(pack.bytes) }), options);
    let message: Uint8Array = Uint8Array.of(0);
    for (let level = 0; level < 40; level++) message = outer.encode({ child: message });
    assert.throws(() => codec.decode(message), { code: "unsupported" });
    assert.ok(calls < 2_000, `${calls} calls`);
    let value: { child: unknown } = { child: null };
    for (let level = 0; level < 40; level++) value = { child: value };
    assert.deepEqual(codec.decode(codec.encode(value)), value);
    calls = 0;
    let wrong: { child: unknown } = { child: { child: 3 } };
    for (let level = 0; level < 40; level++) wrong = { child: wrong };
    assert.throws(() => codec.encode(wrong), { code: "type_mismatch" });
    assert.ok(calls < 2_000, `${calls} calls`);
  }
});

test("a function that writes to the output of its own message is refused, and the output unchanged", () => {
  for (const options of CODECS) {
    const output = new pack.Output();
    const inner = pack.codec(pack.u8);
    const codec = pack.codec(pack.struct("Row", { x: pack.u8.as((x: number) => (inner.encodeInto(7, output), x), (x) => x) }), options);
    assert.throws(() => codec.encodeInto({ x: 1 }, output), { code: "misuse" });
    assert.equal(output.length, 0);
  }
});
