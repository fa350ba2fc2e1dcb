import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as pack from "../../src/pack/index.js";
import { Weights } from "../../src/pack/schema/cells.js";
import { ownPlan } from "../../src/pack/schema/own-plan.js";
import { resolve } from "../../src/pack/schema/resolve.js";
import * as small from "../../src/pack/small.js";
import type { Case } from "./cases.js";
import { fromHex, fromNotation, toHex, toNotation } from "./notation.js";
import { withTypedArrays } from "./typed.js";

const root = new URL("../../../../", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const { files, only } = read("spec/vectors/MANIFEST.json") as { files: Record<string, number>; only: { typescript: Record<string, number> } };

/** The files of messages, each with whether it holds what all languages read. */
const FILES = [...Object.keys(files), ...Object.keys(only.typescript).filter((file) => file.startsWith("columns/"))];
const CASES = FILES.flatMap((file) => (read(`spec/vectors/${file}`) as { cases: Case[] }).cases.map((vector) => ({ ...vector, name: `${file} ${vector.name}` })));
/** Messages are cut at so many places. */
const CUTS = 2;
const LIMITS = { depth: "depth", frame_bytes: "frameBytes", text_bytes: "textBytes", items: "items", cells: "cells", buffered_bytes: "bufferedBytes" } as const;

function limitsOf(given: Record<string, number> = {}): Partial<small.Limits> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [LIMITS[name as keyof typeof LIMITS], value]));
}

function failure(run: () => unknown): { code: string; at: number | undefined; path: string | undefined } {
  try {
    run();
  } catch (error) {
    if (!(error instanceof small.SamewireError)) throw error;
    return { code: error.code, at: error.at, path: error.path };
  }
  throw new Error("expected an error");
}

// Types that are parsed need what only these functions bring along.
small.list(small.any);

/** The codecs of a case: with plain arrays, and with typed ones. */
function* codecs(vector: Case, options: small.CodecOptions): Generator<[small.Codec<unknown>, pack.Schema]> {
  const type = pack.parse(vector.schema);
  for (const made of [type, withTypedArrays(type)]) yield [small.codec(made, { check: false, ...options }), new pack.Schema(made)];
}

function written(vector: Case): void {
  const { hex, profile } = vector;
  for (const [codec, { tree }] of codecs(vector, { profile, digest: vector.digest === true, check: vector.check === true })) {
    const bytes = fromHex(hex);
    if (vector.kind === "canonical") {
      assert.equal(toHex(codec.encode(fromNotation(tree.root, vector.value))), hex);
      assert.deepEqual(toNotation(tree.root, codec.decode(bytes)), vector.value);
    }
    assert.equal(toHex(codec.encode(codec.decode(bytes))), hex);
    for (let cut = 0; cut < CUTS; cut++) {
      const length = Math.floor((cut * bytes.length) / CUTS);
      assert.deepEqual(failure(() => codec.decode(bytes.subarray(0, length))).at, length);
    }
    assert.deepEqual(failure(() => codec.decode(new Uint8Array([...bytes, 0]))), { code: "trailing", at: bytes.length, path: "$" });
  }
  for (const [name, use] of Object.entries(vector.uses)) {
    if (use < 2) continue;
    const below = small.codec(pack.parse(vector.schema), { limits: limitsOf({ [name]: use - 1 }) });
    const code = name === "depth" ? "limit_depth" : name.endsWith("_bytes") ? "limit_size" : "limit_items";
    assert.equal(failure(() => below.decode(fromHex(hex))).code, code, name);
  }
}

function accepted(vector: Case): void {
  for (const [codec, { tree }] of codecs(vector, {})) {
    const value = codec.decode(fromHex(vector.hex));
    assert.deepEqual(toNotation(tree.root, value), vector.value);
    assert.equal(toHex(codec.encode(value)), vector.canonical);
  }
}

function rejected(vector: Case): void {
  for (const [codec] of codecs(vector, { limits: limitsOf(vector.limits) })) {
    assert.deepEqual(failure(() => codec.decode(fromHex(vector.hex))), { code: vector.error, at: vector.at, path: vector.path });
  }
}

const RUNS: Partial<Record<Case["kind"], (vector: Case) => void>> = { canonical: written, rewritten: written, accepted, rejected };

for (const [kind, run] of Object.entries(RUNS)) {
  test(`the small codec passes every vector that is ${kind}`, () => {
    const cases = CASES.filter((vector) => vector.kind === kind);
    assert.ok(cases.length > 10, kind);
    const failures: string[] = [];
    for (const vector of cases) {
      try {
        run(vector);
      } catch (error) {
        failures.push(`${vector.name}: ${String(error)}`);
      }
    }
    assert.deepEqual(failures.slice(0, 10), [], `${failures.length} failures`);
  });
}

test("the plan of a type's own schema is that of a resolution with itself", () => {
  for (const { schema } of CASES.filter(({ kind }) => kind === "canonical")) {
    const { tree } = pack.Schema.parse(schema);
    assert.deepEqual(withoutDefaults(ownPlan(tree, new Weights(tree.root))), withoutDefaults(resolve(tree.root, tree)));
  }
});

/** A plan without the functions that make defaults, which are compared by identity. */
function withoutDefaults(plan: unknown, met = new Map<unknown, unknown>()): unknown {
  if (typeof plan !== "object" || plan === null) return plan;
  const known = met.get(plan);
  if (known !== undefined) return known;
  const copy: Record<string, unknown> = {};
  met.set(plan, copy);
  for (const [key, value] of Object.entries(plan)) if (key !== "fallback") copy[key] = withoutDefaults(value, met);
  return copy;
}

test("the small codec writes and reads the program's own types and classes", () => {
  class Point {
    constructor(readonly x: number, readonly y: number) {}
    sum(): number {
      return this.x + this.y;
    }
  }
  const link = small.string.as((url: URL) => url.href, (text) => new URL(text));
  const PointType = small.struct("Point", { x: small.i32, y: small.i32 }, { class: Point });
  const type = small.struct("Page", {
    link, points: small.list(PointType), ids: small.set(small.i64AsNumber), by: small.map(link, small.option(small.u64AsNumber)), first: small.option(link),
  });
  const page = { link: new URL("https://a.example/"), points: Array.from({ length: 100 }, (_, i) => new Point(i, -1 - i)), ids: new Set([3, 1]), by: new Map([[new URL("https://b.example/"), 7]]), first: null };
  const [codec, fast] = [small.codec(type), pack.codec(type)];
  assert.equal(toHex(codec.encode(page)), toHex(fast.encode(page)));
  const again = codec.decode(fast.encode(page));
  assert.deepEqual(again, { ...page, ids: new Set([1, 3]) });
  assert.equal(again.points[3]!.sum(), -1);
});

test("the small codec keeps what is shared, in each of its types", () => {
  const Tag = small.struct("Tag", { id: small.i32 });
  const boxed = Tag.as((box: { tag: { id: number } }) => box.tag, (tag) => ({ tag }));
  const codec = small.codec(small.tuple(small.list(small.ref(boxed)), small.list(small.ref(Tag))));
  const box = { tag: { id: 7 } };
  const message = codec.encode([[box, box], [box.tag]]);
  assert.equal(toHex(message), toHex(pack.codec(pack.tuple(pack.list(pack.ref(boxed)), pack.list(pack.ref(Tag)))).encode([[box, box], [box.tag]])));
  const [boxes, tags] = codec.decode(message);
  assert.deepEqual([boxes, tags], [[box, box], [box.tag]]);
  assert.equal(boxes[0], boxes[1]);
  assert.equal(boxes[0]!.tag, tags[0]);
});

test("the small codec reads a Buffer of Node, and keeps none of it", () => {
  const codec = small.codec(small.struct("All", { f: small.f64, fs: small.list(small.f32), array: small.array(small.f64), bytes: small.bytes, any: small.any, text: small.string }));
  const value = { f: 0.5, fs: [1.5, 2], array: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), bytes: Uint8Array.of(1, 2), any: [Float32Array.of(3), Uint8Array.of(4)], text: "\u65e5\u672c \u20ac5" };
  const buffer = Buffer.from([0, ...codec.encode(value)]).subarray(1);
  const again = codec.decode(buffer);
  buffer.fill(0);
  assert.deepEqual(again, value);
});

test("errors of writing are those of the fast codec", () => {
  const type = small.struct("Book", { year: small.i32, tags: small.list(small.u64AsNumber), cover: small.option(small.bytes) });
  const wrong: unknown[] = [null, { year: 1.5, tags: [] }, { year: 2 ** 40, tags: [] }, { year: 1, tags: [1, 2 ** 60] }, { year: 1, tags: [], cover: "x" }];
  const message = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return String(error);
    }
    return "no error";
  };
  for (const value of wrong) {
    assert.equal(message(() => small.codec(type).encode(value as never)), message(() => pack.codec(type).encode(value as never)));
  }
  assert.match(message(() => small.codec(type, { eval: false } as never)), /no option eval/);
});
