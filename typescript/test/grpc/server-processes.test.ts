import assert from "node:assert/strict";
import cluster from "node:cluster";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { credentials, makeClientConstructor } from "@grpc/grpc-js";
import { Server } from "../../src/grpc/index.js";
import type { ServerUnaryCall, sendUnaryData } from "../../src/grpc/index.js";
import { bind, notes, unary } from "./serving.js";
import type { Note, NotesClient } from "./serving.js";

const file = fileURLToPath(import.meta.url);

/** Answers with the number of the process or thread. */
async function answerAs(number: number, address: string): Promise<number> {
  const server = new Server();
  server.addService(notes, {
    Unary(_call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) {
      callback(null, { text: "", number });
    },
  });
  return bind(server, address);
}

function client(port: number): NotesClient {
  const Client = makeClientConstructor(notes, "notes.Notes");
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 }) as unknown as NotesClient;
}

if (cluster.isWorker) {
  process.send!({ port: await answerAs(process.pid, "127.0.0.1:0") });
} else if (!isMainThread) {
  parentPort!.postMessage(await answerAs(7, "127.0.0.1:0"));
} else {
  test("processes of a cluster share a port", async (context) => {
    cluster.setupPrimary({ exec: file, execArgv: [] });
    const workers = [cluster.fork(), cluster.fork()];
    context.after(() => { for (const worker of workers) worker.process.kill(); });
    const ports = await Promise.all(
      workers.map(async (worker) => {
        const [message] = (await once(worker, "message")) as [{ port: number }];
        return message.port;
      }),
    );
    assert.equal(ports[0], ports[1]);
    const answers = new Set<number | undefined>();
    for (let round = 0; round < 6; round += 1) {
      const each = client(ports[0]!);
      answers.add((await unary(each, { text: "" })).note?.number);
      each.close();
    }
    assert.deepEqual([...answers].sort(), workers.map((worker) => worker.process.pid).sort());
  });

  test("a server runs in a worker thread", async (context) => {
    const worker = new Worker(file);
    context.after(() => worker.terminate());
    const [port] = (await once(worker, "message")) as [number];
    const each = client(port);
    assert.equal((await unary(each, { text: "" })).note?.number, 7);
    each.close();
  });
}
