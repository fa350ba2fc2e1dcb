import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

/** True only if the two types are the same. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- two deferred conditional types are compared for identity
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

class Money {
  constructor(readonly cents: number) {}

  get text(): string {
    return String(this.cents);
  }
}

function parse(text: string): Money {
  return new Money(Number(text));
}

const Pair = pack.struct("Pair", { first: pack.i64, second: pack.string });
const AsText = pack.string.as((money: Money) => money.text, parse);
const MONEY = Array.from({ length: 96 }, (_, i) => new Money([0, 1, 5, 5, 1_000, 77][i % 6]!));

/** A type of `Money`, the type that is written, and what is written. */
interface Way<W> {
  readonly name: string;
  readonly adapted: pack.Type<Money>;
  readonly plain: pack.Type<W>;
  readonly written: (money: Money) => W;
}

function way<W>(name: string, plain: pack.Type<W>, written: (money: Money) => W, read: (value: W) => Money): Way<W> {
  return { name, adapted: plain.as(written, read), plain, written };
}

const WAYS = [
  way("i16", pack.i16, (money) => money.cents, (cents) => new Money(cents)),
  way("i64", pack.i64, (money) => BigInt(money.cents), (cents) => new Money(Number(cents))),
  way("f64", pack.f64, (money) => money.cents, (cents) => new Money(cents)),
  way("bool", pack.bool, (money) => money.cents === 5, (five) => new Money(five ? 5 : 0)),
  way("string", pack.string, (money) => money.text, parse),
  way("timestamp", pack.timestamp, (money) => BigInt(money.cents) * 1_000_000_000n, (time) => new Money(Number(time / 1_000_000_000n))),
  way("enumeration", pack.enumeration("Even", ["no", "yes"]), (money) => (money.cents % 2 === 0 ? "yes" : "no"), (even) => new Money(even === "yes" ? 0 : 1)),
  way("struct", Pair, (money) => ({ first: BigInt(money.cents), second: money.text }), ({ second }) => parse(second)),
  way("tuple", pack.tuple(pack.u32, pack.string), (money): [number, string] => [money.cents, "x"], ([cents]) => new Money(cents)),
  way("list", pack.list(pack.f64), (money) => [money.cents, 1], ([cents]) => new Money(cents!)),
  way("map", pack.map(pack.string, pack.i32), (money) => new Map([["cents", money.cents]]), (map) => new Money(map.get("cents")!)),
  way("one upon another", AsText, (money) => money, (money) => money),
] as unknown as readonly Way<unknown>[];

const CODECS: readonly pack.CodecOptions[] = (["compact", "fast"] as const).flatMap((profile) => [true, false].map((evaluate) => ({ profile, eval: evaluate })));

function row(type: pack.Type): pack.Type<unknown[]> {
  const fields = { id: pack.string, price: type, maybe: pack.option(type), many: pack.list(type), named: pack.map(pack.string, type), gaps: pack.list(pack.option(type)), both: pack.tuple(type, pack.u8) };
  return pack.list(pack.struct("Row", fields));
}

function rows(values: readonly unknown[]): unknown[] {
  return values.map((value, i) => ({
    id: String(i), price: value, maybe: i % 3 === 0 ? null : value, many: values.slice(0, i % 7), named: new Map([[`a${i % 5}`, value], ["b", values[0]!]]), gaps: [value, null], both: [value, i],
  }));
}

for (const { name, adapted, plain, written } of WAYS) {
  test(`the bytes of what is written: ${name}`, () => {
    for (const options of CODECS) {
      const own = pack.codec(row(adapted), options);
      const other = pack.codec(row(plain), options);
      assert.equal(own.schema.text, other.schema.text);
      const theirs = rows(MONEY.map(written));
      const ours = rows(MONEY);
      for (const count of [1, 63, 96]) {
        const data = own.encode(ours.slice(0, count));
        assert.deepEqual(data, other.encode(theirs.slice(0, count)));
        const read = own.decode(data);
        // A lossy conversion loses once: a second round trip changes nothing.
        assert.deepEqual(read, own.decode(own.encode(read)));
        if (!["bool", "enumeration"].includes(name)) assert.deepEqual(read, ours.slice(0, count));
        assert.deepEqual(own.resolve(own.schema).decode(data), read);
      }
      assert.deepEqual(ours, rows(MONEY), "what is encoded stays as it is");
    }
  });
}

test("keys are in the order of what is written", () => {
  type Id = string & { readonly brand: "id" };
  const Id = pack.u32.as((id: Id) => Number(id), (number) => String(number) as Id);
  const own = pack.codec(pack.tuple(pack.set(Id), pack.map(Id, Id), pack.map(Id, Pair)));
  const ids = ["9", "10", "2"] as Id[];
  const pair = { first: 1n, second: "x" };
  const value: pack.Infer<typeof own extends pack.Codec<infer T> ? pack.Type<T> : never> = [new Set(ids), new Map(ids.map((id) => [id, id])), new Map(ids.map((id) => [id, pair]))];
  const data = own.encode(value);
  const plain = pack.codec(pack.tuple(pack.set(pack.u32), pack.map(pack.u32, pack.u32), pack.map(pack.u32, Pair)));
  assert.deepEqual(data, plain.encode([new Set([9, 10, 2]), new Map([[9, 9], [10, 10], [2, 2]]), new Map([[9, pair], [10, pair], [2, pair]])]));
  assert.deepEqual(own.decode(data), [new Set(["2", "9", "10"]), value[1], value[2]]);
});

test("types are inferred", () => {
  const Item = pack.struct("Item", { price: AsText, others: pack.list(pack.option(AsText)), count: pack.i64AsNumber });
  const same: Same<pack.Infer<typeof Item>, { price: Money; others: (Money | null)[]; count: number }> = true;
  assert.ok(same);
  assert.ok(Item instanceof pack.Type);
  const claimed: Same<pack.Infer<typeof AsText>, Money> = true;
  assert.ok(claimed);
  // @ts-expect-error -- decode takes what the type holds
  pack.string.as((money: Money) => money.text, (cents: number) => new Money(cents));
  // @ts-expect-error -- encode returns what the type holds
  pack.string.as((money: Money) => money.cents, parse);
});

interface Tree {
  price: Money;
  kids: Tree[];
}
const Tree: pack.Type<Tree> = pack.struct("Tree", { price: AsText, kids: pack.list(pack.recursive(() => Tree)) });

test("types that hold themselves", () => {
  const tree: Tree = { price: new Money(1), kids: [{ price: new Money(2), kids: [] }, { price: new Money(3), kids: [{ price: new Money(4), kids: [] }] }] };
  for (const options of CODECS) {
    const own = pack.codec(Tree, options);
    assert.deepEqual(own.decode(own.encode(tree)), tree);
  }
  tree.kids.push(tree);
  assert.throws(() => pack.codec(Tree).encode(tree), { code: "limit_depth" });
});

test("shared structs stay one object, members of unions what they are, objects of classes theirs", () => {
  let sets = 0;
  class Priced {
    declare name: string;
    declare kept: Money;
    get price(): Money {
      return this.kept;
    }
    set price(value: Money) {
      assert.ok(value instanceof Money);
      sets++;
      this.kept = value;
    }
  }
  const PricedType = pack.struct("Priced", { name: pack.string, price: AsText }, { class: Priced });
  const Other = pack.struct("Other", { year: pack.i32 });
  const own = pack.codec(pack.struct("All", { one: pack.ref(PricedType), two: pack.ref(PricedType), any: pack.list(pack.union([PricedType, Other])) }));
  const priced = Object.assign(Object.create(Priced.prototype) as Priced, { name: "a", price: new Money(5) });
  sets = 0;
  const read = own.decode(own.encode({ one: priced, two: priced, any: [{ type: "Other", year: 1 }, { type: "Priced", name: "b", price: new Money(7) }] } as never));
  assert.equal(read.one, read.two);
  assert.ok(read.one instanceof Priced);
  assert.deepEqual([read.one.name, read.one.price, sets], ["a", new Money(5), 2]);
  assert.deepEqual(read.any[0], { type: "Other", year: 1 });
  assert.equal(read.any[1]!.type, "Priced");
  assert.deepEqual((read.any[1] as Priced).price, new Money(7));
});

test("another writer's schema resolves, and defaults are the program's values", () => {
  const Before = pack.struct("Item", { price: pack.i16, was: pack.option(pack.i16), gone: pack.string });
  const cents = pack.i64.as((money: Money) => BigInt(money.cents), (read) => new Money(Number(read)));
  const After = pack.struct("Item", { added: pack.field(AsText, { default: () => new Money(9) }), was: pack.field(cents, { default: new Money(7) }), price: cents });
  for (const options of CODECS) {
    const before = pack.codec(pack.list(Before), options);
    const after = pack.codec(pack.list(After), options);
    const data = before.encode(Array.from({ length: 70 }, (_, i) => ({ price: i, was: i % 2 === 0 ? null : 3, gone: "x" })));
    const read = after.resolve(before.schema).decode(data);
    assert.deepEqual(read.slice(0, 2), [{ added: new Money(9), was: new Money(7), price: new Money(0) }, { added: new Money(9), was: new Money(3), price: new Money(1) }]);
  }
});

test("defaults are checked as what is written of them", () => {
  const cents = pack.i16.as((money: Money) => money.cents, (read) => new Money(read));
  const item = (type: pack.Type, value: unknown, ...others: pack.Type[]): (() => unknown) => {
    const Item = pack.struct("Item", { kept: pack.field(type, { default: value }) });
    return () => pack.codec(pack.tuple(pack.ref(Item.as((of: { kept: unknown }) => of, (read) => read)), pack.list(Item), ...others));
  };
  const list = pack.list(cents);
  for (const wrong of [
    item(cents, new Money(40_000)), item(cents, 5), item(cents, null),
    item(pack.i8, 128, cents), item(pack.option(pack.i8), "a", cents),
  ]) {
    assert.throws(wrong, { code: "misuse", message: /^misuse: the default of Item\.kept does not fit its type: / });
  }
  assert.throws(item(cents, null), { message: /: writing it throws TypeError: Cannot read properties of null/ });
  assert.throws(item(list, [new Money(1), new Money(70_000)]), { message: /the default of Item\.kept\[1\] does not fit its type: 70000 is out of range for i16/ });
  for (const right of [item(cents, new Money(5)), item(list, []), item(cents, () => assert.fail("called"))]) right();
});

test("mistakes have a path, and what the program's functions throw is passed on", () => {
  const Item = pack.struct("Item", { price: AsText, all: pack.map(pack.string, pack.list(pack.i64AsNumber)) });
  const own = pack.codec(pack.list(Item));
  const item = { price: new Money(1), all: new Map([["a", [1, 2]]]) };
  assert.throws(() => own.encode([item, 5 as never]), { code: "type_mismatch", path: "$[1]" });
  assert.throws(() => own.encode({ length: 1 } as never), { code: "type_mismatch", path: "$" });
  assert.throws(() => own.encode([{ ...item, price: { text: 7 } as never }]), { code: "type_mismatch", path: "$[0].price" });
  assert.throws(() => own.encode([item, { ...item, all: new Map([["a", []], ["b", [1, 2 ** 53]]]) }]), {
    code: "type_mismatch", path: "$[1].all[1].value[1]", message: /within ±\(2\^53 − 1\), got 9007199254740992/,
  });
  assert.throws(() => own.encode([{ ...item, price: null as never }]), TypeError);
  const failing = pack.codec(pack.list(pack.string.as((money: Money) => money.text, (text) => { throw new RangeError(text); })));
  assert.throws(() => failing.decode(failing.encode([new Money(1)])), new RangeError("1"));
  const refusing = pack.codec(pack.list(pack.string.as((money: Money): string => { throw new pack.SamewireError("bad_number", money.text); }, parse)));
  assert.throws(() => refusing.encode([new Money(8)]), { code: "bad_number", path: "$[0]", message: "bad_number in $[0]: 8" });
  const narrow = pack.codec(pack.set(pack.u8.as((cents: number) => cents >> 1, (half) => half >> 1)));
  assert.throws(() => narrow.encode(new Set([2, 3])), { code: "type_mismatch", path: "$", message: /1 different keys of 2/ });
  assert.throws(() => narrow.decode(pack.codec(pack.set(pack.u8)).encode(new Set([2, 3]))), { code: "type_mismatch", message: /1 different keys of 2/ });
  const names = { kind: "a", inner: AsText };
  assert.throws(() => pack.codec(pack.union([pack.struct("A", { inner: names.inner }).as((a: Money) => ({ inner: a }), ({ inner }) => inner) as never])), { code: "misuse" });
  assert.throws(() => pack.string.as(undefined as never, parse), { code: "misuse", message: /two functions/ });
});

test("what is made counts against the limit of cells", () => {
  const data = pack.codec(pack.list(pack.string)).encode(Array.from({ length: 10_000 }, () => "1"));
  pack.codec(pack.list(AsText), { limits: { cells: 100_000 } }).decode(data);
  assert.throws(() => pack.codec(pack.list(AsText), { limits: { cells: 50_000 } }).decode(data), { code: "limit_items", path: /^\$\[\d+\]$/ });
});

test("i64 and u64 as numbers, exactly or not at all", () => {
  for (const [type, least] of [[pack.i64AsNumber, -Number.MAX_SAFE_INTEGER], [pack.u64AsNumber, 0]] as const) {
    const own = pack.codec(type);
    for (const value of [least, 0, 5, Number.MAX_SAFE_INTEGER]) assert.equal(own.decode(own.encode(value)), value);
    for (const value of [2 ** 53, 0.5, NaN, 1n as never, undefined as never]) assert.throws(() => own.encode(value), { code: "type_mismatch", path: "$" });
  }
  assert.throws(() => pack.codec(pack.u64AsNumber).encode(-1), { code: "type_mismatch", path: "$" });
  const beyond = pack.codec(pack.list(pack.i64)).encode([1n, 2n ** 53n]);
  assert.throws(() => pack.codec(pack.list(pack.i64AsNumber)).decode(beyond), { code: "type_mismatch", path: "$[1]", message: /9007199254740992 is not exact as a number/ });
});

test("plain objects in an any are maps of their properties", () => {
  const plain = { a: 1, list: [{ b: null, none: undefined }], deep: { "": "x" }, ["__proto__"]: true };
  const map = new Map<string, pack.AnyValue>([["a", 1], ["list", [new Map([["b", null]])]], ["deep", new Map([["", "x"]])], ["__proto__", true]]);
  for (const options of CODECS) {
    const own = pack.codec(pack.list(pack.any), options);
    const data = own.encode([plain, Object.assign(Object.create(null) as object, { c: 1 }), {}]);
    assert.deepEqual(data, own.encode([map, new Map([["c", 1]]), new Map()]));
    assert.deepEqual(own.decode(data), [map, new Map([["c", 1]]), new Map()]);
    const objects = pack.codec(pack.list(pack.any), { ...options, objects: true });
    assert.deepEqual(objects.decode(data), [{ a: 1, list: [{ b: null }], deep: { "": "x" }, ["__proto__"]: true }, { c: 1 }, {}]);
    assert.deepEqual(objects.decode(own.encode([new Map([[1n, 2]])])), [new Map([[1n, 2]])]);
    assert.throws(() => own.encode([{ a: new Date() as never }]), { code: "type_mismatch", path: "$[0][0].value", message: /an object is a plain one/ });
    assert.throws(() => own.encode([{ "\ud800": 1 }]), { code: "bad_utf8", path: "$[0][0].key" });
    const cycle: Record<string, pack.AnyValue> = {};
    cycle["self"] = cycle;
    assert.throws(() => own.encode([cycle]), { code: "limit_depth" });
  }
});
