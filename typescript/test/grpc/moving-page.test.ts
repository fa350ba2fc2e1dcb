import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "node:test";

const PAGE = new URL("../../../../docs/moving/grpc-js.md", import.meta.url);

// Within the package, so that its own name and grpc-js are found.
const HERE = fileURLToPath(new URL(".", import.meta.url));

test("the programs of docs/moving/grpc-js.md, on grpc-js and here, print what the page says", async (context) => {
  const page = await readFile(PAGE, "utf8");
  const [, proto] = /^```proto\n(.*?)^```$/ms.exec(page) ?? [];
  assert.ok(proto !== undefined);
  const folder = await mkdtemp(join(HERE, "page-"));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "library.proto"), proto);
  const programs = [...page.matchAll(/^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms)];
  assert.equal(programs.length, 3);
  const [before, after] = programs.map(([, program = ""]) => program);
  assert.equal(before?.replace("@grpc/grpc-js", "samewire/grpc"), after);
  for (const [, program = "", expected] of programs) {
    await writeFile(join(folder, "program.mjs"), program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder, timeout: 60_000 });
    assert.equal(stderr, "");
    assert.equal(stdout, expected);
  }
});
