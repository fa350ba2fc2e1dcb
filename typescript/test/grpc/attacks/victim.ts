import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Server, ServerCredentials } from "../../../src/grpc/index.js";
import type { ServerDuplexStream, ServerOptions, ServerUnaryCall, sendUnaryData } from "../../../src/grpc/index.js";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../certificates.js";
import { bind } from "../serving.js";
import { service } from "./service.js";

/* A process whose server is attacked. Its first argument has the server's options, its second says whether it speaks
   TLS. It tells its port, then whenever it is asked its memory. */

/** A victim's report: bytes, at most so far and now, those alive of buffers and of the heap, CPU time in
    milliseconds, in all and for one turn of the event loop at most, open connections, and open sockets, those within a
    handshake of TLS too. */
export interface Health {
  readonly peak: number;
  readonly rss: number;
  readonly buffers: number;
  readonly heap: number;
  readonly cpu: number;
  readonly turn: number;
  readonly connections: number;
  readonly sockets: number;
}

const server = new Server(JSON.parse(process.argv[2] ?? "{}") as ServerOptions);
server.addService(service, {
  Reply(call: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
    const { request } = call;
    // As many bytes as the request says, fresh for each call.
    callback(null, Buffer.alloc(request.length === 4 ? request.readUInt32BE() : 0, 1));
  },
  Ignore(_call: ServerDuplexStream<Buffer, Buffer>) {
    // Reads nothing, and never ends.
  },
  Take(call: ServerDuplexStream<Buffer, Buffer>) {
    call.on("data", (message: Buffer) => { call.write(message); });
  },
});

let peak = 0;
const watch = (): number => {
  const rss = process.memoryUsage.rss();
  peak = Math.max(peak, rss);
  return rss;
};
setInterval(watch, 50);
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
// By CPU time: on a busy machine the clock tells of other processes.
let turn = 0;
let last = Infinity;
setInterval(() => {
  const now = cpu();
  turn = Math.max(turn, now - last);
  last = now;
}, 5);
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
process.on("message", () => {
  const rss = watch();
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  process.send!({ peak, rss, buffers: arrayBuffers, heap: heapUsed, cpu: cpu(), turn, connections: server.getStatistics().connections, sockets: process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length } satisfies Health);
});
process.on("disconnect", () => process.exit());

const credentials = process.argv[3] === "tls" ? ServerCredentials.createSsl(null, [{ private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE }]) : ServerCredentials.createInsecure();
process.send!(await bind(server, "127.0.0.1:0", credentials));
