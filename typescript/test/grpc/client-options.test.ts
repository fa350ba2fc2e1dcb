import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSecureContext } from "node:tls";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { loadSync } from "@grpc/proto-loader";
import {
  CallCredentials, Channel, Metadata, Server, ServerCredentials, compressionAlgorithms, createClient, createServer, credentials, getClientChannel, loadPackageDefinition, makeClientConstructor, status,
} from "../../src/grpc/index.js";
import type { ClientOptions, OAuth2Client, ServerUnaryCall, ServiceClientConstructor, sendUnaryData } from "../../src/grpc/index.js";
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { codeOf, connect, service, startPeer, unary, type Item } from "./peers.js";
import { rawServer, refuse, reply } from "./raw-server.js";
import { bind } from "./serving.js";

/* Options and credentials of grpc-js, each by what a server sees of it. */

const secure = { ca: AUTHORITY, cert: SERVER_CERTIFICATE, key: SERVER_KEY, mutual: false };

test("authority and user agent are what the options say", async (context) => {
  const seen: unknown[] = [];
  const server = await rawServer((stream, headers) => {
    seen.push([headers[":authority"], headers["user-agent"]]);
    reply(stream, {});
  });
  context.after(() => server.close());
  const ask = async (options: ClientOptions, host?: string): Promise<void> => {
    const client = connect(server, options);
    await unary(client, {}, new Metadata(), host === undefined ? {} : { host });
    client.close();
  };
  await ask({});
  await ask({ "grpc.default_authority": "one.example", "grpc.ssl_target_name_override": "two.example", "grpc.primary_user_agent": "mine/1", "grpc.secondary_user_agent": "also/2" });
  await ask({ "grpc.ssl_target_name_override": "two.example" });
  await ask({ "grpc.default_authority": "one.example" }, "host.example");
  const own = "grpc-node-samewire/0.1.0";
  assert.deepEqual(seen, [[server.address, own], ["one.example", `mine/1 ${own} also/2`], [server.address, own], ["host.example", own]]);
});

test("attempts of a policy are limited by the option", async (context) => {
  const server = await rawServer((stream) => { refuse(stream, status.UNAVAILABLE); });
  context.after(() => server.close());
  const retryPolicy = { maxAttempts: 5, initialBackoff: "0.001s", maxBackoff: "0.001s", backoffMultiplier: 1, retryableStatusCodes: ["UNAVAILABLE"] };
  const config = { "grpc.service_config": JSON.stringify({ methodConfig: [{ name: [{}], retryPolicy }] }) };
  const client = connect(server, { ...config, "grpc-node.retry_max_attempts_limit": 2 });
  assert.equal(await codeOf(unary(client, {})), status.UNAVAILABLE);
  assert.equal(server.streams, 2);
  client.close();
});

test("a shuffled list is not always tried in its order", async (context) => {
  const peers = await Promise.all([startPeer("samewire"), startPeer("samewire")]);
  context.after(() => { for (const peer of peers) peer.stop(); });
  const options = { "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ pick_first: { shuffleAddressList: true } }] }) };
  // Each order has one chance in two: that 60 clients choose the same has one in 2^59.
  for (let at = 0; at < 60 && peers.some(({ events }) => events.handled === 0); at += 1) {
    const client = connect({ address: `ipv4:${peers.map(({ address }) => address).join(",")}` }, options);
    await unary(client, {});
    client.close();
  }
  assert.ok(peers.every(({ events }) => events.handled > 0));
});

test("max_concurrent_streams of a server makes calls wait for each other", async (context) => {
  const peer = await startPeer("samewire", undefined, undefined, { "grpc.max_concurrent_streams": 1 });
  const client = connect(peer);
  context.after(() => { client.close(); peer.stop(); });
  await unary(client, {});
  const begun = performance.now();
  await Promise.all([1, 2, 3].map(() => unary(client, { wait: 30 })));
  assert.ok(performance.now() - begun >= 85);
});

test("call credentials of both generations of Google's clients, combined and empty", async (context) => {
  const peer = await startPeer("samewire", undefined, secure);
  context.after(() => { peer.stop(); });
  const urls: (string | undefined)[] = [];
  const modern: OAuth2Client = { getRequestHeaders: (url) => { urls.push(url); return Promise.resolve({ one: "1" }); } };
  const web: OAuth2Client = { getRequestHeaders: () => Promise.resolve(new Map([["two", "2"]])) };
  const old: OAuth2Client = { getRequestMetadata: (url, callback) => { urls.push(url); callback(null, { three: "3" }); } };
  const failing: OAuth2Client = { getRequestMetadata: (_url, callback) => { callback(new Error("no token")); } };
  const [first, ...others] = [modern, web, old].map((client) => credentials.createFromGoogleCredential(client));
  const all = credentials.combineCallCredentials(CallCredentials.createEmpty(), first!, ...others);
  const client = connect(peer, { "grpc.ssl_target_name_override": "localhost" }, credentials.combineChannelCredentials(credentials.createSsl(AUTHORITY), all));
  context.after(() => { client.close(); });
  await unary(client, {});
  const { one, two, three } = peer.events.metadata[0]!;
  assert.deepEqual([one, two, three], ["1", "2", "3"]);
  assert.deepEqual(urls, ["https://127.0.0.1/test.Echo", "https://127.0.0.1/test.Echo"]);
  assert.equal(await codeOf(unary(client, {}, new Metadata(), { credentials: credentials.createFromGoogleCredential(failing) })), status.UNAUTHENTICATED);
  assert.throws(() => credentials.combineChannelCredentials(credentials.createInsecure(), all), /insecure/);
});

test("a secure context of the caller's, and roots and ciphers from the environment", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "samewire-"));
  const peer = await startPeer("samewire", undefined, secure);
  context.after(() => {
    peer.stop();
    rmSync(folder, { recursive: true });
    for (const name of ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "GRPC_SSL_CIPHER_SUITES"]) Reflect.deleteProperty(process.env, name);
  });
  const code = async (channel = credentials.createSsl()): Promise<number> => {
    const client = connect(peer, { "grpc.ssl_target_name_override": "localhost" }, channel);
    const found = await codeOf(unary(client, {}));
    client.close();
    return found;
  };
  assert.equal(await code(credentials.createFromSecureContext(createSecureContext({ ca: AUTHORITY }))), 0);
  assert.equal(await code(), status.UNAVAILABLE);
  writeFileSync(join(folder, "roots.pem"), AUTHORITY);
  process.env["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"] = join(folder, "roots.pem");
  assert.equal(await code(), 0);
  process.env["GRPC_SSL_CIPHER_SUITES"] = "no such cipher";
  assert.throws(() => credentials.createSsl(), /cipher/i);
});

test("clients share a channel, or have one of their own making", async (context) => {
  const peer = await startPeer("samewire");
  context.after(() => { peer.stop(); });
  const client = connect(peer);
  const sharing = connect({ address: "ignored:1" }, { channelOverride: getClientChannel(client) });
  assert.equal(getClientChannel(sharing), getClientChannel(client));
  await unary(sharing, {});
  const asked: unknown[] = [];
  const making = connect({ address: "asked:1" }, {
    "grpc.primary_user_agent": "x",
    channelFactoryOverride: (address, channel, options) => {
      asked.push(address, options);
      return new Channel(peer.address, channel, options);
    },
  });
  await unary(making, {});
  assert.deepEqual(asked, ["asked:1", { "grpc.primary_user_agent": "x" }]);
  client.close();
  making.close();
});

test("a flag of a write leaves one message of a compressed stream as it is", async (context) => {
  const flags: (number | undefined)[] = [];
  const server = await rawServer((stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      for (let rest = Buffer.concat(chunks); rest.length > 0; rest = rest.subarray(5 + rest.readUInt32BE(1))) flags.push(rest[0]);
      reply(stream, {});
    });
  });
  context.after(() => server.close());
  const client = connect(server, { "grpc.default_compression_algorithm": compressionAlgorithms.gzip });
  context.after(() => { client.close(); });
  await new Promise<void>((resolve, reject) => {
    const call = client.Up((error) => { if (error) reject(error); else resolve(); });
    call.write({ text: "x".repeat(100) });
    // grpc-js takes the flags where streams of node take an encoding: 2 stands for "no compression".
    call.write({ text: "x".repeat(100) }, 2);
    call.end({ text: "x".repeat(100) });
  });
  assert.deepEqual(flags, [1, 0, 1]);
});

test("definitions of proto-loader serve both interfaces", async (context: TestContext) => {
  const proto = dirname(createRequire(import.meta.url).resolve("@grpc/grpc-js/package.json"));
  const loaded = loadSync("channelz.proto", { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true, includeDirs: [join(proto, "proto")] });
  const { Channelz } = (loadPackageDefinition(loaded) as unknown as { grpc: { channelz: { v1: { Channelz: ServiceClientConstructor } } } }).grpc.channelz.v1;
  const answer = (id: string): object => ({ server: { ref: { server_id: id, name: `number ${id}` } } });

  const old = new Server();
  old.addService(Channelz.service, {
    GetServer: (call: ServerUnaryCall<{ server_id: string }, object>, callback: sendUnaryData<object>) => { callback(null, answer(call.request.server_id)); },
  });
  const modern = createServer().add(Channelz.service, { GetServer: (request: unknown) => Promise.resolve(answer((request as { server_id: string }).server_id)) } as never);
  const ports = [await bind(old, "127.0.0.1:0", ServerCredentials.createInsecure()), await modern.serve("127.0.0.1:0")];
  context.after(() => modern.close(100));
  context.after(() => { old.forceShutdown(); });
  interface Reply { server: { ref: { server_id: string; name: string } } }
  for (const port of ports) {
    const big = "9007199254740993";
    const client = new Channelz(`127.0.0.1:${port}`, credentials.createInsecure());
    const classic = await new Promise<Reply>((resolve, reject) => {
      (client["getServer"] as (request: object, done: (error: Error | null, reply?: Reply) => void) => void).call(client, { server_id: big }, (error, reply) => { if (error) reject(error); else resolve(reply!); });
    });
    assert.equal(classic.server.ref.name, `number ${big}`);
    client.close();
    const calls = createClient(Channelz.service, `127.0.0.1:${port}`);
    assert.deepEqual(await (calls["GetServer"] as (request: object) => Promise<Reply>)({ server_id: big }), classic);
    await calls[Symbol.asyncDispose]();
  }
});

test("a generic client makes calls without a definition", async (context) => {
  const peer = await startPeer("grpc-js");
  const Generic = makeClientConstructor({}, "");
  const client = new Generic(peer.address, credentials.createInsecure());
  context.after(() => { client.close(); peer.stop(); });
  const { path, requestSerialize, responseDeserialize } = service.Both;
  const call = client.makeBidiStreamRequest<Item, Item>(path, requestSerialize, responseDeserialize);
  const heard: Item[] = [];
  call.on("data", (item: Item) => heard.push(item));
  call.write({ number: 1 });
  call.end({ number: 2 });
  await new Promise((resolve) => call.on("status", resolve));
  assert.deepEqual(heard, [{ number: 1 }, { number: 2 }]);
});
