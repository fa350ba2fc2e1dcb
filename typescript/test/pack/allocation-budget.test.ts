/**
 * False counts: what they make a decoder allocate is proportional to the message, in any nesting.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import * as pack from "../../src/pack/index.js";

const MODES = [true, false];
const LENGTH = 1 << 20;
/** As a tag, a token and a number of an `any`: nothing, a text of UTF-8, and 5. */
const NO_VALUE = 0x7e;
const FIVE = 0x85;
/** Of the engine's memory: what section 12 allows a message of that length in arrays, and half as much for all else. */
const MEGABYTES = 96;

/**
 * A message of counts, each of as many elements as there are bytes behind it, and then of nothing but the byte `rest`.
 */
function falseCounts(levels: number, before: number[], after: number[], rest = NO_VALUE): Uint8Array {
  const message = new Uint8Array(LENGTH).fill(rest);
  message[0] = 0x80;
  let at = 1;
  for (let level = 0; level < levels; level++) {
    message.set(before, at);
    at += before.length;
    const count = LENGTH - at - 3 - after.length;
    message.set([(count & 127) | 128, ((count >> 7) & 127) | 128, count >> 14, ...after], at);
    at += 3 + after.length;
  }
  return message;
}

/** As above with maps: half of the remaining bytes are the keys of one. */
function falseKeyCounts(levels: number, before: number[]): Uint8Array {
  const message = new Uint8Array(LENGTH).fill(NO_VALUE);
  message[0] = 0x80;
  let at = 1;
  for (let level = 0; level < levels; level++) {
    message.set(before, at);
    at += before.length;
    const count = (LENGTH - at - 3) >> 1;
    message.set([(count & 127) | 128, ((count >> 7) & 127) | 128, count >> 14], at);
    message.fill(FIVE, at + 3, at + 3 + count);
    at += 3 + count;
  }
  return message;
}

/**
 * Decodes messages in an engine of its own with little memory: one that runs out of it fails the test, and no other.
 */
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.library).then((pack) => {
    for (const { schema, evaluate, message } of workerData.messages) {
      try {
        pack.codec(pack.parse(schema), { eval: evaluate, limits: { depth: 1000, items: 2 ** 31 - 1 } }).decode(message);
        parentPort.postMessage(schema + ": no error");
      } catch (error) {
        parentPort.postMessage(error instanceof pack.SamewireError ? "refused" : schema + ": " + error);
      }
    }
  });
`;

async function outcomes(messages: readonly { schema: string; evaluate: boolean; message: Uint8Array }[]): Promise<string[]> {
  const workerData = { library: new URL("../../src/pack/index.js", import.meta.url).href, messages };
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 8 };
  const worker = new Worker(WORKER, { eval: true, workerData, resourceLimits });
  const given: string[] = [];
  return new Promise((resolve, reject) => {
    worker.on("message", (outcome: string) => { given.push(outcome); });
    worker.on("error", (error) => { reject(new Error(`after ${given.length} of ${messages.length}, ${messages[given.length]?.schema ?? ""}`, { cause: error })); });
    worker.on("exit", () => { resolve(given); });
  });
}

const NESTED: readonly [schema: string, before: number[], after: number[]][] = [
  ["any", [8], []],
  // A map of one entry between any two lists.
  ["any", [8], [9, 1, 0x80]],
  ["list<any>", [], [8]],
  ["struct Bough { kids: list<Bough> }", [], []],
  ["struct Knot { ends: tuple<list<Knot>, bool> }", [0], []],
  ["list<list<list<list<string>>>>", [], []],
  ["list<list<list<list<i64>>>>", [], []],
];

test("nested false counts do not add up", async () => {
  const messages = NESTED.flatMap(([schema, before, after]) =>
    [1, 60, 900].flatMap((levels) => MODES.map((evaluate) => ({ schema, evaluate, message: falseCounts(levels, before, after) }))),
  );
  for (const evaluate of MODES) {
    messages.push({ schema: "any", evaluate, message: falseKeyCounts(5, [9]) });
    messages.push({ schema: "struct Gate { gates: map<u8, Gate> }", evaluate, message: falseKeyCounts(5, []) });
  }
  assert.deepEqual(await outcomes(messages), messages.map(() => "refused"));
});

test("does not make structs of missing bytes", async () => {
  const fields = Array.from({ length: 100 }, (_, i) => `f${i}: ${["u8", "i8", "u32"][i % 3]!}`).join(", ");
  const schemas = [
    `list<struct Wide { ${fields} }>`,
    `list<option<struct Wide { ${fields} }>>`,
    `list<struct Outer { wide: struct Wide { ${fields} } }>`,
    `list<tuple<${new Array<string>(100).fill("u8").join(", ")}>>`,
  ];
  const messages = schemas.flatMap((schema) => MODES.map((evaluate) => ({ schema, evaluate, message: falseCounts(1, [], [], 1) })));
  assert.deepEqual(await outcomes(messages), messages.map(() => "refused"));
});

test("does not make nested structs of missing bytes", () => {
  let schema = "struct S0 { a: u8, b: u8 }";
  for (let i = 1; i < 40; i++) schema = `struct S${i} { a: ${schema}, b: S${i - 1} }`;
  for (const evaluate of MODES) {
    const message = Uint8Array.of(0x80, 1, 2, 3);
    const codec = pack.codec(pack.parse(schema), { eval: evaluate });
    assert.throws(() => codec.decode(message), { code: "limit_items", at: 1 });
    const raised = pack.codec(pack.parse(schema), { eval: evaluate, limits: { cells: 2 ** 52 } });
    assert.throws(() => raised.decode(message), { code: "truncated", at: 4 });
  }
});

test("rows that fill their message round-trip", () => {
  const bits = pack.list(pack.option(pack.list(pack.option(pack.list(pack.bool)))));
  const inner = [new Array<boolean>(8_000).fill(true), ...new Array<null>(7_999).fill(null)];
  const outer = [...new Array<null>(7_999).fill(null), inner];
  const anys = new Array<pack.AnyValue>(1_000).fill([]);
  for (const evaluate of MODES) {
    const nested = pack.codec(bits, { eval: evaluate });
    assert.deepEqual(nested.decode(nested.encode(outer)), outer);
    const any = pack.codec(pack.any, { eval: evaluate });
    assert.deepEqual(any.decode(any.encode(anys)), anys);
  }
});

test("a skipped struct that is read again claims its bytes once", () => {
  const bag = "struct Bag { other: option<ref<Bag>>, texts: list<string> }";
  const writer = pack.codec(pack.parse(`struct S { first: ref<${bag}>, second: ref<Bag>, third: ref<Bag>, kept: list<ref<Bag>> }`));
  const texts = new Array<string>(1_000).fill("");
  const first = { other: null, texts };
  const second = { other: first, texts };
  const third = { other: second, texts };
  const message = writer.encode({ first, second, third, kept: [third, second, third] });
  for (const evaluate of MODES) {
    const reader = pack.codec(pack.parse(`struct S { kept: list<ref<${bag}>> }`), { eval: evaluate }).resolve(writer.schema);
    const { kept } = reader.decode(message) as { kept: (typeof third)[] };
    assert.deepEqual(kept, [third, second, third]);
    assert.equal(kept[2], kept[0]);
    assert.equal(kept[1], kept[0]!.other);
  }
});
