import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import * as grpcJs from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import * as samewire from "../../src/grpc/index.js";
import { ipBytes } from "../../src/grpc/channelz/sockets.js";
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { implementation, service, type EchoClient, type Item } from "./peers.js";
import { bind, until } from "./serving.js";

/* What grpc-js reads of our answers with the proto file that it brings along: names and numbers of the fields are
   judged by it. */
/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call */
/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return */

const proto = join(dirname(createRequire(import.meta.url).resolve("@grpc/grpc-js/package.json")), "proto");
const loaded = loadSync("channelz.proto", { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true, includeDirs: [proto] });
const Theirs = (grpcJs.loadPackageDefinition(loaded) as any).grpc.channelz.v1.Channelz as grpcJs.ServiceClientConstructor;
const Ours = samewire.makeClientConstructor(samewire.getChannelzServiceDefinition(), "grpc.channelz.v1.Channelz");
const Echo = samewire.makeClientConstructor(service, "test.Echo");

type Ask = (method: string, request?: object) => Promise<any>;

function asker(client: any): Ask {
  return (method, request = {}) =>
    new Promise((resolve, reject) => { client[method](request, (error: Error | null, reply: unknown) => { if (error) reject(error); else resolve(reply); }); });
}

interface Scene {
  server: samewire.Server;
  client: EchoClient;
  /** Asks as a client of grpc-js, on a connection of its own. */
  ask: Ask;
  /** As `ask`, by a client of ours. */
  askOurs: Ask;
}

/** An echo service with a client, and channelz on another server. */
async function scene(context: TestContext, options: samewire.ChannelOptions = {}, secure = false, address = "localhost:0"): Promise<Scene> {
  const server = new samewire.Server(options);
  server.addService(service, implementation({ cancelled: 0, handled: 0, metadata: [] }));
  const admin = new samewire.Server();
  samewire.addAdminServicesToServer(admin);
  const pair = { private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE };
  const credentials = secure ? samewire.ServerCredentials.createSsl(null, [pair]) : samewire.ServerCredentials.createInsecure();
  const port = await bind(server, address, credentials);
  const target = address.startsWith("unix:") ? address : `localhost:${port}`;
  const client = new Echo(target, secure ? samewire.credentials.createSsl(AUTHORITY) : samewire.credentials.createInsecure(), options) as unknown as EchoClient;
  const adminAddress = `localhost:${await bind(admin, "localhost:0")}`;
  const theirs = new Theirs(adminAddress, grpcJs.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  const ours = new Ours(adminAddress, samewire.credentials.createInsecure());
  context.after(() => {
    for (const each of [client, theirs, ours]) each.close();
    server.forceShutdown();
    admin.forceShutdown();
  });
  return { server, client, ask: asker(theirs), askOurs: asker(ours) };
}

const call = (client: EchoClient, item: Item): Promise<number> =>
  new Promise((resolve) => { client.Unary(item, (error) => { resolve(error?.code ?? 0); }); });

const calls = (data: any): string => [data.calls_started, data.calls_succeeded, data.calls_failed].join(" ");
const streams = (data: any): string => [data.streams_started, data.streams_succeeded, data.streams_failed, data.messages_sent, data.messages_received].join(" ");

test("channelz counts calls of a channel, its address, the server and both ends of the connection", async (context) => {
  const { server, client, ask, askOurs } = await scene(context);
  assert.equal(await call(client, { text: "fine" }), 0);
  assert.equal(await call(client, { code: 3 }), 3);
  const cancelled = client.Unary({ wait: 1_000 }, () => undefined);
  await until(() => server.getStatistics().messagesReceived === 3);
  cancelled.cancel();
  await until(() => server.getStatistics().callsFailed === 2);

  const { id } = client.getChannel().getChannelzRef();
  const { channel } = await ask("GetChannel", { channel_id: id });
  assert.equal(channel.ref.channel_id, String(id));
  assert.equal(calls(channel.data), "3 1 2");
  assert.equal(channel.data.state.state, "READY");
  assert.match(channel.data.target, /^localhost:\d+$/);
  const states = channel.data.trace.events.map((event: any) => event.description);
  assert.deepEqual(states, ["Connectivity state change to CONNECTING", "Connectivity state change to READY"]);
  assert.equal(channel.data.trace.num_events_logged, "2");
  assert.ok(Math.abs(Number(channel.data.trace.creation_timestamp.seconds) - Date.now() / 1_000) < 60);

  const used = channel.subchannel_ref.length === 1 ? channel.subchannel_ref[0] : channel.subchannel_ref.find((ref: any) => ref.name.startsWith("127."));
  const { subchannel } = await ask("GetSubchannel", { subchannel_id: used.subchannel_id });
  assert.equal(calls(subchannel.data), "3 1 2");
  const theirEnd = (await ask("GetSocket", { socket_id: subchannel.socket_ref[0].socket_id })).socket;
  assert.equal(streams(theirEnd.data), "3 2 1 3 1");
  assert.equal(theirEnd.security, null);

  const { id: serverId } = server.getChannelzRef();
  const found = (await ask("GetServer", { server_id: serverId })).server;
  assert.equal(calls(found.data), "3 1 2");
  const listening = (await ask("GetSocket", { socket_id: found.listen_socket[0].socket_id })).socket;
  assert.equal(listening.remote, null);
  const { socket_ref: sockets, end } = await ask("GetServerSockets", { server_id: serverId });
  assert.deepEqual([sockets.length, end], [1, true]);
  const ourEnd = (await ask("GetSocket", { socket_id: sockets[0].socket_id })).socket;
  assert.equal(streams(ourEnd.data), "3 2 1 1 3");
  assert.deepEqual(ourEnd.remote, theirEnd.local);
  assert.equal(ourEnd.local.tcpip_address.port, Number(channel.data.target.split(":")[1]));
  // Our own reader of these messages gives what proto-loader gives.
  for (const [method, request] of [
    ["GetChannel", { channel_id: id }],
    ["GetSubchannel", { subchannel_id: used.subchannel_id }],
    ["GetSocket", { socket_id: sockets[0].socket_id }],
    ["GetServer", { server_id: serverId }],
  ] as const) {
    assert.deepEqual(await askOurs(method, request), JSON.parse(JSON.stringify(await ask(method, request)), revive), method);
  }
});

/** Buffers as they were before JSON; proto-loader's objects without their prototypes. */
function revive(_key: string, value: any): unknown {
  return value?.type === "Buffer" ? Buffer.from(value.data) : value;
}

test("channelz tells TLS, unix sockets, and what is not there", async (context) => {
  const secure = await scene(context, {}, true);
  await call(secure.client, {});
  const sockets = (await secure.ask("GetServerSockets", { server_id: secure.server.getChannelzRef().id })).socket_ref;
  const { tls } = (await secure.ask("GetSocket", { socket_id: sockets[0].socket_id })).socket.security;
  assert.match(tls.standard_name, /^TLS_/);
  assert.ok(tls.local_certificate.length > 100);
  assert.equal(tls.remote_certificate.length, 0);

  const folder = mkdtempSync(join(tmpdir(), "samewire-"));
  context.after(() => { rmSync(folder, { recursive: true }); });
  const local = await scene(context, {}, false, `unix:${folder}/socket`);
  await call(local.client, {});
  const { listen_socket: listening } = (await local.ask("GetServer", { server_id: local.server.getChannelzRef().id })).server;
  const { socket } = await local.ask("GetSocket", { socket_id: listening[0].socket_id });
  assert.equal(socket.local.uds_address.filename, `${folder}/socket`);

  for (const method of ["GetChannel", "GetSubchannel", "GetSocket", "GetServer", "GetServerSockets"]) {
    await assert.rejects(local.ask(method), { code: samewire.status.NOT_FOUND });
  }
});

test("channelz lists in pages what is open, and forgets what is closed or does not want to be known", async (context) => {
  const { server, client, ask } = await scene(context);
  const hidden = await scene(context, { "grpc.enable_channelz": 0 });
  const all = async (): Promise<string[]> => (await ask("GetTopChannels")).channel.map((each: any) => each.ref.channel_id);
  const known = await all();
  assert.ok(known.includes(String(client.getChannel().getChannelzRef().id)));
  assert.ok(!known.includes(String(hidden.client.getChannel().getChannelzRef().id)));
  assert.equal(await call(hidden.client, {}), 0);
  const paged: string[] = [];
  for (let start = 0, end = false; !end; start = Number(paged.at(-1)) + 1) {
    const page = await ask("GetTopChannels", { start_channel_id: start, max_results: 1 });
    assert.equal(page.channel.length, 1);
    paged.push(page.channel[0].ref.channel_id);
    ({ end } = page);
  }
  assert.deepEqual(paged, known);
  const { id } = client.getChannel().getChannelzRef();
  client.close();
  await assert.rejects(ask("GetChannel", { channel_id: id }), { code: samewire.status.NOT_FOUND });
  server.forceShutdown();
  await assert.rejects(ask("GetServer", { server_id: server.getChannelzRef().id }), { code: samewire.status.NOT_FOUND });
});

test("addresses as channelz has them", () => {
  assert.deepEqual([...ipBytes("127.0.0.1")], [127, 0, 0, 1]);
  assert.deepEqual([...ipBytes("::ffff:10.0.0.7")], [10, 0, 0, 7]);
  assert.equal(ipBytes("::1").toString("hex"), `${"0".repeat(31)}1`);
  assert.equal(ipBytes("fe80::12:ab%eth0").toString("hex"), "fe8000000000000000000000001200ab");
  assert.equal(ipBytes("1:2:3:4:5:6:7:8").toString("hex"), "00010002000300040005000600070008");
});
