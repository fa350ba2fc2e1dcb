// A soak of our server: clients of grpc-js, of ours and of grpcio (PYTHON, with the package) together, for so many seconds. It prints
// one line of JSON: what each client did, what the server saw, memory early and late in MB, and what is wrong: a message that was
// lost or came twice, a call that never ended, memory that grew.
//
// usage, in the root of the tree: node soak.mjs SECONDS PYTHON

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { begin, resident } from "./processes.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
/** Memory may grow by so much: a tenth, and what a short soak compiles and caches. */
const GROWTH = 1.1, LITTLE = 15e6;
const MB = (bytes) => Math.round(bytes / 1e5) / 10;
const median = (some) => [...some].sort((a, b) => a - b)[some.length >> 1];
const seconds = Number(process.argv[2]);
const python = process.argv[3];

const server = fork(here("soak-server.mjs"), [], { execArgv: ["--expose-gc"] });
process.on("exit", () => server.kill("SIGKILL"));
const [{ port }] = await once(server, "message");
const seen = async () => {
  server.send("seen");
  return (await once(server, "message"))[0];
};

const commands = {
  samewire: [process.execPath, here("soak-client.mjs"), "samewire", port, seconds],
  "grpc-js": [process.execPath, here("soak-client.mjs"), "grpc-js", port, seconds],
  grpcio: [python, "-m", "bench.peers.soak_client", port, seconds],
};
const clients = {};
const memory = { server: [] };
for (const [name, command] of Object.entries(commands)) {
  const child = begin(command.map(String));
  memory[name] = [];
  let text = "";
  child.stdout.on("data", (piece) => (text += piece));
  clients[name] = { child, result: once(child, "close").then(() => JSON.parse(text || '{"wrong":["the client ended without a result"]}')) };
}

// Memory every second; what the heap holds after a collection, early and at the end.
const sample = setInterval(() => {
  for (const [name, { pid }] of [["server", server], ...Object.entries(clients).map(([name, { child }]) => [name, child])]) {
    try {
      memory[name].push(resident(pid));
    } catch {
      // It has just ended.
    }
  }
}, 1e3);
let early = null;
setTimeout(async () => (early = await seen()), (seconds * 1e3) / 4);

const wrong = [];
const results = {};
for (const [name, { result }] of Object.entries(clients)) results[name] = await result;
clearInterval(sample);
// What clients have cancelled last is on its way.
await new Promise((resolve) => setTimeout(resolve, 1e3));
const late = await seen();

for (const [name, result] of Object.entries(results)) for (const text of result.wrong) wrong.push(`${name}: ${text}`);
const sent = Object.values(results).reduce((sum, result) => sum + (result.sent ?? 0), 0);
if (late.messages !== sent) wrong.push(`the server saw ${late.messages} messages of ${sent}`);
if (late.begun !== late.ended) wrong.push(`${late.begun - late.ended} calls never ended`);
if (late.connections > 0) wrong.push(`${late.connections} connections are open`);
if (early !== null && late.heap > early.heap * GROWTH + LITTLE) wrong.push(`the server's heap grew from ${MB(early.heap)} to ${MB(late.heap)} MB`);
const held = Object.fromEntries(Object.entries(memory).map(([name, some]) => {
  const part = Math.max(1, Math.floor(some.length / 6));
  return [name, { early: MB(median(some.slice(part, 2 * part + 1))), late: MB(median(some.slice(-part))) }];
}));
for (const name of ["server", "samewire"]) if (held[name].late > held[name].early * GROWTH + LITTLE / 1e6) wrong.push(`${name}: resident memory grew from ${held[name].early} to ${held[name].late} MB`);
console.log(JSON.stringify({ seconds, clients: results, server: late, heap: { early: MB(early?.heap ?? 0), late: MB(late.heap) }, memory: held, wrong }));
process.exit(wrong.length > 0 ? 1 : 0);
