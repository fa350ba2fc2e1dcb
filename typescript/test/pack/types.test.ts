import assert from "node:assert/strict";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";

/** True only if the two types are the same in every place where one of them may stand. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- two deferred conditional types are compared for identity
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if `Expected` is what is inferred from the type. */
class Inferred<D extends pack.Type> {
  constructor(private readonly type: D) {}

   
  is<Expected>(claim: Same<pack.Infer<D>, Expected>): void {
    assert.equal(claim, true);
    assert.ok(this.type instanceof pack.Type);
  }
}

function from<D extends pack.Type>(type: D): Inferred<D> {
  return new Inferred(type);
}

const Colour = pack.enumeration("Colour", ["red", "green"]);
const Point = pack.struct("Point", { x: pack.f64, y: pack.f64 });
const Circle = pack.struct("Circle", { centre: Point, radius: pack.u32 });
const Empty = pack.struct("Nothing", {});
const Figure = pack.union([Circle, Empty], { discriminator: "kind" });

interface Tree {
  name: string;
  kids: Tree[];
}
const Tree: pack.Type<Tree> = pack.struct("Tree", { name: pack.string, kids: pack.list(pack.recursive(() => Tree)) });

class Account {
  declare owner: string;
  declare cents: bigint;
  get euros(): bigint {
    return this.cents / 100n;
  }
}
const AccountType = pack.struct("Account", { owner: pack.string, cents: pack.i64 }, { class: Account });

test("types are inferred from schemas", () => {
  from(pack.bool).is<boolean>(true);
  from(pack.i64).is<bigint>(true);
  from(pack.any).is<pack.AnyValue>(true);
  from(pack.jsDate).is<Date>(true);
  from(Colour).is<"red" | "green">(true);
  from(Point).is<{ x: number; y: number }>(true);
  from(Tree).is<Tree>(true);
  from(AccountType).is<Account>(true);
  const optional = pack.option(pack.string);
  from(optional).is<string | null>(true);
  const doubles = pack.array(pack.f64);
  from(doubles).is<Float64Array>(true);
  const longs = pack.array(pack.u64);
  from(longs).is<BigUint64Array>(true);
  const pair = pack.tuple(pack.string, pack.list(pack.u8));
  from(pair).is<[string, number[]]>(true);
  const table = pack.map(Colour, pack.set(pack.i32));
  from(table).is<Map<"red" | "green", Set<number>>>(true);
  const defaulted = pack.struct("Defaulted", { a: pack.field(pack.i32, { default: 7 }), b: pack.ref(Point) });
  from(defaulted).is<{ a: number; b: { x: number; y: number } }>(true);
});

test("keys of one map in an any are of one kind", () => {
  const codec = pack.codec(pack.any);
  const maps: pack.AnyValue[] = [new Map([["a", 1n]]), new Map([[1n, "a"]]), new Map<string, pack.AnyValue>([["a", [null, new Map([[1n, true]])]]])];
  assert.deepEqual(codec.decode(codec.encode(maps)), maps);
  const both = new Map<bigint | string, bigint>([["a", 1n], [1n, 1n]]);
  // @ts-expect-error nothing holds both kinds
  assert.throws(() => codec.encode(both), { code: "type_mismatch", path: "$[1].key" });
  // @ts-expect-error a number is an f64, which is not a key
  assert.throws(() => codec.encode(new Map([[1, 1n]])), { code: "type_mismatch", path: "$[0].key" });
});

test("the discriminator narrows a union", () => {
  const codec = pack.codec(Figure);
  const circle: pack.Infer<typeof Figure> = { kind: "Circle", centre: { x: 0, y: 0 }, radius: 3 };
  const decoded = codec.decode(codec.encode(circle));
  // The compiler narrows by the discriminator.
  assert.equal(decoded.kind === "Circle" ? decoded.radius : undefined, 3);
  assert.deepEqual(codec.decode(codec.encode({ kind: "Nothing" })), { kind: "Nothing" });
  // @ts-expect-error no member is called Square
  assert.throws(() => codec.encode({ kind: "Square" }), { code: "type_mismatch", path: "$" });
});

test("wrong values do not compile", () => {
  const codec = pack.codec(pack.list(Point));
  // @ts-expect-error a field is missing
  assert.throws(() => codec.encode([{ x: 1 }]), { code: "type_mismatch", path: "$[0].y" });
  // @ts-expect-error no text where a number is wanted
  assert.throws(() => codec.encode([{ x: 1, y: "2" }]), { code: "type_mismatch", path: "$[0].y" });
  // @ts-expect-error only numeric types have typed arrays
  assert.throws(() => pack.array(pack.string), { code: "misuse" });
});
