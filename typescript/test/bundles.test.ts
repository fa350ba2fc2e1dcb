import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
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

test("a bundle holds nothing of columns where a program takes none", async () => {
  const made = 'const type = pack.list(pack.struct("Book", { year: pack.i32 }));';
  const plain = await bundled(`import * as pack from "samewire/pack"; ${made} export const codec = pack.codec(type);`);
  const table = await bundled(`import * as pack from "samewire/pack"; ${made} export const codec = pack.tableCodec(type);`);
  const text = (bundle: Uint8Array): string => new TextDecoder().decode(bundle);
  assert.ok(text(table).includes("toMilliseconds"));
  assert.ok(!text(plain).includes("toMilliseconds"));
  const [less, more] = [plain, table].map((bundle) => gzipSync(bundle, { level: 9 }).length);
  assert.ok(more! - less! <= 6_000, `${more! - less!} bytes`);
});

/** A program that encodes and decodes one value of a struct, with further fields. */
const program = (more: string): string =>
  `import * as pack from "samewire/pack/small"; export const codec = pack.codec(pack.struct("Book", { year: pack.i32, name: pack.string, ${more} }));`;

// Bounds, which a change of the codecs may come close to: a struct of numbers and texts must stay within 20 kB.
for (const [what, more, most] of [
  ["a struct", "", 20_000],
  ["lists and maps", "tags: pack.list(pack.string), by: pack.map(pack.i32, pack.f64)", 27_000],
  ["an any", "extra: pack.any", 23_000],
] as const) {
  test(`the small codec of ${what} takes at most ${most} bytes, minified and gzipped`, async () => {
    const bundle = await bundled(program(more));
    const { length } = gzipSync(bundle, { level: 9 });
    assert.ok(length <= most, `${length} bytes, ${bundle.length} before gzip`);
  });
}
