// `node main.mjs list` names what there is; `… PEER WORKLOAD --warm S --samples N --sample S` measures one.
// Output is one JSON object a line, as bench/lab/protocol.py says.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { CLIENTS } from "./clients.mjs";
import { betweenEnds } from "./ends.mjs";
import { EXCHANGES } from "./exchanges.mjs";
import { PERCENTILES } from "./latencies.mjs";
import { fault, load, scratch } from "./load.mjs";
import { MEMORY, held } from "./memory.mjs";
import { peak, resident, start } from "./processes.mjs";
import { costs, samplesOf, warmedUp } from "./sampling.mjs";
import { SERVERS } from "./servers.mjs";

/** Servers under h2load: how many connections, how many calls open on each. */
const LOADS = {
  "c10-m50": { connections: 10, streams: 50, tls: false },
  "c1-m100": { connections: 1, streams: 100, tls: false },
  "c100-m1": { connections: 100, streams: 1, tls: false },
  "tls-c10-m50": { connections: 10, streams: 50, tls: true },
};
/** Calls a second that grpc-js carries on two cores even while others use them too: at this load libraries are compared by their latency. */
const RATES = { steady: 1_000 };
/** Seconds of samples for which memory is measured in full. */
const FULL = 0.25;
const PROBE = 2_000;
/** So many requests at least on each connection that is made for a load: else what is measured is the making. */
const EACH = 50;
/** How many samples' messages are timed one by one, together. */
const TIMED = 3;
/** Seconds after which a process that hangs ends itself, and all that it started. */
const LONGEST = 300;

function list() {
  const harness = /h2load \S+/.exec(execFileSync("h2load", ["--version"], { encoding: "utf8" }))[0];
  const held = (name) => Object.keys(MEMORY).filter((workload) => MEMORY[workload].peers.includes(name));
  const about = ([name, server]) => {
    const missing = server.missing();
    const exchanged = Object.keys(EXCHANGES).filter((workload) => (EXCHANGES[workload].peers ?? Object.keys(CLIENTS)).includes(name));
    const ends = name in CLIENTS ? [...exchanged, ...Object.keys(RATES)] : [];
    const { kind, checks, only } = server;
    const every = [...Object.keys(LOADS), ...ends, ...held(name)];
    return [name, { workloads: every.filter((workload) => only?.includes(workload) ?? true), version: missing ? "" : server.version(), kind, checks, trusted: false, missing }];
  };
  return { harness, peers: Object.fromEntries(Object.entries(SERVERS).map(about)) };
}

async function underLoad(name, { connections, streams, tls }, plan, print) {
  const files = scratch(tls);
  const server = await start(await SERVERS[name].start(files));
  try {
    const wrong = await fault(server.port, files.tls);
    if (wrong !== null) return print({ wrong });
    const multiple = connections * streams;
    const once = (count) => load(server, { connections, streams }, count, files.body, files.tls);
    const first = Math.ceil(PROBE / multiple) * multiple;
    const count = await warmedUp(once, { first, multiple, least: EACH * connections }, SERVERS[name].compiles, plan);
    const samples = await samplesOf(once, count, plan);
    print(costs(samples));
    print({ stats: { rss: resident(server.pid), ...samples.at(-1).told } });
  } finally {
    server.stop();
    files.remove();
  }
}

/** The rows of percentiles: figures by sample. */
function percentiles(samples, print) {
  for (const name of Object.keys(PERCENTILES)) print({ op: name, unit: "ns", cpu: [], wall: samples.map(({ percentiles }) => percentiles[name]) });
}

async function ends(name, workload, plan, print) {
  await betweenEnds(name, workload, async (exchange, pid) => {
    const once = (count) => exchange({ count });
    const count = await warmedUp(once, EXCHANGES[workload], true, plan);
    print(costs(await samplesOf(once, count, plan)));
    print({ stats: { rss: resident(pid) } });
    if (EXCHANGES[workload].large) print({ op: "peak", unit: "B", cpu: [], wall: [peak(pid)] });
    // Apart from the samples of costs: reading the clock twice a call is a tenth of what a call costs.
    if (EXCHANGES[workload].timed) percentiles([await exchange({ count: count * TIMED, timed: true })], print);
  });
}

async function steady(name, rate, plan, print) {
  await betweenEnds(name, "unary-100", async (exchange) => {
    await warmedUp((count) => exchange({ count }), EXCHANGES["unary-100"], true, plan);
    const timed = (seconds) => exchange({ count: Math.round(rate * seconds), rate, timed: true });
    await timed(plan.warm / 8);
    percentiles([await timed(plan.samples)], print);
    print({ stats: { rate } });
  });
}

function measured(name, workload, plan, print) {
  if (workload in LOADS) return underLoad(name, LOADS[workload], plan, print);
  if (workload in RATES) return steady(name, RATES[workload], plan, print);
  if (workload in MEMORY) return held(name, workload, (plan.samples * plan.sample) / FULL, print);
  return ends(name, workload, plan, print);
}

const text = { type: "string" };
const { values, positionals } = parseArgs({ allowPositionals: true, options: { warm: text, samples: text, sample: text } });
const [name, workload] = positionals;
const print = (line) => console.log(JSON.stringify(line));
if (name === "list") print(list());
else {
  const late = () => {
    print({ failed: `no end within ${LONGEST} s` });
    process.exit();
  };
  setTimeout(late, LONGEST * 1e3).unref();
  const plan = { warm: Number(values.warm), samples: Number(values.samples), sample: Number(values.sample) };
  print({ version: SERVERS[name].version() });
  await measured(name, workload, plan, print).catch(({ message, status = "failed" }) => print({ [status]: message }));
  process.exit();
}
