import { QueueBudget } from "../../src/grpc/http2/queue-budget.js";
import { Connection } from "../../src/grpc/http2/connection.js";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import type { HeaderBlock } from "../../src/grpc/http2/header-block.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import type { Stream } from "../../src/grpc/http2/stream.js";
import { LogVerbosity, setLogVerbosity } from "../../src/grpc/logging.js";
import { acceptEncoding } from "../../src/grpc/protocol/compression.js";
import type { ServerContext } from "../../src/grpc/server/context.js";
import type { HandlerType, sendUnaryData } from "../../src/grpc/server/handler.js";
import { ServerInterceptingCall } from "../../src/grpc/server/intercepting.js";
import { ReplyDate, ReplyTable } from "../../src/grpc/server/reply-fields.js";
import { InflateTurns } from "../../src/grpc/transport/inflate-turns.js";
import { Routes } from "../../src/grpc/server/routes.js";
import { ServerConnection } from "../../src/grpc/server/server-connection.js";
import { serverSettings } from "../../src/grpc/server/settings.js";
import { Counters } from "../../src/grpc/protocol/statistics.js";
import { zlibEncodings } from "../../src/grpc/transport/zlib.js";
import { Random, mutate } from "../pack/corpus.js";
import { Journal, drain, lend } from "./journal.js";
import { framed } from "./serving.js";

// Handlers fail by the thousand here.
setLogVerbosity(LogVerbosity.NONE);

const TYPES: readonly HandlerType[] = ["unary", "clientStream", "serverStream", "bidi"];
const MOST_BYTES = 200;

/** A client that checks how each of its streams ends. */
class Peer extends Journal {
  readonly ended = new Map<Stream, string>();

  override onHeaders(stream: Stream, block: HeaderBlock, end: boolean): void {
    if (!end) return;
    const status = block.get("grpc-status") ?? "no status";
    if (!/^\d+$/.test(status)) throw new Error(`stream ${stream.id} ended with ${status}`);
    this.end(stream, status);
  }

  override onData(stream: Stream, _bytes: Uint8Array, from: number, to: number, end: boolean): void {
    stream.consume(to - from);
    // Only what is refused as no gRPC ends with its body.
    if (end) this.end(stream, "http");
  }

  override onReset(stream: Stream): void {
    this.end(stream, "reset");
  }

  private end(stream: Stream, how: string): void {
    const before = this.ended.get(stream);
    if (before !== undefined) throw new Error(`stream ${stream.id} ended twice: ${before}, ${how}`);
    this.ended.set(stream, how);
  }
}

type Pending = (() => void)[];

function routes(pending: Pending): Routes {
  const table = new Routes();
  const refuse = (bytes: Uint8Array): Uint8Array => {
    if (bytes[0] === 0x78) throw new Error("an unreadable message");
    return bytes;
  };
  for (const type of TYPES) {
    for (const mood of ["now", "later", "throw", "fail", "never"]) {
      table.add({
        path: `/${type}/${mood}`,
        type,
        serialize: (value) => refuse(value as Buffer) as Buffer,
        deserialize: refuse,
        func(call, callback) {
          if (mood === "throw") throw new Error("thrown");
          const stream = call as { request?: Buffer; write?(bytes: Buffer): void; end?(): void; emit(event: string, error: unknown): void; on(event: string, listener: (bytes: Buffer) => void): void };
          stream.on("error", () => undefined);
          if (type === "bidi") stream.on("data", (bytes) => { stream.write!(bytes); });
          else if (type === "clientStream") stream.on("data", () => undefined);
          const answer = (): void => {
            if (callback === undefined) {
              if (mood === "fail") stream.emit("error", { code: 9, details: "no" });
              else stream.end!();
            } else {
              (callback as sendUnaryData<Buffer>)(mood === "fail" ? { code: 9, details: "no" } : null, stream.request ?? Buffer.from("r"));
            }
          };
          if (mood === "now" || mood === "fail") answer();
          else if (mood === "later") pending.push(answer);
          return undefined;
        },
      });
    }
  }
  return table;
}

function requestFields(random: Random, types: readonly HandlerType[]): HeaderFields {
  const path = random.below(12) === 0 ? "/no/such" : `/${random.pick(types)}/${random.pick(["now", "later", "throw", "fail", "never"])}`;
  const sometimes = <T>(usual: T, ...others: T[]): T => (random.below(10) === 0 ? random.pick(others) : usual);
  const pairs: [string, string][] = [
    [":method", sometimes("POST", "GET")],
    [":scheme", "http"],
    [":path", path],
    [":authority", "a"],
    ["content-type", sometimes("application/grpc", "text/plain", "application/grpc+proto")],
  ];
  if (random.below(4) === 0) pairs.push(["grpc-timeout", random.pick(["1H", "0n", "x", "99999999S"])]);
  if (random.below(4) === 0) pairs.push(["grpc-encoding", random.pick(["gzip", "deflate", "br", "identity"])]);
  if (random.below(4) === 0) pairs.push(["grpc-accept-encoding", random.pick(["gzip", "identity,deflate", ""])]);
  if (random.below(4) === 0) pairs.push(["x-bin", random.pick(["AAAA", "A", "!!", "AA==,BB"])]);
  return new HeaderFields(pairs, "once");
}

function body(random: Random): Uint8Array {
  const message = framed("m".repeat(random.below(MOST_BYTES + 20)), random.below(8) === 0 ? 1 : 0);
  if (random.below(6) === 0) return framed("x");
  return random.below(4) === 0 ? mutate(random, message, framed("other")) : message;
}

/** Ends the attack, and checks that every call that began has ended, once. */
export type Finish = () => void;

function begin(seed: number, types: readonly HandlerType[]): Finish {
  const random = new Random(seed);
  const pending: Pending = [];
  const context: ServerContext = {
    routes: routes(pending),
    settings: serverSettings({ "grpc.max_receive_message_length": MOST_BYTES, "grpc.default_compression_algorithm": random.below(3) }),
    encodings: zlibEncodings,
    replies: new ReplyTable(acceptEncoding(zlibEncodings), new ReplyDate(() => Date.now(), () => undefined)),
    interceptors: random.below(2) === 0 ? [] : [(_method, call) => new ServerInterceptingCall(call)],
    counters: new Counters(),
    requestBudget: new QueueBudget(1e6, () => 0, queueMicrotask),
    inflateTurns: new InflateTurns(1),
  };
  let gone = 0;
  const link = { connection: null as unknown as Connection, peer: "peer", local: "local", tls: null, reads: 0, ref: () => undefined, unref: () => undefined, destroy: () => undefined };
  const handler = new ServerConnection(context, link, () => {
    gone += 1;
  });
  const server = (link.connection = new Connection("server", handler));
  const peer = new Peer();
  const client = new Connection("client", peer);
  const outlet = { onOutput: () => undefined, onPause: () => undefined, onDeadline: () => undefined, onFinished: () => undefined };
  server.attach(outlet);
  client.attach(outlet);

  const carry = (from: Connection, to: Connection): void => {
    lend(random, drain(from), to);
  };
  const open: Stream[] = [];
  for (let step = 5 + random.below(40); step > 0; step -= 1) {
    const stream = open.length === 0 ? null : random.pick(open);
    switch (random.below(8)) {
      case 0:
      case 1:
        if (client.canOpen) open.push(client.open(requestFields(random, types), random.below(8) === 0, null));
        break;
      case 2:
      case 3:
      case 4:
        if (stream !== null && !stream.localEnded) stream.data(body(random), random.below(2) === 0);
        break;
      case 5:
        if (stream !== null && random.below(4) === 0) stream.reset(ErrorCode.CANCEL);
        break;
      case 6:
        pending.splice(random.below(pending.length + 1), 1)[0]?.();
        break;
      default:
        carry(client, server);
        carry(server, client);
    }
  }
  carry(client, server);
  carry(server, client);
  return () => {
    for (const answer of pending) answer();
    carry(server, client);
    client.end();
    server.end();
    for (const answer of pending) answer();
    const { callsStarted, callsSucceeded, callsFailed } = handler.counters;
    if (callsStarted !== callsSucceeded + callsFailed) throw new Error(`${callsStarted} calls began, ${callsSucceeded} + ${callsFailed} ended`);
    if (gone !== 1 || server.openStreams !== 0) throw new Error("the connection was left behind");
    if (peer.closed !== 1) throw new Error("the client's connection was left behind");
  };
}

/** One attack by a client on a server's unary calls, at once. */
export function attackUnary(random: Random): { what: string; run: () => void } {
  const seed = random.below(0x7fff_ffff);
  return {
    what: `server ${seed}`,
    run: () => {
      begin(seed, ["unary"])();
    },
  };
}

/** One attack on calls of all kinds, whose streams need turns of the event loop. */
export async function attackAll(seed: number): Promise<void> {
  const finish = begin(seed, TYPES);
  await new Promise((resolve) => setImmediate(resolve));
  finish();
  await new Promise((resolve) => setImmediate(resolve));
}
