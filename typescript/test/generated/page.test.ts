import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "node:test";
import { protobufEs } from "./protobuf-es.js";

test("the example of docs/moving/grpc-js.md compiles and runs as it is printed", async (context) => {
  const [side] = protobufEs;
  assert.ok(side !== undefined);
  const served = await side.serve();
  context.after(() => served.close());
  const text = await readFile(new URL("page/example.js", import.meta.url), "utf8");
  assert.equal(text.split('"localhost:50051"').length, 3);
  // All but the port is as printed: the tests' servers take any that is free.
  const program = new URL(`page/example-${process.pid}.js`, import.meta.url);
  await writeFile(program, text.replaceAll("localhost:50051", `127.0.0.1:${served.port}`));
  context.after(() => rm(program));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [fileURLToPath(program)], { timeout: 60_000 });
  assert.equal(stderr, "");
  assert.deepEqual(stdout.trimEnd().split("\n"), ["hello", "[ 1 ]", "[ 2 ]", "hello"]);
});
