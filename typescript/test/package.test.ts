import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as all from "samewire";
import * as core from "samewire/core";
import * as grpc from "samewire/grpc";
import { packService } from "samewire/grpc/pack";
import * as packServices from "samewire/grpc/pack";
import * as pack from "samewire/pack";
import * as small from "samewire/pack/small";
import * as coreModules from "../src/core/index.js";
import * as grpcModules from "../src/grpc/index.js";
import * as packServiceModules from "../src/grpc/modern/pack-service.js";
import * as rootModules from "../src/index.js";
import * as packModules from "../src/pack/index.js";
import * as smallModules from "../src/pack/small.js";
import * as portable from "../src/portable.js";

const require = createRequire(import.meta.url);
const ENTRIES = [
  ["samewire", all, rootModules], ["samewire/core", core, coreModules], ["samewire/pack", pack, packModules],
  ["samewire/pack/small", small, smallModules],
  ["samewire/grpc", grpc, grpcModules], ["samewire/grpc/pack", packServices, packServiceModules],
] as const;

test("the bundles export what the modules export, and themselves as `default`", () => {
  for (const [name, bundle, modules] of ENTRIES) assert.deepEqual(Object.keys(bundle), [...Object.keys(modules), "default"].sort(), name);
});

test("`require` and `import` reach one module, whose functions can be replaced", () => {
  for (const [name, bundle] of ENTRIES) {
    const required = require(name) as Record<string, unknown>;
    assert.equal(bundle.default, required, name);
    assert.equal(required["default"], required, name);
    assert.equal(required["__esModule"], true, name);
    for (const key of Object.keys(bundle).filter((key) => key !== "default")) {
      assert.equal(required[key], (bundle as unknown as Record<string, unknown>)[key], `${name} ${key}`);
      const { configurable, enumerable, writable } = Object.getOwnPropertyDescriptor(required, key)!;
      assert.deepEqual({ configurable, enumerable, writable }, { configurable: true, enumerable: true, writable: true }, `${name} ${key}`);
    }
  }
});

test("classes of core and pack have the names that they are exported by", async () => {
  const browsers = await Promise.all(["core", "pack"].map(async (part) => (await import(new URL(`../lib/${part}/index.js`, import.meta.url).href)) as object));
  for (const bundle of [core, pack, small, ...browsers]) {
    for (const [key, value] of Object.entries(bundle) as [string, unknown][]) {
      if (typeof value === "function" && /^class\b/.test(String(value))) assert.equal(value.name, key);
    }
  }
});

test("the package's page says how each type is declared", async () => {
  const page = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const functions = [pack.option, pack.list, pack.array, pack.set, pack.map, pack.tuple, pack.enumeration, pack.struct, pack.field, pack.union, pack.ref, pack.recursive, pack.tagged];
  for (const [key, value] of Object.entries(pack)) {
    if (value instanceof pack.Type || functions.some((made) => made === value)) assert.match(page, new RegExp(`\\bpack\\.${key}\\b`));
  }
});

test("the root has the parts, of which those without sockets are everywhere", async () => {
  assert.equal(all.grpc, grpc.default);
  assert.equal(all.pack, pack.default);
  const bundled = (await import(new URL("../lib/portable.js", import.meta.url).href)) as object;
  assert.deepEqual(Object.keys(bundled), [...Object.keys(portable), "default"].sort());
});

test("what bundlers take exports the same names", async () => {
  const { exports } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as { exports: Record<string, { node: { module: { default: string } } }> };
  for (const [name, bundle] of ENTRIES) {
    const file = exports[name.replace("samewire", ".")]!.node.module.default;
    const bundled = (await import(new URL(`../../${file}`, import.meta.url).href)) as Record<string, unknown>;
    assert.deepEqual(Object.keys(bundled), Object.keys(bundle), name);
    assert.equal(bundled["default"], bundled, name);
  }
});

test("the small codec has names of the fast one", () => {
  for (const key of Object.keys(small)) assert.ok(key in pack, key);
  assert.throws(() => small.codec(small.string).decode(new Uint8Array(0)), core.SamewireError);
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

test("each part is one file for Node, which takes most of a millisecond to load one", async () => {
  for (const [file, others] of [["core/index", []], ["pack/index", []], ["pack/small", []], ["grpc/index", []], ["grpc/modern/pack-service", ["../../pack/index"]]] as const) {
    const common = await readFile(new URL(`../node/${file}.cjs`, import.meta.url), "utf8");
    const required = Array.from(common.matchAll(/\brequire\("(.+?)"\)/g), (found) => found[1]!);
    assert.deepEqual(required.filter((name) => !name.startsWith("node:")), others.map((other) => `${other}.cjs`), file);
  }
});
