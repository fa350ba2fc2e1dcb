import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { runCase } from "./pack/cases.js";
import type { Case, Mode } from "./pack/cases.js";
import { runGrpcCase } from "./grpc/cases.js";
import type { GrpcCase } from "./grpc/cases.js";
import { runRecordsCase } from "./pack/records-cases.js";
import type { RecordsCase } from "./pack/records-cases.js";

const root = new URL("../../../", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** Every case passes in each of these. */
const MODES: readonly Mode[] = [
  { turn: 0, eval: true, typed: false, views: false, detach: false },
  { turn: 1, eval: false, typed: false, views: false, detach: true },
  { turn: 2, eval: true, typed: true, views: true, detach: true },
  { turn: 3, eval: false, typed: true, views: true, detach: false },
];

const manifest = read("spec/vectors/MANIFEST.json") as { files: Record<string, number>; only: { typescript: Record<string, number> } };
interface Named {
  readonly name: string;
}

/** Cases that passed, in every mode. */
const executed: Record<string, number> = {};

/** Runs all cases of a file, which are `count`. */
function runFile(file: string, count: number, run: (vector: Named) => Promise<void> | void): void {
  test(file, async () => {
    const { cases } = read(`spec/vectors/${file}`) as { cases: Named[] };
    const failures: string[] = [];
    let passed = 0;
    for (const vector of cases) {
      try {
        await run(vector);
        passed++;
      } catch (error) {
        failures.push(`${vector.name}: ${inspect(error)}`);
      }
    }
    executed[file] = passed;
    assert.deepEqual(failures.slice(0, 20), [], `${failures.length} failures`);
    assert.equal(passed, count);
  });
}

function runInEveryMode(vector: Case): void {
  for (const mode of MODES) {
    try {
      runCase(vector, mode);
    } catch (error) {
      throw new Error(JSON.stringify(mode), { cause: error });
    }
  }
}

for (const [file, count] of Object.entries(manifest.files)) runFile(file, count, (vector) => { runInEveryMode(vector as Case); });
for (const [file, count] of Object.entries(manifest.only.typescript)) {
  if (file.startsWith("columns/")) runFile(file, count, (vector) => { runInEveryMode(vector as Case); });
  else if (file.startsWith("records/")) runFile(file, count, (vector) => runRecordsCase(vector as RecordsCase));
  else runFile(file, count, (vector) => { runGrpcCase(vector as GrpcCase); });
}

after(() => {
  const folder = new URL("build/executed/", root);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("typescript.json", folder), `${JSON.stringify({ language: "typescript", vectors: executed }, undefined, 1)}\n`);
});
