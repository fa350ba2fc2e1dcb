import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { test, type TestContext } from "node:test";
import tls from "node:tls";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { StalledReplies, type StreamHolder } from "../../src/grpc/server/stalled-replies.js";
import { ServerCredentials, type ServerOptions, type ServerUnaryCall } from "../../src/grpc/index.js";
import { secureServer } from "../../src/transport/listen.js";
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { hold, stopClock, turnUntil, turns } from "./held-clock.js";
import { frame, framesOf, join, prefaceOf, type Seen } from "./journal.js";
import { framed, serve, type Note, type Serving } from "./serving.js";

/* A server whose thread was held finds its timers due before it has read what its clients have sent meanwhile. */

const PING = 6;
const GOAWAY = 7;
const literal = (name: string, value: string): Uint8Array => join(Uint8Array.of(0, name.length), Buffer.from(name), Uint8Array.of(value.length), Buffer.from(value));
const HEAD = join(Uint8Array.of(0x83, 0x86), literal(":path", "/notes.Notes/Unary"), literal("content-type", "application/grpc"));
const CALL = join(frame(1, 4, 1, HEAD), frame(0, 1, 1, framed('{"text":""}')));

stopClock();

/** A client that writes what the test says, and keeps what it reads. */
class Peer {
  readonly seen: Seen[] = [];
  closed = false;

  constructor(readonly socket: net.Socket) {
    socket.on("data", (chunk: Buffer) => { this.seen.push(...framesOf(chunk)); });
    socket.on("close", () => { this.closed = true; });
    socket.on("error", () => undefined);
  }

  count(type: number): number {
    return this.seen.filter((each) => each.type === type && each.flags === 0).length;
  }

  /** Acknowledges the last PING. */
  acknowledge(): void {
    this.socket.write(frame(PING, 1, 0, this.seen.filter(({ type }) => type === PING).at(-1)!.payload));
  }
}

interface Scene {
  readonly serving: Serving;
  readonly calls: { count: number; cancelled: number };
  readonly connect: () => Promise<Peer>;
  /** Connects, and has sent the preface. */
  readonly greet: () => Promise<Peer>;
}

async function scene(context: TestContext, secured: boolean, options: ServerOptions): Promise<Scene> {
  const calls = { count: 0, cancelled: 0 };
  const handlers = {
    // Never answers.
    Unary(call: ServerUnaryCall<Note, Note>) {
      calls.count += 1;
      call.on("cancelled", () => { calls.cancelled += 1; });
    },
  };
  const credentials = secured ? ServerCredentials.createSsl(null, [{ private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE }]) : ServerCredentials.createInsecure();
  const serving = await serve(context, handlers, options, credentials);
  const connect = async (): Promise<Peer> => {
    const socket = secured
      ? tls.connect({ port: serving.port, host: "127.0.0.1", servername: "localhost", ca: AUTHORITY, ALPNProtocols: ["h2"] })
      : net.connect(serving.port, "127.0.0.1");
    context.after(() => { socket.destroy(); });
    const peer = new Peer(socket);
    await once(socket, secured ? "secureConnect" : "connect");
    await turnUntil(() => peer.seen.length > 0);
    return peer;
  };
  const greet = async (): Promise<Peer> => {
    const peer = await connect();
    peer.socket.write(prefaceOf("client"));
    await turnUntil(() => peer.seen.some(({ type, flags }) => type === 4 && flags === 1));
    return peer;
  };
  return { serving, calls, connect, greet };
}

for (const secured of [false, true]) {
  const over = secured ? " over TLS" : "";

  test(`a server reads the acknowledgement of its keepalive before it gives up${over}`, async (context) => {
    const { greet } = await scene(context, secured, { "grpc.keepalive_time_ms": 10_000, "grpc.keepalive_timeout_ms": 5_000 });
    const peer = await greet();
    for (let pings = 1; pings <= 3; pings += 1) {
      hold(10_000);
      await turnUntil(() => peer.count(PING) === pings);
      await turns(4);
      peer.acknowledge();
      hold(5_000);
      await turns(20);
      assert.ok(!peer.closed);
    }
    // The peer does not acknowledge: it counts as gone.
    hold(10_000);
    await turnUntil(() => peer.count(PING) === 4);
    await turns(4);
    hold(4_999);
    await turns(20);
    assert.equal(peer.count(GOAWAY), 0);
    hold(5);
    await turnUntil(() => peer.closed);
    assert.equal(peer.count(GOAWAY), 1);
  });

  test(`the time of a keepalive begins when its PING is out${over}`, async (context) => {
    const { greet } = await scene(context, secured, { "grpc.keepalive_time_ms": 10_000, "grpc.keepalive_timeout_ms": 5_000 });
    const peer = await greet();
    hold(10_000);
    hold(5_000);
    await turnUntil(() => peer.count(PING) === 1);
    peer.acknowledge();
    await turns(20);
    assert.ok(!peer.closed);
    hold(10_000);
    await turnUntil(() => peer.count(PING) === 2);
  });

  test(`a server reads the preface before it gives up${over}`, async (context) => {
    const { connect } = await scene(context, secured, { "samewire.http2": { prefaceMs: 20_000 } });
    const [late, silent] = [await connect(), await connect()];
    hold(19_990);
    await turns(4);
    late.socket.write(join(prefaceOf("client"), frame(PING, 0, 0, "0102030405060708")));
    hold(20);
    await turnUntil(() => late.seen.some(({ type, flags }) => type === PING && flags === 1));
    hold(1_000);
    await turnUntil(() => silent.closed);
    assert.ok(!late.closed);
  });

  test(`a server reads new calls before it drains an idle connection${over}`, async (context) => {
    const { calls, greet } = await scene(context, secured, { "grpc.max_connection_idle_ms": 30_000 });
    const peer = await greet();
    peer.socket.write(CALL);
    hold(30_000);
    await turnUntil(() => calls.count === 1);
    await turns(10);
    assert.equal(peer.count(GOAWAY), 0);
    peer.socket.write(frame(3, 0, 1, "00000008"));
    await turnUntil(() => calls.cancelled === 1);
    hold(30_000);
    await turnUntil(() => peer.count(GOAWAY) === 1);
  });

  test(`a server that drains reads the calls that were on their way before it refuses more${over}`, async (context) => {
    const { calls, greet, serving } = await scene(context, secured, {});
    const peer = await greet();
    serving.server.drain(`127.0.0.1:${serving.port}`, 60_000);
    await turnUntil(() => peer.count(GOAWAY) === 1);
    await turns(4);
    peer.socket.write(CALL);
    hold(1_000);
    await turnUntil(() => peer.count(GOAWAY) === 2);
    assert.equal(calls.count, 1);
  });
}

test("a handshake whose time was up while the thread was held goes on, and one that stands still ends", async (context) => {
  let begun = 0;
  let late = 0;
  const server = secureServer({ alpn: "h2", handshakeMs: 1 }, { key: SERVER_KEY, cert: SERVER_CERTIFICATE }, () => { begun += 1; });
  server.on("tlsClientError", () => { late += 1; });
  // Node's own timer is due in the next turn, before anything is read.
  server.on("connection", () => { for (const end = Date.now() + 10; Date.now() < end; ); });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  context.after(() => { server.close(); });
  const honest = tls.connect({ port, host: "127.0.0.1", servername: "localhost", ca: AUTHORITY, ALPNProtocols: ["h2"] });
  const silent = net.connect(port, "127.0.0.1");
  const closed = new Set<net.Socket>();
  for (const socket of [honest, silent]) {
    socket.on("error", () => undefined).on("close", () => closed.add(socket)).resume();
    context.after(() => { socket.destroy(); });
  }
  await turnUntil(() => begun === 1 && late === 2);
  hold(999);
  await turns(10);
  assert.equal(closed.size, 0);
  hold(2);
  await turnUntil(() => closed.has(silent));
  await turns(10);
  assert.ok(!closed.has(honest));
});

test("a reply whose client took it while the thread was held is not given up, and another is", async () => {
  const waiting = () => {
    const codes: number[] = [];
    return { localEnded: true, queued: 100_000, codes, reset: (code: number) => { codes.push(code); } };
  };
  const [taken, left] = [waiting(), waiting()];
  const stalled = new StalledReplies(() => ({ streams: [taken, left] }) as unknown as StreamHolder, () => 60_000, 60_000);
  stalled.watch();
  hold(15_000);
  await turns(4);
  // The client's window update is read in the turn after.
  setImmediate(() => { taken.queued = 0; });
  hold(60_000);
  await turns(4);
  assert.deepEqual([taken.codes, left.codes], [[], [ErrorCode.ENHANCE_YOUR_CALM]]);
  stalled.stop();
});
