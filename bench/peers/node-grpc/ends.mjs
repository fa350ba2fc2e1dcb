// A library's client and its own server, one process each: the CPU of both counts.

import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { begin, spent, start } from "./processes.mjs";
import { SERVERS } from "./servers.mjs";

const CLIENT = fileURLToPath(new URL("client.mjs", import.meta.url));

/**
 * Runs `work` with a function that exchanges messages, as `client.mjs` is told, and returns nanoseconds a message: CPU of both,
 * wall; and percentiles where asked for. It rejects with what the client says went wrong, and its `status` if it has one.
 */
export async function betweenEnds(library, name, work) {
  const server = await start(await SERVERS[library].start({ tls: null }));
  const client = begin([process.execPath, CLIENT, library, String(server.port), name]);
  const lines = createInterface({ input: client.stdout });
  const gone = once(client, "exit").then(() => {
    throw new Error("the client ended early");
  });
  gone.catch(() => undefined);
  const exchange = async (told) => {
    const before = spent(server.pid);
    client.stdin.write(`${JSON.stringify(told)}\n`);
    const [line] = await Promise.race([once(lines, "line"), gone]);
    const { trouble, status, cpu, wall, percentiles } = JSON.parse(line);
    if (trouble) throw Object.assign(new Error(trouble), { status });
    return { cpu: (cpu + spent(server.pid) - before) / told.count, wall: wall / told.count, percentiles };
  };
  try {
    return await work(exchange, server.pid);
  } finally {
    client.kill("SIGKILL");
    server.stop();
  }
}
