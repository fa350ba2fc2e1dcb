// The command line that every runner of the lab answers.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { make } from "./reference.mjs";

/** `PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]`, seconds. */
export async function parse(words) {
  const text = { type: "string" };
  const options = { warm: text, samples: text, sample: text, data: text, schema: text };
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const { warm = 0.8, samples = 5, sample = 0.05, data, schema } = values;
  const plan = { warm: Number(warm), samples: Number(samples), sample: Number(sample) };
  return { name: positionals[0], plan, shape: positionals[1], own: data && { data, schema } };
}

/** A workload: `name` and `value`; of the user's own data also the `schema`'s text and the value as Samewire's `message`. */
export async function workload(shape, own) {
  if (!own) return { name: shape, value: make(shape) };
  const value = JSON.parse(await readFile(own.data, "utf8"));
  const message = new Uint8Array(await readFile(join(dirname(own.data), "value.pack")));
  return { name: "data", own: true, value, schema: await readFile(own.schema, "utf8"), message };
}
