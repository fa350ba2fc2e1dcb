// Servers under h2load: `node main.mjs list` names them; `… SERVER WORKLOAD --warm S --samples N --sample S` loads one of them.
// Output is one JSON object a line, as bench/lab/protocol.py says.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { fault, load, resident, scratch, start } from "./load.mjs";
import { SERVERS, missing, started } from "./servers.mjs";

/** By name: how many connections, how many calls open on each. */
const WORKLOADS = {
  "c10-m50": { connections: 10, streams: 50, tls: false },
  "c1-m100": { connections: 1, streams: 100, tls: false },
  "c100-m1": { connections: 100, streams: 1, tls: false },
  "tls-c10-m50": { connections: 10, streams: 50, tls: true },
};
/** A sample of load is that many times as long as one of a codec: a server has to come into its stride. */
const STRETCH = 20;
const PROBE = 2_000;

function list() {
  const harness = /h2load \S+/.exec(execFileSync("h2load", ["--version"], { encoding: "utf8" }))[0];
  const workloads = Object.keys(WORKLOADS);
  const about = ([name, server]) => [
    name,
    { workloads, version: server.version(), kind: server.kind, checks: server.checks, trusted: false, missing: missing(server) },
  ];
  return { harness, peers: Object.fromEntries(Object.entries(SERVERS).map(about)) };
}

/** How many requests take that long; a multiple of the calls that are open at once, so that all of them end together. */
function countFor(seconds, wall, { connections, streams }) {
  const open = connections * streams;
  return Math.max(1, Math.round((seconds * 1e9) / wall / open)) * open;
}

async function run(name, workload, plan, print) {
  const shape = WORKLOADS[workload];
  const files = scratch(shape.tls);
  const server = await start(started(SERVERS[name], files.tls));
  try {
    const wrong = await fault(server.port, files.tls);
    if (wrong !== null) return print({ wrong });
    print({ version: SERVERS[name].version() });
    const once = (seconds, wall) => load(server, shape, countFor(seconds, wall, shape), files.body, files.tls);
    let last = await load(server, shape, Math.ceil(PROBE / (shape.connections * shape.streams)) * shape.connections * shape.streams, files.body, files.tls);
    for (const end = performance.now() + plan.warm * 1e3; performance.now() < end; ) last = await once(plan.warm / 2, last.wall);
    const samples = [];
    for (let taken = 0; taken < plan.samples; taken++) {
      last = await once(plan.sample * STRETCH, last.wall);
      samples.push(last);
    }
    print({ op: "call", unit: "ns/op", cpu: samples.map(({ cpu }) => cpu), wall: samples.map(({ wall }) => wall) });
    print({ stats: { rss: resident(server.pid) } });
  } finally {
    server.stop();
    files.remove();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { warm: { type: "string" }, samples: { type: "string" }, sample: { type: "string" } },
});
const [name, workload] = positionals;
const print = (line) => console.log(JSON.stringify(line));
if (name === "list") print(list());
else {
  const plan = { warm: Number(values.warm), samples: Number(values.samples), sample: Number(values.sample) };
  await run(name, workload, plan, print).catch((error) => print({ failed: error.message }));
}
