import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  CallCredentials,
  Channel,
  Client,
  connectivityState,
  credentials,
  getClientChannel,
  InterceptingCall,
  InterceptorConfigurationError,
  ListenerBuilder,
  logVerbosity,
  makeClientConstructor,
  Metadata,
  propagate,
  RequesterBuilder,
  setLogger,
  setLogVerbosity,
  status,
  waitForClientReady,
  type Interceptor,
  type ServiceError,
} from "../../src/grpc/index.js";
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { codeOf, connect, makers, pause, service, startPeer, unary, type Item } from "./peers.js";

const secure = { ca: AUTHORITY, cert: SERVER_CERTIFICATE, key: SERVER_KEY };
const named = { "grpc.ssl_target_name_override": "localhost", "grpc.initial_reconnect_backoff_ms": 50 };

for (const maker of makers) {
  test(`TLS with a server of ${maker}: the right roots only, and mutual when asked`, async () => {
    const peer = await startPeer(maker, undefined, { ...secure, mutual: false });
    const trusting = connect(peer, named, credentials.createSsl(AUTHORITY));
    assert.equal((await unary(trusting, { text: "safe" })).text, "safe");
    const call = trusting.Unary({}, () => undefined);
    await once(call, "status");
    assert.equal(call.getAuthContext()?.transportSecurityType, "ssl");
    assert.ok(call.getAuthContext()?.sslPeerCertificate?.subject);
    const doubting = connect(peer, named);
    const untrusted = connect(peer, named, credentials.createSsl());
    const other = connect(peer, { ...named, "grpc.ssl_target_name_override": "example.com" }, credentials.createSsl(AUTHORITY));
    for (const client of [doubting, untrusted, other]) {
      assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
      client.close();
    }
    const lenient = connect(peer, named, credentials.createSsl(null, null, null, { rejectUnauthorized: false }));
    await unary(lenient, {});
    const checked: string[] = [];
    const checking = connect(peer, named, credentials.createSsl(AUTHORITY, null, null, { checkServerIdentity: (host) => { checked.push(host); return undefined; } }));
    await unary(checking, {});
    assert.deepEqual(checked, ["localhost"]);
    for (const client of [trusting, lenient, checking]) client.close();
    peer.stop();

    const strict = await startPeer(maker, undefined, { ...secure, mutual: true });
    const known = connect(strict, named, credentials.createSsl(AUTHORITY, CLIENT_KEY, CLIENT_CERTIFICATE));
    assert.equal((await unary(known, { text: "both" })).text, "both");
    const unknown = connect(strict, named, credentials.createSsl(AUTHORITY));
    assert.equal(await codeOf(unary(unknown, {}, { deadline: Date.now() + 3_000 })), status.UNAVAILABLE);
    known.close();
    unknown.close();
    strict.stop();
  });

  test(`unix sockets of ${maker}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "samewire-"));
    try {
      const peer = await startPeer(maker, `unix:${join(folder, "a.sock")}`);
      const client = connect(peer);
      assert.equal((await unary(client, { text: "near" })).text, "near");
      client.close();
      peer.stop();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test("a name is looked up", async () => {
  const peer = await startPeer("grpc-js", "localhost:0");
  const client = connect({ address: peer.address.replace("127.0.0.1", "localhost") });
  assert.equal((await unary(client, { number: 1 })).number, 1);
  assert.match(getClientChannel(client).getTarget(), /^dns:localhost:\d+$/);
  client.close();
  peer.stop();
});

test("call credentials add metadata to every call, of the channel first asked and of the call", async () => {
  const peer = await startPeer("grpc-js", undefined, { ...secure, mutual: false });
  const urls: string[] = [];
  const generated = (name: string) => CallCredentials.createFromMetadataGenerator((options, callback) => {
    urls.push(options.service_url);
    const metadata = new Metadata();
    metadata.set(name, "token");
    setTimeout(callback, 5, null, metadata);
  });
  const channel = credentials.combineChannelCredentials(credentials.createSsl(AUTHORITY), generated("channel-token"));
  const client = connect(peer, named, channel);
  await unary(client, {}, { credentials: generated("call-token") });
  const seen = peer.events.metadata.at(-1)!;
  assert.equal(seen["channel-token"], "token");
  assert.equal(seen["call-token"], "token");
  assert.deepEqual(new Set(urls), new Set(["https://127.0.0.1/test.Echo"]));
  const failing = CallCredentials.createFromMetadataGenerator((_options, callback) => { callback(Object.assign(new Error("no token"), { code: status.PERMISSION_DENIED })); });
  await assert.rejects(unary(client, {}, { credentials: failing }), (error: ServiceError) => error.code === status.PERMISSION_DENIED && error.details.includes("no token"));
  assert.throws(() => credentials.combineChannelCredentials(credentials.createInsecure(), failing), /Cannot compose insecure credentials/);
  assert.throws(() => credentials.createSsl("x" as unknown as Buffer), TypeError);
  assert.throws(() => credentials.createSsl(null, CLIENT_KEY), /certificate chain/);
  client.close();
  peer.stop();
});

/** Notes what passes, and changes messages both ways. */
function tracing(name: string, log: string[]): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(
      nextCall(options),
      new RequesterBuilder()
        .withStart((metadata, _listener, next) => {
          log.push(`${name} start ${options.method_definition.path}`);
          metadata.set(name, "was here");
          next(
            metadata,
            new ListenerBuilder()
              .withOnReceiveMetadata((received, pass) => { log.push(`${name} metadata`); setTimeout(pass, 5, received); })
              .withOnReceiveMessage((message: Item | null, pass) => { log.push(`${name} message`); pass(message === null ? null : { ...message, text: `${message.text ?? ""}${name}` }); })
              .withOnReceiveStatus((ended, pass) => { log.push(`${name} status ${ended.code}`); pass(ended); })
              .build(),
          );
        })
        .withSendMessage((message: Item, next) => { log.push(`${name} send`); setTimeout(next, 5, message); })
        .withHalfClose((next) => { log.push(`${name} half-close`); next(); })
        .withCancel((next) => { log.push(`${name} cancel`); next(); })
        .build(),
    );
}

test("interceptors see and change everything, in order, for all kinds of calls", async () => {
  const peer = await startPeer("grpc-js");
  const log: string[] = [];
  const client = connect(peer, { interceptors: [tracing("a", log), tracing("b", log)] });
  assert.equal((await unary(client, { text: ">" })).text, ">ba");
  assert.equal(peer.events.metadata.at(-1)!["b"], "was here");
  assert.ok(log.indexOf("b message") < log.indexOf("a message") && log.indexOf("b status 0") < log.indexOf("a status 0"));
  const up = await new Promise<Item>((resolve, reject) => {
    const call = client.Up((error, value) => { if (error === null) resolve(value!); else reject(error); });
    for (let number = 0; number < 5; number += 1) call.write({ number });
    call.end();
  });
  assert.equal(up.number, 10);
  const texts = ((await client.Down({ count: 3 }).toArray()) as Item[]).map(({ text }) => text);
  assert.deepEqual(texts, ["ba", "ba", "ba"]);
  const both = client.Both();
  both.write({ text: "x" });
  const [item] = (await once(both, "data")) as [Item];
  assert.equal(item.text, "xba");
  both.end();
  both.resume();
  await once(both, "status");
  log.length = 0;
  assert.equal(await codeOf(new Promise((_resolve, reject) => { const call = client.Unary({ wait: 2_000 }, reject); setTimeout(() => { call.cancel(); }, 40); })), status.CANCELLED);
  assert.ok(log.includes("b cancel"));
  assert.equal(await codeOf(unary(client, { code: 5 })), status.NOT_FOUND);
  assert.equal((await unary(client, { text: ">" }, { interceptors: [tracing("c", log)] })).text, ">c");
  client.close();
  peer.stop();
});

test("an interceptor may answer by itself, and providers choose by method", async () => {
  const cached: Interceptor = () =>
    new InterceptingCall({
      start: (_metadata, listener) => {
        setTimeout(() => {
          listener?.onReceiveMetadata?.(new Metadata());
          listener?.onReceiveMessage?.({ text: "cached" });
          listener?.onReceiveStatus?.({ code: status.OK, details: "", metadata: new Metadata() });
        }, 1);
      },
      sendMessage: () => undefined, sendMessageWithContext: () => undefined, startRead: () => undefined, halfClose: () => undefined,
      cancelWithStatus: () => undefined, getPeer: () => "cache", getAuthContext: () => null,
    });
  const client = new Client("127.0.0.1:1", credentials.createInsecure(), {
    interceptor_providers: [(definition) => (definition.path.endsWith("Unary") ? cached : null)],
  });
  const { path, requestSerialize, responseDeserialize } = service.Unary;
  const answer = await new Promise((resolve) => { client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, (_error, value) => { resolve(value); }); });
  assert.deepEqual(answer, { text: "cached" });
  client.close();
  assert.throws(() => new Client("x:1", credentials.createInsecure(), { interceptors: [cached], interceptor_providers: [() => cached] }), InterceptorConfigurationError);
});

test("a transformer changes calls before they begin", async () => {
  const peer = await startPeer("grpc-js");
  const client = connect(peer, {
    callInvocationTransformer: (properties) => {
      properties.metadata.set("transformed", "yes");
      return { ...properties, argument: { text: "other" } };
    },
  });
  assert.equal((await unary(client, { text: "mine" })).text, "other");
  assert.equal(peer.events.metadata.at(-1)!["transformed"], "yes");
  client.close();
  peer.stop();
});

test("a parent call passes its deadline and its cancellation on, as the flags say", async () => {
  const peer = await startPeer("samewire");
  const client = connect(peer);
  const parent = Object.assign(new EventEmitter(), { getDeadline: () => Date.now() + 60, cancelled: false });
  assert.equal(await codeOf(unary(client, { wait: 2_000 }, { parent })), status.DEADLINE_EXCEEDED);
  const lasting = Object.assign(new EventEmitter(), { getDeadline: () => Infinity, cancelled: false });
  const call = codeOf(unary(client, { wait: 2_000 }, { parent: lasting }));
  setTimeout(() => lasting.emit("cancelled"), 30);
  assert.equal(await call, status.CANCELLED);
  assert.equal(lasting.listenerCount("cancelled"), 0);
  const free = unary(client, { wait: 100 }, { parent, propagate_flags: propagate.CENSUS_STATS_CONTEXT });
  parent.emit("cancelled");
  await free;
  client.close();
  peer.stop();
});

test("a client of the constructor has the service's methods under both names", async () => {
  const peer = await startPeer("samewire");
  const Echo = makeClientConstructor({ unary: { ...service.Unary, originalName: "Unary" } }, "test.Echo");
  assert.equal(Echo.serviceName, "test.Echo");
  const client = new Echo(peer.address, credentials.createInsecure());
  await new Promise<void>((resolve, reject) => { waitForClientReady(client, Date.now() + 5_000, (error) => { if (error) reject(error); else resolve(); }); });
  assert.equal(getClientChannel(client).getConnectivityState(false), connectivityState.READY);
  const unaryOf = client["Unary"] as { path: string };
  assert.equal(unaryOf.path, "/test.Echo/Unary");
  assert.deepEqual(await unary({ Unary: (client["unary"] as () => unknown).bind(client) }, { number: 1 }), { number: 1 });
  client.close();
  assert.throws(() => makeClientConstructor({ $bad: service.Unary }, "x"), /cannot start with \$/);
  await assert.rejects(new Promise<void>((resolve, reject) => { client.waitForReady(Date.now() + 50, (error) => { if (error) reject(error); else resolve(); }); }));
  peer.stop();
});

test("an idle client lets the process end, one with a call under way does not", async () => {
  const { execFile } = await import("node:child_process");
  const peer = await startPeer("samewire");
  const program = (body: string) => `
    import * as grpc from ${JSON.stringify(new URL("../../src/grpc/index.js", import.meta.url).href)};
    const bytes = (value) => value;
    const client = new grpc.Client(${JSON.stringify(peer.address)}, grpc.credentials.createInsecure());
    ${body}`;
  const run = (body: string) => new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "-e", program(body)], { timeout: 10_000 }, (error, stdout) => { if (error === null) resolve(stdout); else reject(new Error(error.message)); });
  });
  const call = (text: string) => `client.makeUnaryRequest("/test.Echo/Unary", bytes, (b) => b.toString(), Buffer.from(${JSON.stringify(JSON.stringify({ text, wait: 200 }))}), (error, value) => console.log(error ?? value));`;
  assert.match(await run(call("ended")), /ended/);
  await pause(10);
  peer.stop();
});

test("the library's messages go to the logger that was set, if they are severe enough", () => {
  const heard: unknown[] = [];
  setLogger({ debug: (text: unknown) => heard.push(text), error: (text: unknown) => heard.push(text) });
  try {
    new Channel("localhost:1", credentials.createInsecure()).close();
    assert.equal(heard.length, 0);
    setLogVerbosity(logVerbosity.DEBUG);
    new Channel("localhost:2", credentials.createInsecure()).close();
    assert.equal(heard.length, 2);
    assert.match(String(heard[0]), /channel \d+ to localhost:2 made/);
  } finally {
    setLogger(console);
    setLogVerbosity(logVerbosity.ERROR);
  }
});
