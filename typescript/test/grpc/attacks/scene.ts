import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, credentials, type ServerOptions, type ServiceError } from "../../../src/grpc/index.js";
import { AUTHORITY } from "../certificates.js";
import { pause } from "../peers.js";
import { SECONDS } from "./scale.js";
import { service } from "./service.js";
import type { Health } from "./victim.js";

/** A server in a process of its own. */
export interface Victim {
  readonly port: number;
  health(): Promise<Health>;
}

function start(context: TestContext, file: string, ...options: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), options, { execArgv: [] });
  context.after(() => { child.kill(); });
  return child;
}

/** Starts a server; the test's end stops it. */
export async function victim(context: TestContext, options: ServerOptions = {}, tls = false): Promise<Victim> {
  const child = start(context, "./victim.js", JSON.stringify(options), tls ? "tls" : "plain");
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    async health() {
      child.send("health");
      const [health] = (await once(child, "message")) as [Health];
      return health;
    },
  };
}

/** Starts an attack in a process of its own. Resolves with what it counts once it is at its height. */
export async function attack(context: TestContext, name: string, { port }: Victim): Promise<number> {
  const [count] = (await once(start(context, "./attacker.js", name, String(port), String(SECONDS)), "message")) as [number];
  return count;
}

/** How an honest client fared. */
export interface Fared {
  readonly calls: number;
  readonly failures: ServiceError[];
  /** Milliseconds of its slowest call. */
  slowest: number;
}

/** Calls a hundred times a second, with a deadline of five seconds, as long as `during` lasts. */
export async function honest({ port }: Victim, during: Promise<unknown>, tls = false): Promise<Fared> {
  const client = new Client(`localhost:${port}`, tls ? credentials.createSsl(AUTHORITY) : credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = service.Reply;
  const size = Buffer.of(0, 0, 0, 100);
  const failures: ServiceError[] = [];
  const fared = { calls: 0, failures, slowest: 0 };
  const over = new AbortController();
  void during.finally(() => { over.abort(); });
  const calls: Promise<void>[] = [];
  while (!over.signal.aborted) {
    const began = performance.now();
    fared.calls += 1;
    calls.push(new Promise((resolve) => {
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, size, { deadline: Date.now() + 5_000 }, (error) => {
        if (error !== null) failures.push(error);
        fared.slowest = Math.max(fared.slowest, performance.now() - began);
        resolve();
      });
    }));
    await pause(10);
  }
  await Promise.all(calls);
  client.close();
  return fared;
}

/** A victim's bytes in megabytes, for the tests' texts. */
export const MB = (bytes: number): number => Math.round(bytes / 1e6);

/** Waits until a condition of a victim holds. */
export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`${what} did not come within 60 s`);
    await pause(50);
  }
}
