// The command line that every runner of the lab takes.

import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

/** `PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]`, seconds. `own`: the three files of the user's value. */
export function parse(words) {
  const text = { type: "string" };
  const options = { warm: text, samples: text, sample: text, data: text, schema: text };
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const { warm = 0.8, samples = 5, sample = 0.05, data, schema } = values;
  const plan = { warm: Number(warm), samples: Number(samples), sample: Number(sample) };
  return { name: positionals[0], plan, shape: positionals[1], own: data && { data, schema, message: join(dirname(data), "value.pack") } };
}
