import assert from "node:assert/strict";
import { test } from "node:test";
import { gathered, scattered } from "./faces.js";
import type { Plain } from "./faces.js";
import { googleProtobuf } from "./google-protobuf.js";
import { protobufEs } from "./protobuf-es.js";
import { tsProto } from "./ts-proto.js";

const SIDES = [...protobufEs, ...tsProto, ...googleProtobuf];

const small: Plain = { text: "", numbers: [], weights: {}, tone: 0 };
const rich: Plain = { text: "héllo \u{1f600}", numbers: [0, -1, 2_147_483_647, -2_147_483_648], weights: { a: 0.5, "b c": -2 }, tone: 1, raw: "00ff80" };
const deep: Plain = { text: "deep", numbers: [7, 8, 9], weights: { pi: Math.PI }, tone: 0, inner: { ...rich, numbers: [1] } };
const large: Plain = { text: "x".repeat(100_000), numbers: Array.from({ length: 20_000 }, (_, at) => at), weights: {}, tone: 1 };

// Every generator's code serves every other's, in both faces.
for (const server of SIDES) {
  test(`served by ${server.name}: all four shapes, asked by every generator's code in both faces`, async (context) => {
    const served = await server.serve();
    context.after(() => served.close());
    for (const client of SIDES) {
      const caller = client.call(`127.0.0.1:${served.port}`);
      context.after(() => { caller.close(); });
      for (const note of [small, rich, deep, large]) assert.deepEqual(await caller.echo(note), note, client.name);
      assert.deepEqual(await caller.gather([rich, deep, small]), gathered([rich, deep, small]), client.name);
      assert.deepEqual(await caller.scatter(deep), scattered(deep), client.name);
      assert.deepEqual(await caller.scatter(small), [], client.name);
      assert.deepEqual(await caller.converse([deep, rich, small, large]), [deep, rich, small, large], client.name);
    }
  });
}
