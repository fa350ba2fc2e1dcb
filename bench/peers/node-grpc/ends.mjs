// A library's client and its own server, one process each: the CPU of both counts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { spent, start } from "./load.mjs";
import { SERVERS, started } from "./servers.mjs";

const CLIENT = fileURLToPath(new URL("client.mjs", import.meta.url));

/** Runs `work` with a function that exchanges so many messages and answers nanoseconds a message: CPU of both, wall, the 99th percentile. */
export async function betweenEnds(library, shape, work) {
  const server = await start(started(SERVERS[library], null));
  const client = spawn(process.execPath, [CLIENT, library, String(server.port), shape], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: client.stdout });
  const gone = once(client, "exit").then(() => {
    throw new Error("the client ended early");
  });
  gone.catch(() => undefined);
  const exchange = async (count) => {
    const before = spent(server.pid);
    client.stdin.write(`${count}\n`);
    const [line] = await Promise.race([once(lines, "line"), gone]);
    const { cpu, wall, p99 } = JSON.parse(line);
    return { cpu: (cpu + spent(server.pid) - before) / count, wall: wall / count, p99 };
  };
  try {
    return await work(exchange, server.pid);
  } finally {
    client.kill("SIGKILL");
    server.stop();
  }
}
