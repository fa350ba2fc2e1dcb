/**
 * The TypeScript side of the producer × consumer matrix; protocol in `spec/matrix/README.md`.
 *
 *     peer.js encode   SCHEMAS VALUES OUT
 *     peer.js reencode SCHEMAS VALUES IN OUT
 */
import { readFileSync, writeFileSync } from "node:fs";
import * as pack from "../../src/pack/index.js";
import { fromHex, fromNotation, toHex } from "./notation.js";
import type { Notation } from "./notation.js";

interface Line {
  schema: string;
  profile: pack.Profile;
  value: Notation;
}

const [action, schemasPath, valuesPath, ...rest] = process.argv.slice(2);
const outPath = rest.at(-1);
const usage = (action === "encode" && rest.length === 1) || (action === "reencode" && rest.length === 2);
if (!usage || schemasPath === undefined || valuesPath === undefined || outPath === undefined) {
  process.stderr.write("usage: peer encode SCHEMAS VALUES OUT | peer reencode SCHEMAS VALUES IN OUT\n");
  process.exit(2);
}

const lines = (path: string): string[] => readFileSync(path, "utf8").split("\n").slice(0, -1);
const schemas = new Map((JSON.parse(readFileSync(schemasPath, "utf8")) as { id: string; schema: string }[]).map(({ id, schema }) => [id, schema]));
const codecs = new Map<string, pack.Codec<unknown>>();

function codecFor({ schema, profile }: Line): pack.Codec<unknown> {
  const key = `${profile} ${schema}`;
  let codec = codecs.get(key);
  if (codec === undefined) {
    const text = schemas.get(schema);
    if (text === undefined) throw new Error(`no schema ${schema}`);
    codecs.set(key, (codec = pack.codec(pack.parse(text), { profile })));
  }
  return codec;
}

function outcome(run: () => Uint8Array): string {
  try {
    return toHex(run());
  } catch (error) {
    if (error instanceof pack.SamewireError) return `error ${error.code} ${error.path ?? "-"}`;
    throw error;
  }
}

const messages = action === "reencode" ? lines(rest[0]!) : [];
const outcomes = lines(valuesPath).map((text, i) => {
  const line = JSON.parse(text) as Line;
  const codec = codecFor(line);
  return outcome(() => {
    const message = messages[i];
    return codec.encode(message === undefined ? fromNotation(codec.schema.tree.root, line.value) : codec.decode(fromHex(message)));
  });
});
writeFileSync(outPath, outcomes.map((line) => `${line}\n`).join(""));
