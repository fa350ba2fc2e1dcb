// Servers side by side under h2load (Debian's nghttp2-client): `node compare.mjs [ROUNDS] [SECONDS] [CONNECTIONS] [STREAMS] [--tls KEY CERT]`.
// Each round starts every server anew; the body of every reply is counted, and a server whose bytes are not the echo's is no result.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { service } from "./echo.mjs";

const SERVERS = ["samewire", "grpc-js"];
const message = service.Echo.requestSerialize({ value: "abc", value2: 1 });
const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);

const [rounds = 3, seconds = 5, connections = 10, streams = 50] = process.argv.slice(2, 6).map(Number).filter((n) => n > 0);
const tlsAt = process.argv.indexOf("--tls");
const tls = tlsAt < 0 ? [] : process.argv.slice(tlsAt, tlsAt + 3);

async function start(name) {
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [file, "127.0.0.1:0", ...tls], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { port } = await next();
  return {
    port,
    async usage() {
      child.stdin.write("\n");
      return next();
    },
    stop: () => child.stdin.end(),
  };
}

async function hold(server, duration, body) {
  const url = `${tls.length ? "https" : "http"}://127.0.0.1:${server.port}/EchoService/Echo`;
  const before = await server.usage();
  const { stdout } = await promisify(execFile)("h2load", [
    `-D${duration}`, `-c${connections}`, `-m${streams}`, "-t1",
    "-H", "content-type: application/grpc", "-H", "te: trailers", "-d", body, url,
  ]);
  const after = await server.usage();
  const number = (pattern) => Number(pattern.exec(stdout)?.[1] ?? NaN);
  const good = number(/(\d+) 2xx/);
  const done = number(/(\d+) done/);
  const bytes = number(/\((\d+)\) data/);
  // What is on its way when the time is over has a head and no end.
  const flying = connections * streams;
  const bad = number(/(\d+) failed/) > 0 || good - done > flying || bytes < done * frame.length || bytes > good * frame.length;
  return { rate: good / duration, cpu: (after.cpu - before.cpu) / good, rss: after.rss / 2 ** 20, bad };
}

const scratch = mkdtempSync(join(tmpdir(), "samewire-echo-"));
const body = join(scratch, "echo.bin");
writeFileSync(body, frame);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const results = new Map(SERVERS.map((name) => [name, []]));
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const name of SERVERS) {
      const server = await start(name);
      await hold(server, 2, body);
      results.get(name).push(await hold(server, seconds, body));
      server.stop();
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}
for (const [name, holds] of results) {
  const of = (key) => median(holds.map((each) => each[key]));
  console.log(
    `${name.padEnd(10)} ${Math.round(of("rate")).toLocaleString("en").padStart(9)} requests/s  ${of("cpu").toFixed(2).padStart(6)} us CPU a request  ` +
      `${of("rss").toFixed(0).padStart(4)} MB${holds.some(({ bad }) => bad) ? "  BAD REPLIES" : ""}`,
  );
}
const ratio = results.get("samewire").map(({ cpu }, round) => results.get("grpc-js")[round].cpu / cpu);
console.log(`CPU ratio ${median(ratio).toFixed(1)} (${ratio.map((each) => each.toFixed(1)).join(", ")})`);
