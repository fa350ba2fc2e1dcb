import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { runCase } from "./cases.js";
import type { Case, Mode } from "./cases.js";
import { runGrpcCase } from "./grpc/cases.js";
import type { GrpcCase } from "./grpc/cases.js";

const root = new URL("../../../", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** Every case passes in each of these. */
const MODES: readonly Mode[] = [
  { eval: true, typed: false, views: false, detach: false },
  { eval: false, typed: false, views: false, detach: true },
  { eval: true, typed: true, views: true, detach: true },
  { eval: false, typed: true, views: true, detach: false },
];

const manifest = read("spec/vectors/MANIFEST.json") as { files: Record<string, number>; only: { typescript: Record<string, number> } };
const executed: Record<string, number> = {};

for (const file of Object.keys(manifest.files)) {
  test(file, () => {
    const { cases } = read(`spec/vectors/${file}`) as { cases: Case[] };
    const failures: string[] = [];
    for (const vector of cases) {
      for (const mode of MODES) {
        try {
          runCase(vector, mode);
        } catch (error) {
          failures.push(`${vector.name} ${JSON.stringify(mode)}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        }
      }
    }
    assert.deepEqual(failures.slice(0, 20), [], `${failures.length} failures`);
    executed[file] = cases.length;
    assert.equal(cases.length, manifest.files[file]);
  });
}

for (const [file, count] of Object.entries(manifest.only.typescript)) {
  test(file, () => {
    const { cases } = read(`spec/vectors/${file}`) as { cases: GrpcCase[] };
    const failures: string[] = [];
    for (const vector of cases) {
      try {
        runGrpcCase(vector);
      } catch (error) {
        failures.push(`${vector.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
    assert.deepEqual(failures.slice(0, 20), [], `${failures.length} failures`);
    executed[file] = cases.length;
    assert.equal(cases.length, count);
  });
}

after(() => {
  const folder = new URL("build/executed/", root);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("typescript.json", folder), `${JSON.stringify({ language: "typescript", vectors: executed }, undefined, 1)}\n`);
});
