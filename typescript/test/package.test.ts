import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as core from "samewire/core";
import * as grpc from "samewire/grpc";
import { packService } from "samewire/grpc/pack";
import * as pack from "samewire/pack";
import * as coreModules from "../src/core/index.js";
import * as grpcModules from "../src/grpc/index.js";
import * as packModules from "../src/pack/index.js";

test("the bundles export what the modules export", () => {
  assert.deepEqual(Object.keys(core), Object.keys(coreModules));
  assert.deepEqual(Object.keys(pack), Object.keys(packModules));
  assert.deepEqual(Object.keys(grpc), Object.keys(grpcModules));
});

test("the bundles share their types", () => {
  const { Get } = packService("books.Shelf", { Get: { request: pack.string, response: pack.list(pack.i32) } });
  assert.equal(Get.requestDeserialize(Get.requestSerialize("Carrie")), "Carrie");
  assert.deepEqual(Get.responseDeserialize(Get.responseSerialize([1, 974])), [1, 974]);
});

test("pack's errors are core's, and a codec writes to core's output", () => {
  const codec = pack.codec(pack.string);
  assert.throws(() => codec.decode(new Uint8Array(0)), core.SamewireError);
  const output = new core.Output();
  codec.encodeInto("Carrie", output);
  assert.equal(codec.decode(output.bytes), "Carrie");
});

test("each part is one file: loading a file takes Node most of a millisecond", async () => {
  for (const [file, others] of [["core/index.js", []], ["pack/index.js", []], ["grpc/index.js", []], ["grpc/modern/pack-service.js", ["../../pack/index.js"]]] as const) {
    const text = await readFile(new URL(`../lib/${file}`, import.meta.url), "utf8");
    const imported = Array.from(text.matchAll(/^(?:import|export) [^;]*? from "(.+)";$/gm), (found) => found[1]!);
    assert.deepEqual(imported.filter((name) => !name.startsWith("node:")), others, file);
  }
});
