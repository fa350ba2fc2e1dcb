import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as pack from "../../src/pack/index.js";
import { nested, text } from "./arbitrary.js";

const typed = nested.chain(({ type, values }) => fc.tuple(fc.constant(type), fc.array(values, { minLength: 1, maxLength: 3 })));
/** Sets come back in the order of the bytes. */
const RUNS = { numRuns: 200 };

test("random values round-trip in every profile, by generated code and closures", () => {
  fc.assert(
    fc.property(typed, ([type, values]) => {
      for (const profile of ["compact", "fast"] as const) {
        const generated = pack.codec(type, { profile, eval: true });
        const closed = pack.codec(type, { profile, eval: false, detach: true });
        const output = new pack.Output(0);
        for (const value of values) {
          const message = generated.encode(value);
          assert.deepEqual(closed.encode(value), message);
          assert.deepEqual(generated.decode(message), value);
          assert.deepEqual(closed.decode(message), value);
          output.clear();
          generated.encodeInto(value, output);
          assert.deepEqual(Buffer.from(output.bytes), Buffer.from(message));
        }
      }
    }),
    RUNS,
  );
});

test("a codec of parsed schema text reads what a native one writes", () => {
  fc.assert(
    fc.property(typed, ([type, values]) => {
      const codec = pack.codec(type);
      const parsed = pack.codec(pack.parse(codec.schema.text));
      assert.equal(parsed.digest, codec.digest);
      for (const value of values) {
        const message = codec.encode(value);
        assert.deepEqual(parsed.encode(parsed.decode(message)), message);
        assert.deepEqual(codec.resolve(parsed.schema).decode(message), value);
      }
    }),
    RUNS,
  );
});

test("rejects a lone surrogate anywhere with bad_utf8", () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom("\ud800", "\udfff", "\udc00\ud800"), (before, after, lone) => {
      const codec = pack.codec(pack.map(pack.string, pack.list(pack.string)));
      const value = new Map([["k", ["fine", before + lone + after]]]);
      assert.throws(() => codec.encode(value), { code: "bad_utf8", path: "$[0].value[1]" });
    }),
    RUNS,
  );
});

test("shared structs round-trip", () => {
  const Tag = pack.struct("Tag", { name: pack.string });
  const codec = pack.codec(pack.list(pack.ref(Tag)));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 }), (choices) => {
      const tags = Array.from({ length: 5 }, (_, i) => ({ name: `tag ${i % 3}` }));
      const decoded = codec.decode(codec.encode(choices.map((choice) => tags[choice]!)));
      choices.forEach((choice, i) => {
        choices.forEach((other, k) => { assert.equal(decoded[i] === decoded[k], choice === other); });
      });
    }),
    RUNS,
  );
});
