// Processes that are measured: started, ended with this one whatever happens, their CPU and memory read from the kernel.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** Milliseconds that a server has to listen in. */
const PATIENCE = 20_000;
const alive = new Set();
process.on("exit", () => alive.forEach((child) => child.kill("SIGKILL")));
for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130]]) process.on(signal, () => process.exit(status));

/** A child that does not outlive this process. */
export function begin([program, ...words], stdio = ["pipe", "pipe", "inherit"]) {
  const child = spawn(program, words, { stdio });
  alive.add(child);
  child.on("exit", () => alive.delete(child));
  return child;
}

/** The standard output of a program that ends by itself, at the latest after so many seconds. */
export async function output([program, ...words], seconds) {
  const running = promisify(execFile)(program, words, { timeout: seconds * 1e3, killSignal: "SIGKILL" });
  alive.add(running.child);
  try {
    return (await running).stdout;
  } finally {
    alive.delete(running.child);
  }
}

/** A server's process and where it listens: it prints {"port": …}, or it was told the port and listens there some time. */
export async function start({ command, port }) {
  const child = begin(command, port === undefined ? ["pipe", "pipe", "inherit"] : ["ignore", "ignore", "inherit"]);
  const gone = once(child, "exit").then(() => {
    throw new Error("the server ended before it listened");
  });
  const late = sleep(PATIENCE, undefined, { ref: false }).then(() => {
    throw new Error("the server does not listen");
  });
  gone.catch(() => undefined);
  const listens = port === undefined ? told(child) : answering(port);
  return { pid: child.pid, port: await Promise.race([listens, gone, late]), stop: () => child.kill("SIGKILL") };
}

async function told(child) {
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return JSON.parse(line).port;
}

async function answering(port) {
  for (;;) {
    const socket = createConnection(port, "127.0.0.1");
    const [answered] = await Promise.race([once(socket, "connect").then(() => [true]), once(socket, "close").then(() => [false])]).catch(() => [false]);
    socket.destroy();
    if (answered) return port;
    await sleep(20);
  }
}

/** A port on which nothing listens. */
export async function vacant() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** CPU time of all threads of a process so far, in nanoseconds. */
export function spent(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0);
}

const status = (pid, name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

/** Resident memory of a process, in bytes. */
export const resident = (pid) => status(pid, "VmRSS");

/** The most that it ever had. */
export const peak = (pid) => status(pid, "VmHWM");
