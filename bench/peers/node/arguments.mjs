// The command line that every runner of the lab answers.

import { parseArgs } from "node:util";

/** `PEER WORKLOAD --warm S --samples N --sample S`, seconds. */
export function parse(words) {
  const options = { warm: { type: "string" }, samples: { type: "string" }, sample: { type: "string" } };
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const { warm = 0.8, samples = 5, sample = 0.05 } = values;
  return { name: positionals[0], shape: positionals[1], plan: { warm: Number(warm), samples: Number(samples), sample: Number(sample) } };
}

/** What `list` prints, from peers with their workloads. */
export function named(peers) {
  return { peers: Object.fromEntries(Object.entries(peers).map(([name, workloads]) => [name, { workloads }])) };
}
