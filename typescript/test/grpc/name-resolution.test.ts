import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Server, ServerCredentials, credentials, makeClientConstructor, status } from "../../src/grpc/index.js";
import type { ChannelOptions, UntypedServiceImplementation } from "../../src/grpc/index.js";
import { chooseConfig, configText } from "../../src/grpc/client/config-choice.js";
import { startNameServer, type NameServer } from "./name-server.js";
import { implementation, service, type EchoClient, type Events, type Item } from "./peers.js";
import { bind, until } from "./serving.js";

/* Names that a name server of our own answers for: lists of addresses, and service configurations in TXT records. */

const Echo = makeClientConstructor(service, "test.Echo");

/** Servers on one port of several loopback addresses. */
async function startServers(context: TestContext, count: number): Promise<{ port: number; hosts: string[]; events: Events[]; servers: Server[] }> {
  const hosts = Array.from({ length: count }, (_, at) => `127.0.0.${at + 1}`);
  const events: Events[] = hosts.map(() => ({ cancelled: 0, handled: 0, metadata: [] }));
  let port = 0;
  const servers: Server[] = [];
  for (const [at, host] of hosts.entries()) {
    const server = new Server();
    server.addService(service, implementation(events[at]!) as UntypedServiceImplementation);
    port = await bind(server, `${host}:${port}`, ServerCredentials.createInsecure());
    servers.push(server);
    context.after(() => { server.forceShutdown(); });
  }
  return { port, hosts, events, servers };
}

function connect(context: TestContext, names: NameServer, name: string, port: number, options: ChannelOptions = {}): EchoClient {
  const client = new Echo(`dns://${names.address}/${name}:${port}`, credentials.createInsecure(), options) as unknown as EchoClient;
  context.after(() => { client.close(); });
  return client;
}

const call = (client: EchoClient, item: Item = {}): Promise<number> =>
  new Promise((resolve) => { client.Unary(item, (error) => { resolve(error?.code ?? 0); }); });

const roundRobin = { loadBalancingConfig: [{ round_robin: {} }] };
const record = (...choices: object[]): string => `grpc_config=${JSON.stringify(choices)}`;

test("a service configuration from a TXT record: round robin over the name's addresses, connections that stand included", async (context) => {
  const names = await startNameServer(context);
  const { port, hosts, events } = await startServers(context, 3);
  const long = { methodConfig: [{ name: [], waitForReady: true }], ...roundRobin, comment: "x".repeat(600) };
  names.names.set("service.test", { A: hosts, TXT: ["v=spf1 -all", record({ clientLanguage: ["java"], serviceConfig: {} }, { serviceConfig: long })] });
  const client = connect(context, names, "service.test", port);
  await call(client);
  await until(() => client.getChannel().getConnectivityState(true) === 2 && names.asked.includes("TXT service.test"));
  // The configuration may come after the first call: from then on all servers are used.
  const used = (): number => events.filter(({ handled }) => handled > 0).length;
  while (used() < 3) assert.equal(await call(client), 0);
  const before = events.map(({ handled }) => handled);
  for (let at = 0; at < 30; at += 1) await call(client);
  assert.deepEqual(events.map(({ handled }, at) => handled - before[at]!), [10, 10, 10]);
});

test("a configuration from the DNS takes the place of the option, unless its look-up is switched off", async (context) => {
  const names = await startNameServer(context);
  const { port } = await startServers(context, 1);
  const impatient = { methodConfig: [{ name: [{ service: "test.Echo" }], timeout: "0.05s" }] };
  names.names.set("service.test", { A: ["127.0.0.1"], TXT: [record({ serviceConfig: impatient })] });
  const option = { "grpc.service_config": JSON.stringify({ methodConfig: [{ name: [{}], timeout: "30s" }] }) };
  const client = connect(context, names, "service.test", port, option);
  await call(client);
  let code = 0;
  while (code === 0) code = await call(client, { wait: 200 });
  assert.equal(code, status.DEADLINE_EXCEEDED);
  names.asked.length = 0;
  const other = connect(context, names, "service.test", port, { ...option, "grpc.service_config_disable_resolution": 1 });
  assert.equal(await call(other, { wait: 200 }), 0);
  assert.ok(names.asked.includes("A service.test"));
  assert.ok(!names.asked.includes("TXT service.test"));
});

test("a configuration that is none changes nothing, and the channel's trace tells", async (context) => {
  const names = await startNameServer(context);
  const { port } = await startServers(context, 1);
  names.names.set("service.test", { A: ["127.0.0.1"], TXT: [record({ serviceConfig: { methodConfig: 7 } })] });
  const client = connect(context, names, "service.test", port);
  assert.equal(await call(client), 0);
  const { core } = client.getChannel() as unknown as { core: { trace: { events: { text: string }[] } } };
  await until(() => core.trace.events.some(({ text }) => text.includes("methodConfig must be an array")));
  assert.equal(await call(client), 0);
});

test("a name that is not there fails calls with a reason, and is found once it is", async (context) => {
  const names = await startNameServer(context);
  const { port } = await startServers(context, 1);
  const client = connect(context, names, "late.test", port, { "grpc.initial_reconnect_backoff_ms": 50, "grpc.max_reconnect_backoff_ms": 50, "grpc.dns_min_time_between_resolutions_ms": 20 });
  assert.equal(await call(client), status.UNAVAILABLE);
  names.names.set("late.test", { A: ["127.0.0.1"] });
  await until(() => client.getChannel().getConnectivityState(true) === 2);
  assert.equal(await call(client), 0);
});

test("round robin follows the name: an address that comes is used, one that goes is left", async (context) => {
  const names = await startNameServer(context);
  const { port, hosts, events, servers } = await startServers(context, 3);
  names.names.set("service.test", { A: hosts.slice(0, 2) });
  const client = connect(context, names, "service.test", port, { "grpc.service_config": JSON.stringify(roundRobin), "grpc.dns_min_time_between_resolutions_ms": 20, "grpc.initial_reconnect_backoff_ms": 20 });
  while (events.filter(({ handled }) => handled > 0).length < 2) await call(client);
  names.names.set("service.test", { A: hosts.slice(1) });
  // A connection that ends has the name looked up again.
  servers[0]!.forceShutdown();
  while (events[2]!.handled === 0) await call(client);
  const before = events.map(({ handled }) => handled);
  for (let at = 0; at < 10; at += 1) assert.equal(await call(client), 0);
  assert.deepEqual(events.map(({ handled }, at) => handled - before[at]!), [0, 5, 5]);
});

test("which configuration a client chooses", () => {
  const config = (timeout: string): object => ({ methodConfig: [{ name: [{}], timeout }] });
  const choose = (choices: unknown, percentage = 50): number => chooseConfig(JSON.stringify(choices), { hostname: "here", percentage }).methods.get("/")!.timeout;
  assert.equal(choose([{ serviceConfig: config("1s") }, { serviceConfig: config("2s") }]), 1_000);
  assert.equal(choose([{ percentage: 50, serviceConfig: config("1s") }, { serviceConfig: config("2s") }]), 2_000);
  assert.equal(choose([{ percentage: 51, serviceConfig: config("1s") }, { serviceConfig: config("2s") }]), 1_000);
  assert.equal(choose([{ clientHostname: ["there"], serviceConfig: config("1s") }, { clientHostname: ["x", "here"], serviceConfig: config("2s") }]), 2_000);
  assert.equal(choose([{ clientLanguage: ["go"], serviceConfig: config("1s") }, { clientLanguage: ["node"], serviceConfig: config("2s") }]), 2_000);
  assert.throws(() => choose([]), /No matching/);
  for (const wrong of [{}, [1], [{ percentage: 101, serviceConfig: {} }], [{ percentage: "1", serviceConfig: {} }], [{ clientLanguage: "node", serviceConfig: {} }], [{}]]) {
    assert.throws(() => choose(wrong), /Invalid service config/, JSON.stringify(wrong));
  }
  assert.equal(configText([["other"], ["grpc_config=[", "]"]]), "[]");
  assert.equal(configText([["other=grpc_config="]]), null);
});
