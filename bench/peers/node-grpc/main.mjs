// `node main.mjs list` names what there is; `… PEER WORKLOAD --warm S --samples N --sample S` measures one.
// Output is one JSON object a line, as bench/lab/protocol.py says.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { betweenEnds } from "./ends.mjs";
import { libraries } from "./libraries.mjs";
import { fault, load, resident, scratch, start } from "./load.mjs";
import { SERVERS, missing, started } from "./servers.mjs";

/** Servers under h2load: how many connections, how many calls open on each. */
const LOADS = {
  "c10-m50": { connections: 10, streams: 50, tls: false },
  "c1-m100": { connections: 1, streams: 100, tls: false },
  "c100-m1": { connections: 100, streams: 1, tls: false },
  "tls-c10-m50": { connections: 10, streams: 50, tls: true },
};
/** A library's client and its own server: what counts are multiples of, and how many messages to begin with. */
const ENDS = {
  "unary-100": { multiple: 100, first: 2_000 },
  "unary-1": { multiple: 1, first: 500 },
  "unary-1MB": { multiple: 2, first: 4 },
  "unary-64MB": { multiple: 1, first: 1 },
  "server-stream": { multiple: 10_000, first: 10_000 },
  "bidi-100": { multiple: 100, first: 2_000 },
  "bidi-1": { multiple: 1, first: 500 },
};
/** A sample of load is that many times as long as one of a codec: what runs has to come into its stride. */
const STRETCH = 20;
const PROBE = 2_000;

function list() {
  const harness = /h2load \S+/.exec(execFileSync("h2load", ["--version"], { encoding: "utf8" }))[0];
  const about = ([name, server]) => [
    name,
    {
      workloads: [...Object.keys(LOADS), ...(name in libraries ? Object.keys(ENDS) : [])],
      version: server.version(),
      kind: server.kind,
      checks: server.checks,
      trusted: false,
      missing: missing(server),
    },
  ];
  return { harness, peers: Object.fromEntries(Object.entries(SERVERS).map(about)) };
}

/** How many messages take that long, in multiples of those that are open at once: all of them end together. */
const countFor = (seconds, wall, multiple) => Math.max(1, Math.round((seconds * 1e9) / wall / multiple)) * multiple;

/** Warms up and takes samples of `once(count)`; prints them. */
async function sampled(once, first, multiple, plan, print) {
  let last = await once(first);
  for (const end = performance.now() + plan.warm * 1e3; performance.now() < end; ) last = await once(countFor(plan.warm / 2, last.wall, multiple));
  const samples = [];
  while (samples.length < plan.samples) {
    last = await once(countFor(plan.sample * STRETCH, last.wall, multiple));
    samples.push(last);
  }
  print({ op: "call", unit: "ns/op", cpu: samples.map(({ cpu }) => cpu), wall: samples.map(({ wall }) => wall) });
  return samples;
}

async function underLoad(name, { connections, streams, tls }, plan, print) {
  const files = scratch(tls);
  const server = await start(started(SERVERS[name], files.tls));
  try {
    const wrong = await fault(server.port, files.tls);
    if (wrong !== null) return print({ wrong });
    const open = connections * streams;
    const once = (count) => load(server, { connections, streams }, count, files.body, files.tls);
    await sampled(once, Math.ceil(PROBE / open) * open, open, plan, print);
    print({ stats: { rss: resident(server.pid) } });
  } finally {
    server.stop();
    files.remove();
  }
}

async function ends(name, shape, plan, print) {
  const { multiple, first } = ENDS[shape];
  await betweenEnds(name, shape, async (exchange, pid) => {
    const samples = await sampled(exchange, first, multiple, plan, print);
    const slowest = samples.map(({ p99 }) => p99).sort((a, b) => a - b);
    print({ stats: { rss: resident(pid), p99: slowest[slowest.length >> 1] } });
  });
}

const text = { type: "string" };
const { values, positionals } = parseArgs({ allowPositionals: true, options: { warm: text, samples: text, sample: text } });
const [name, workload] = positionals;
const print = (line) => console.log(JSON.stringify(line));
if (name === "list") print(list());
else {
  const plan = { warm: Number(values.warm), samples: Number(values.samples), sample: Number(values.sample) };
  print({ version: SERVERS[name].version() });
  const measured = workload in ENDS ? ends(name, workload, plan, print) : underLoad(name, LOADS[workload], plan, print);
  await measured.catch((error) => print({ failed: error.message }));
}
