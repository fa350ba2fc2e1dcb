import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { Metadata, Server, ServerCredentials, status } from "../../src/grpc/index.js";
import type { ServerDuplexStream, ServerUnaryCall, ServerWritableStream, sendUnaryData } from "../../src/grpc/index.js";
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { bind, collect, framed, notes, raw, serve, unary, until } from "./serving.js";
import type { Note, NotesClient } from "./serving.js";

type Unary = ServerUnaryCall<Note, Note>;
type Answer = sendUnaryData<Note>;

const echo = {
  Unary(call: Unary, callback: Answer) {
    callback(null, call.request);
  },
};

/** Handlers whose answers the test sends. */
function pendingCalls(): { handler: (call: Unary, callback: Answer) => void; waiting: Answer[]; cancelled: () => number } {
  const waiting: Answer[] = [];
  let cancelled = 0;
  return {
    handler(call, callback) {
      call.on("cancelled", () => (cancelled += 1));
      waiting.push(callback);
    },
    waiting,
    cancelled: () => cancelled,
  };
}

function shutdown(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.tryShutdown((error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}

test("arguments are checked as grpc-js checks them", () => {
  const server = new Server();
  const insecure = ServerCredentials.createInsecure();
  const callback = (): void => undefined;
  const untyped = server as unknown as Record<string, (...args: unknown[]) => unknown>;
  assert.throws(() => untyped["bindAsync"]!(5, insecure, callback), TypeError);
  assert.throws(() => untyped["bindAsync"]!("localhost:0", null, callback), TypeError);
  assert.throws(() => untyped["bindAsync"]!("localhost:0", {}, callback), TypeError);
  assert.throws(() => untyped["bindAsync"]!("localhost:0", insecure, null), TypeError);
  assert.throws(() => { server.bindAsync("", insecure, callback); }, /port/);
  assert.throws(() => { server.unbind("localhost:0"); }, /port 0/);
  assert.throws(() => { server.drain("localhost:0", 1); }, /port 0/);
  assert.throws(() => { server.start(); }, /must be bound/);
  assert.throws(() => { server.addService({}, {}); }, /empty service/);
  assert.throws(() => untyped["addService"]!(notes, null), /two objects/);
  server.addService(notes, echo);
  assert.throws(() => { server.addService(notes, echo); }, /already provided/);
  server.removeService(notes);
  server.addService(notes, echo);
  assert.throws(() => untyped["removeService"]!(null), /requires object/);
  const { Unary: unaryMethod } = notes;
  assert.equal(server.register(unaryMethod.path, () => undefined, unaryMethod.responseSerialize, unaryMethod.requestDeserialize, "unary"), false);
  assert.equal(server.unregister(unaryMethod.path), true);
  assert.equal(server.unregister(unaryMethod.path), false);
  assert.equal(server.register(unaryMethod.path, () => undefined, unaryMethod.responseSerialize, unaryMethod.requestDeserialize, "unary"), true);
  assert.throws(() => { server.register("/a", () => undefined, unaryMethod.responseSerialize, unaryMethod.requestDeserialize, "unknown"); }, /Unknown handler type/);
  for (const name of ["bind", "addProtoService", "addHttp2Port"]) assert.throws(() => untyped[name]!());
  const untypedCredentials = ServerCredentials as unknown as { createSsl(...args: unknown[]): unknown };
  for (const args of [["x", []], [null, {}], [null, [null]], [null, [{ private_key: "x", cert_chain: Buffer.alloc(0) }]], [null, [{ private_key: Buffer.alloc(0) }]], [null, [], "x"]]) {
    assert.throws(() => untypedCredentials.createSsl(...args), TypeError);
  }
});

test("methods that are added and removed while connections are open count from the next call", async (context) => {
  const serving = await serve(context, echo);
  const client = serving.client();
  assert.equal((await unary(client, { text: "" })).code, status.OK);
  serving.server.removeService(notes);
  assert.equal((await unary(client, { text: "" })).code, status.UNIMPLEMENTED);
  serving.server.addService(notes, echo);
  assert.equal((await unary(client, { text: "" })).code, status.OK);
});

test("binding: ports, the same address again, what is taken, what cannot be had", async (context) => {
  const serving = await serve(context, echo);
  const { server, port } = serving;
  server.start();
  assert.throws(() => { server.start(); }, /already started/);
  assert.equal(await bind(server, `127.0.0.1:${port}`), port);
  const other = ServerCredentials.createSsl(null, [{ private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE }]);
  await assert.rejects(bind(server, `127.0.0.1:${port}`, other), /incompatible credentials/);
  const rival = new Server();
  context.after(() => { rival.forceShutdown(); });
  await assert.rejects(bind(rival, `127.0.0.1:${port}`), /No address added/);
  await assert.rejects(bind(rival, "host.invalid:1"));
  const second = await bind(server, "[::1]:0").catch(() => null);
  if (second !== null) assert.notEqual(second, port);
  server.unbind(`127.0.0.1:${port}`);
  assert.equal(await bind(rival, `127.0.0.1:${port}`), port);
  await assert.rejects(bind(server, "nothing://x", other), /No resolver/);
});

test("a bind that is taken back before it is done fails", async (context) => {
  const server = new Server();
  context.after(() => { server.forceShutdown(); });
  const port = await bind(server, "127.0.0.1:0");
  server.unbind(`127.0.0.1:${port}`);
  const pending = bind(server, `127.0.0.1:${port}`);
  server.unbind(`127.0.0.1:${port}`);
  await assert.rejects(pending, /cancelled by unbind/);
});

test("a shutdown waits for the calls that run, takes no more, and loses none", async (context) => {
  const { handler, waiting, cancelled } = pendingCalls();
  const serving = await serve(context, { Unary: handler });
  const client = serving.client();
  const running = [unary(client, { text: "1" }), unary(client, { text: "2" })];
  await until(() => waiting.length === 2);
  let down = false;
  const done = shutdown(serving.server).then(() => (down = true));
  assert.throws(() => { serving.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), () => undefined); }, /after shutdown/);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(down, false);
  for (const answer of waiting) answer(null, { text: "done" });
  assert.deepEqual((await Promise.all(running)).map(({ code, note }) => [code, note?.text]), [[0, "done"], [0, "done"]]);
  await done;
  assert.equal(cancelled(), 0);
  assert.equal(serving.server.getStatistics().connections, 0);
});

test("a shutdown without calls, and without ever being bound, is done at once; a second one too", async (context) => {
  const serving = await serve(context, echo);
  assert.equal((await unary(serving.client(), { text: "" })).code, status.OK);
  const start = Date.now();
  await shutdown(serving.server);
  await shutdown(serving.server);
  await shutdown(new Server());
  assert.ok(Date.now() - start < 60_000, "the client's connection hears of it and answers");
});

test("calls that come between the warning and the end of the drain are answered", async (context) => {
  const { handler, waiting } = pendingCalls();
  const serving = await serve(context, { Unary: handler });
  const session = connect(`http://127.0.0.1:${serving.port}`);
  context.after(() => { session.destroy(); });
  await once(session, "connect");
  const first = raw(session, {}, [framed('{"text":"1"}')]);
  await until(() => waiting.length === 1);
  const goaways: number[] = [];
  session.on("goaway", (_code: number, last: number) => goaways.push(last));
  const done = shutdown(serving.server);
  await until(() => goaways.length === 2);
  assert.deepEqual(goaways, [0x7fff_ffff, 1], "a warning that takes nothing back, then the truth");
  waiting[0]!(null, { text: "done" });
  assert.equal((await first).trailers?.["grpc-status"], "0");
  await done;
});

test("a forced shutdown ends what runs with UNAVAILABLE, once", async (context) => {
  const { handler, waiting, cancelled } = pendingCalls();
  const serving = await serve(context, {
    Unary: handler,
    Bidi() {
      waiting.push(() => undefined);
    },
  });
  const client = serving.client();
  const single = unary(client, { text: "" });
  const both = collect(client.Bidi());
  await until(() => waiting.length === 2);
  serving.server.forceShutdown();
  serving.server.forceShutdown();
  assert.deepEqual([(await single).code, (await both).code], [status.UNAVAILABLE, status.UNAVAILABLE]);
  await until(() => cancelled() === 1);
  waiting[0]!(null, { text: "too late" });
  await shutdown(serving.server);
  assert.equal(serving.server.getStatistics().callsFailed, 2);
});

test("a drained address ends its calls after the grace, and still listens", async (context) => {
  const { handler, waiting } = pendingCalls();
  const serving = await serve(context, { Unary: handler });
  const client = serving.client();
  const running = unary(client, { text: "" });
  await until(() => waiting.length === 1);
  serving.server.drain(`127.0.0.1:${serving.port}`, 50);
  assert.equal((await running).code, status.UNAVAILABLE);
  const again = unary(client, { text: "" });
  await until(() => waiting.length === 2);
  waiting[1]!(null, { text: "x" });
  assert.equal((await again).code, status.OK);
});

test("connections end at their age, after the calls that run, and clients come back", async (context) => {
  const { handler, waiting } = pendingCalls();
  // Longer than a loaded machine takes from the connection to its first call.
  const serving = await serve(context, { Unary: handler }, { "grpc.max_connection_age_ms": 400, "grpc.max_connection_age_grace_ms": 10_000 });
  const session = await serving.session();
  const closed = once(session, "close");
  const running = raw(session, {}, [framed('{"text":"x"}')]);
  await until(() => waiting.length === 1);
  await once(session, "goaway");
  waiting[0]!(null, { text: "x" });
  assert.equal((await running).trailers?.["grpc-status"], "0");
  await closed;
  const client = serving.client();
  for (let round = 0; round < 10; round += 1) {
    const call = unary(client, { text: "" });
    await until(() => waiting.length === round + 2);
    waiting.at(-1)!(null, { text: "" });
    assert.equal((await call).code, status.OK);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

test("an age's grace cuts off what runs too long", async (context) => {
  const { handler, cancelled } = pendingCalls();
  const serving = await serve(context, { Unary: handler }, { "grpc.max_connection_age_ms": 40, "grpc.max_connection_age_grace_ms": 40 });
  const outcome = await unary(serving.client(), { text: "" });
  assert.equal(outcome.code, status.UNAVAILABLE);
  await until(() => cancelled() === 1);
});

test("idle connections end, busy ones stay", async (context) => {
  const { handler, waiting } = pendingCalls();
  // Longer than a loaded machine takes from the connection to its first call.
  const serving = await serve(context, { Unary: handler }, { "grpc.max_connection_idle_ms": 1_000 });
  const session = await serving.session();
  const running = raw(session, {}, [framed('{"text":"x"}')]);
  await until(() => waiting.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.equal(session.closed, false);
  waiting[0]!(null, { text: "x" });
  assert.equal((await running).trailers?.["grpc-status"], "0");
  await once(session, "close");
});

test("keepalive asks at its pace, and gives up on a peer that is silent", async (context) => {
  const serving = await serve(context, echo, { "grpc.keepalive_time_ms": 20, "grpc.keepalive_timeout_ms": 60 });
  const session = await serving.session();
  await until(() => serving.server.getStatistics().keepAlivesSent >= 3);
  assert.equal(session.destroyed, false, "node answers pings");
  session.destroy();
  const { connect: connectTcp } = await import("node:net");
  const silent = connectTcp(serving.port, "127.0.0.1");
  silent.on("error", () => undefined);
  // A preface and SETTINGS, then never a word.
  silent.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])]));
  const start = Date.now();
  await once(silent.resume(), "close");
  assert.ok(Date.now() - start < 60_000);
});

test("back-pressure: a writer waits for a client that does not read, and memory stays bounded", async (context) => {
  const text = "x".repeat(10_000);
  let written = 0;
  let finished = false;
  const serving = await serve(context, {
    async Server(call: ServerWritableStream<Note, Note>) {
      for (; written < 2_000; written += 1) {
        if (!call.write({ text })) await once(call as never, "drain");
      }
      finished = true;
      call.end();
    },
  });
  const session = await serving.session();
  const request = session.request({ ":method": "POST", ":path": "/notes.Notes/Server", "content-type": "application/grpc", te: "trailers" });
  request.end(framed('{"text":""}'));
  await until(() => written > 10);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const stuck = written;
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(written, stuck, "no writes while the client does not read");
  assert.ok(stuck < 100, `${stuck} messages of 10 kB are ahead of a window of 64 kB`);
  let length = 0;
  request.on("data", (data: Buffer) => (length += data.length));
  await once(request, "end");
  assert.deepEqual([finished, length], [true, 2_000 * (framed(JSON.stringify({ text })).length)]);
});

test("back-pressure: a client waits for a handler that does not read", async (context) => {
  let call: ServerDuplexStream<Note, Note> | null = null;
  const serving = await serve(
    context,
    {
      Bidi(started: ServerDuplexStream<Note, Note>) {
        call = started;
      },
    },
    { "grpc-node.flow_control_window": 65_535 },
  );
  const session = await serving.session();
  const request = session.request({ ":method": "POST", ":path": "/notes.Notes/Bidi", "content-type": "application/grpc", te: "trailers" }, { endStream: false });
  const message = framed(JSON.stringify({ text: "x".repeat(10_000) }));
  let accepted = 0;
  const push = (): void => {
    request.write(message, () => {
      accepted += 1;
      if (accepted < 300) push();
      else request.end();
    });
  };
  push();
  await until(() => call !== null);
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.ok(accepted < 100, `${accepted} messages of 10 kB passed a window of 64 kB`);
  let received = 0;
  const started = call as unknown as ServerDuplexStream<Note, Note>;
  started.on("data", () => (received += 1));
  await once(started as never, "end");
  assert.equal(received, 300);
  started.end();
  request.resume();
  await once(request, "close");
});

for (const [name, server, client] of [
  ["plain text", ServerCredentials.createInsecure(), grpcJs.credentials.createInsecure()],
  ["TLS", ServerCredentials.createSsl(null, [{ private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE }]), grpcJs.credentials.createSsl(AUTHORITY)],
] as const) {
  test(`connections that a program accepted itself are served over ${name}, until the injector ends`, async (context) => {
    const serving = await serve(context, echo);
    assert.throws(() => { (serving.server as unknown as { createConnectionInjector(credentials: unknown): void }).createConnectionInjector({}); }, TypeError);
    const injector = serving.server.createConnectionInjector(server);
    const listener = createServer((socket) => {
      injector.injectConnection(socket);
    }).listen(0, "127.0.0.1");
    context.after(() => listener.close());
    await once(listener, "listening");
    const Client = grpcJs.makeClientConstructor(notes, "notes.Notes");
    const { port } = listener.address() as AddressInfo;
    const injected = new Client(`localhost:${port}`, client, { "grpc.use_local_subchannel_pool": 1 }) as unknown as NotesClient;
    context.after(() => { injected.close(); });
    assert.equal((await unary(injected, { text: "x" })).code, status.OK);
    assert.equal(serving.server.getStatistics().connections, 1);
    injector.drain(1_000);
    await until(() => serving.server.getStatistics().connections === 0);
    assert.equal((await unary(injected, { text: "x" })).code, status.OK);
    injector.destroy();
    await until(() => serving.server.getStatistics().connections === 0);
    assert.equal((await unary(injected, { text: "x" })).code, status.UNAVAILABLE);
  });
}

test("thousands of cancelled calls leave nothing behind", async (context) => {
  const { handler, waiting, cancelled } = pendingCalls();
  const serving = await serve(context, { Unary: handler }, { "samewire.http2": { resetBurst: 100_000 } });
  const session = await serving.session();
  for (let round = 0; round < 30; round += 1) {
    const requests = Array.from({ length: 100 }, () => {
      const request = session.request({ ":method": "POST", ":path": "/notes.Notes/Unary", "content-type": "application/grpc", te: "trailers" });
      request.on("error", () => undefined);
      request.end(framed('{"text":"x"}'));
      return request;
    });
    await until(() => waiting.length === (round + 1) * 100);
    for (const request of requests) request.close(8);
    await until(() => cancelled() === (round + 1) * 100);
  }
  const { callsStarted, callsFailed, callsSucceeded } = serving.server.getStatistics();
  assert.deepEqual([callsStarted, callsFailed, callsSucceeded], [3_000, 3_000, 0]);
  for (const answer of waiting) answer(null, { text: "too late" });
  await shutdown(serving.server);
});

test("statistics tell about each connection", async (context) => {
  const serving = await serve(context, echo);
  const client = serving.client();
  await unary(client, { text: "" }, new grpcJs.Metadata());
  const [only] = serving.server.getConnectionStatistics();
  assert.equal(serving.server.getConnectionStatistics().length, 1);
  assert.match(only?.local ?? "", new RegExp(`:${serving.port}$`));
  assert.deepEqual([only?.statistics.callsSucceeded, only?.statistics.messagesSent], [1, 1]);
  assert.ok(new Metadata().isEmpty);
});
