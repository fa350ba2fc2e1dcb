// A server's resident memory: for an idle call, for an idle connection, and before and after very many calls.

import { setTimeout as sleep } from "node:timers/promises";
import { IdleConnection } from "./idle.mjs";
import { load, scratch } from "./load.mjs";
import { resident, start } from "./processes.mjs";
import { SERVERS } from "./servers.mjs";

const BIDI = "/EchoService/EchoBidiStream";
const UNARY = "/EchoService/Echo";
/** Milliseconds after which memory is read, and how often, so far apart. */
const SETTLED = 500, READINGS = 5, APART = 100;
/** Calls of a long run come in so many parts, no part longer than so many seconds. */
const PARTS = 20, LONGEST = 0.5;
const SHAPE = { connections: 10, streams: 50 };
/** How many connections are made at once. */
const TOGETHER = 50;

const median = (some) => [...some].sort((a, b) => a - b)[some.length >> 1];

async function settled(pid) {
  await sleep(SETTLED);
  const seen = [];
  for (; seen.length < READINGS; await sleep(APART)) seen.push(resident(pid));
  return median(seen);
}

/** So many connections that have had a call each. */
async function connected(port, count) {
  const made = [];
  while (made.length < count) {
    const some = Array.from({ length: Math.min(TOGETHER, count - made.length) }, () => new IdleConnection(port));
    await Promise.all(some.map((each) => each.begin(1, UNARY)));
    await Promise.all(some.map((each) => each.finish()));
    made.push(...some);
  }
  return made;
}

/** Calls on other connections before, so that what the server compiles and keeps for good is not counted. */
async function warmed(port) {
  const some = await connected(port, 10);
  await Promise.all(some.map((each) => each.begin(10, BIDI)));
  await Promise.all(some.map((each) => each.finish()));
  await Promise.all(some.map((each) => each.close()));
}

/** Bytes a call: 100 connections with so many open calls together, none of which has had a message. All are answered at the end. */
async function idleStreams({ pid, port }, scale) {
  const connections = await connected(port, 100);
  const each = Math.max(1, Math.round(1_000 * scale));
  const before = await settled(pid);
  for (const connection of connections) await connection.begin(each, BIDI);
  const after = await settled(pid);
  await Promise.all(connections.map((connection) => connection.finish()));
  return { memory: (after - before) / (each * connections.length), counted: each * connections.length };
}

/** Bytes a connection, each of which has had one call. */
async function connections({ pid, port }, scale) {
  const count = Math.max(TOGETHER, Math.round(1_000 * scale));
  const before = await settled(pid);
  await connected(port, count);
  return { memory: ((await settled(pid)) - before) / count, counted: count };
}

/** Bytes after a fifth of the calls and after all of them, each the median over a quarter of the parts. */
async function longRun(server, scale) {
  const files = scratch(false);
  try {
    const { wall } = await load(server, SHAPE, 50_000, files.body, null);
    const part = Math.round(Math.min((2_000_000 * scale) / PARTS, (LONGEST * 1e9) / wall) / 500) * 500;
    const seen = [];
    for (let i = 0; i < PARTS; i += 1) {
      await load(server, SHAPE, part, files.body, null);
      seen.push(resident(server.pid));
    }
    const quarter = PARTS / 4;
    return { early: median(seen.slice(quarter - 1, 2 * quarter - 1)), late: median(seen.slice(-quarter)), counted: part * PARTS };
  } finally {
    files.remove();
  }
}

/** By workload, and which servers are measured. */
export const MEMORY = {
  "idle-streams": { measure: idleStreams, peers: ["samewire", "grpc-js", "grpc-go", "tonic"] },
  connections: { measure: connections, peers: ["samewire", "grpc-js", "grpc-go", "tonic"] },
  "long-run": { measure: longRun, peers: ["samewire", "grpc-js"] },
};

/** Prints one figure a row; scale: 1 for the counts of the full workload. */
export async function held(name, workload, scale, print) {
  const server = await start(await SERVERS[name].start({ tls: null }));
  try {
    await warmed(server.port);
    const { counted, ...figures } = await MEMORY[workload].measure(server, scale);
    for (const [op, bytes] of Object.entries(figures)) print({ op, unit: "B", cpu: [], wall: [Math.max(bytes, 1)] });
    print({ stats: { counted } });
  } finally {
    server.stop();
  }
}
