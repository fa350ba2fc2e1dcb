import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Client, HealthImplementation, Metadata, Server, connectivityState, credentials, status } from "../../src/grpc/index.js";
import type { ServerUnaryCall, ServiceError, sendUnaryData } from "../../src/grpc/index.js";
import { bind, notes, until } from "./serving.js";
import type { Note } from "./serving.js";

async function serve(context: TestContext, name: string, health: HealthImplementation | null): Promise<{ server: Server; address: string }> {
  const server = new Server();
  server.addService(notes, { unary: (_call: ServerUnaryCall<Note, Note>, callback: sendUnaryData<Note>) => { callback(null, { text: name }); } });
  health?.addToServer(server);
  context.after(() => { server.forceShutdown(); });
  return { server, address: `127.0.0.1:${await bind(server, "127.0.0.1:0")}` };
}

function connect(context: TestContext, servers: readonly { address: string }[], config: object): Client {
  const client = new Client(`ipv4:${servers.map(({ address }) => address).join(",")}`, credentials.createInsecure(), {
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }], healthCheckConfig: { serviceName: "notes.Notes" }, ...config }),
  });
  context.after(() => { client.close(); });
  return client;
}

function get(client: Client, waitForReady = false): Promise<string | ServiceError> {
  const { path, requestSerialize, responseDeserialize } = notes.Unary;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { text: "" }, new Metadata({ waitForReady }), { deadline: Date.now() + 20_000 }, (error, note) => { resolve(error ?? note!.text); });
  });
}

const some = async (client: Client): Promise<Set<string>> => new Set((await Promise.all(Array.from({ length: 8 }, () => get(client)))).map(String));

test("calls go to servers whose health check says SERVING, as that changes", async (context) => {
  const healths = [new HealthImplementation({ "notes.Notes": "SERVING" }), new HealthImplementation({ "notes.Notes": "NOT_SERVING" })];
  const servers = await Promise.all(healths.map((health, at) => serve(context, String(at), health)));
  const client = connect(context, servers, {});
  assert.equal(await get(client), "0");
  await until(() => servers[1]!.server.getStatistics().connections === 1);
  assert.deepEqual(await some(client), new Set(["0"]));
  healths[1]!.setStatus("notes.Notes", "SERVING");
  for (let found = new Set<string>(); found.size < 2; found = await some(client));
  healths[0]!.setStatus("notes.Notes", "NOT_SERVING");
  for (let found = new Set<string>(); !found.has("1") || found.size > 1; found = await some(client));
  // The connections stay.
  assert.deepEqual(servers.map(({ server }) => server.getStatistics().connections), [1, 1]);
});

test("calls fail while no server serves, and those that wait go on when one does", async (context) => {
  const health = new HealthImplementation({});
  const client = connect(context, [await serve(context, "late", health)], {});
  const error = await get(client);
  assert.ok(error instanceof Error);
  assert.deepEqual([error.code, error.details], [status.UNAVAILABLE, "No connection established. Last error: the server's health check says that it does not serve"]);
  assert.equal(client.getChannel().getConnectivityState(false), connectivityState.TRANSIENT_FAILURE);
  const waiting = get(client, true);
  health.setStatus("notes.Notes", "SERVING");
  assert.equal(await waiting, "late");
});

test("a server without health checks is taken as healthy, and pick_first does not ask", async (context) => {
  const plain = await serve(context, "plain", null);
  assert.equal(await get(connect(context, [plain], {})), "plain");
  const sick = await serve(context, "sick", new HealthImplementation({ "notes.Notes": "NOT_SERVING" }));
  assert.equal(await get(connect(context, [sick], { loadBalancingConfig: [{ pick_first: {} }] })), "sick");
  assert.equal(await get(connect(context, [sick], { healthCheckConfig: {} })), "sick");
});

test("an invalid healthCheckConfig is refused", (context) => {
  for (const config of [7, { serviceName: 7 }]) assert.throws(() => connect(context, [{ address: "127.0.0.1:1" }], { healthCheckConfig: config }), /Invalid healthCheckConfig/);
});
