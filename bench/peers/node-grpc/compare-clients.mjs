// Node to Node: each library's client with its own server, side by side, CPU of both ends: `node compare-clients.mjs [ROUNDS] [SECONDS] [MODE:IN_FLIGHT …]`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PAIRS = ["samewire", "grpc-js"];
const plain = process.argv.slice(2);
const [rounds = 3, seconds = 4] = plain.filter((each) => !each.includes(":")).map(Number);
const chosen = plain.filter((each) => each.includes(":"));
const modes = (chosen.length > 0 ? chosen : ["unary:100", "unary:1", "bidi:1", "bidi:100", "down:1"]).map((each) => each.split(":"));

function start(file, ...parameters) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...parameters], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => (await lines.next()).value };
}

async function hold(name, mode, flying) {
  const server = start(`${name}.mjs`, "127.0.0.1:0");
  const usage = async () => {
    server.child.stdin.write("\n");
    return JSON.parse(await server.next());
  };
  const { port } = JSON.parse(await server.next());
  const client = start(`client-${name}.mjs`, String(port), mode, flying, String(seconds));
  if ((await client.next()) !== "measuring") throw new Error(`the client of ${name} did not begin`);
  const before = await usage();
  const result = JSON.parse(await client.next());
  const after = await usage();
  await new Promise((resolve) => client.child.once("exit", resolve));
  server.child.stdin.end();
  return { ...result, server: (after.cpu - before.cpu) / result.count };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
for (const [mode, flying] of modes) {
  const results = new Map(PAIRS.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) for (const name of PAIRS) results.get(name).push(await hold(name, mode, flying));
  for (const [name, holds] of results) {
    const of = (key) => median(holds.map((each) => each[key]));
    const p99 = holds[0].p99 === null ? "" : `  p99 ${of("p99").toFixed(2)} ms`;
    console.log(
      `${mode} ${flying.padStart(3)}  ${name.padEnd(9)} ${Math.round(of("rate")).toLocaleString("en").padStart(9)}/s  ` +
        `client ${of("cpu").toFixed(2)} us  server ${of("server").toFixed(2)} us${p99}  ${Math.round(of("rss") / 2 ** 20)} MB`,
    );
  }
  const ratio = (key, up) => {
    const each = results.get("samewire").map((ours, round) => (up ? ours[key] / results.get("grpc-js")[round][key] : results.get("grpc-js")[round][key] / ours[key]));
    return `${median(each).toFixed(1)} (${each.map((value) => value.toFixed(1)).join(", ")})`;
  };
  console.log(`${mode} ${flying.padStart(3)}  rate ${ratio("rate", true)}  client CPU ${ratio("cpu", false)}  server CPU ${ratio("server", false)}`);
}
