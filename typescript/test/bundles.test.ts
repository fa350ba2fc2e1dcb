import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { build } from "esbuild";

// Bytes of what a bundler makes for a browser. They depend on the sources and on esbuild's version alone.

const resolveDir = fileURLToPath(new URL("../../test/", import.meta.url));

/** The program's bundle for browsers, minified. */
async function bundled(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir }, bundle: true, minify: true, format: "esm", platform: "browser", write: false, logLevel: "error",
  });
  return outputFiles[0]!.contents;
}

test("a bundle holds nothing of parts that a program only loads", async () => {
  for (const entry of ["samewire", "samewire/core", "samewire/pack"]) assert.equal((await bundled(`import "${entry}";`)).length, 0, entry);
});

test("a bundle holds nothing of codecs where a program only makes types", async () => {
  const types = await bundled('import { struct, i32 } from "samewire/pack"; export const Point = struct("Point", { x: i32 });');
  assert.ok(types.length <= 8_000, `${types.length} bytes`);
});
