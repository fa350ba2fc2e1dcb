import assert from "node:assert/strict";
import { createServer as createHttp } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test, type TestContext } from "node:test";
import { Server as GrpcServer, ServerCredentials, createServer as createModern, credentials, status, type ServiceError } from "../../src/grpc/index.js";
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { connect, unary } from "./peers.js";
import { bind } from "./serving.js";

/* Mistakes that everyone makes once: the error says what to do. */

async function listening(context: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  return `localhost:${(server.address() as AddressInfo).port}`;
}

/** How a call fails. */
async function failure(context: TestContext, address: string, creds = credentials.createInsecure()): Promise<ServiceError> {
  const client = connect({ address }, {}, creds);
  context.after(() => { client.close(); });
  try {
    await unary(client, { number: 1 });
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("the call has not failed");
}

test("a server that answers in HTTP/1", async (context) => {
  const web = createHttp((_request, response) => response.end("hello"));
  context.after(() => { web.closeAllConnections(); });
  const { code, details } = await failure(context, await listening(context, web));
  assert.equal(code, status.UNAVAILABLE);
  assert.match(details, /answers in HTTP\/1, not in HTTP\/2/);
});

test("a plain client at a server that expects TLS", async (context) => {
  const server = new GrpcServer();
  context.after(() => { server.forceShutdown(); });
  const port = await bind(server, "127.0.0.1:0", ServerCredentials.createSsl(null, [{ private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE }]));
  const { code, details } = await failure(context, `localhost:${port}`);
  assert.equal(code, status.UNAVAILABLE);
  assert.match(details, /credentials\.createSsl\(\)/);
});

test("a plain client at a server that refuses it with an alert of TLS", async (context) => {
  const server = createServer((socket) => socket.on("error", () => undefined).end(Uint8Array.of(0x15, 3, 1, 0, 2, 2, 70, 0, 0)));
  const { details } = await failure(context, await listening(context, server));
  assert.match(details, /speaks TLS: use credentials\.createSsl\(\)/);
});

test("a client with TLS at a plain server", async (context) => {
  const server = new GrpcServer();
  context.after(() => { server.forceShutdown(); });
  const port = await bind(server, "127.0.0.1:0");
  const { code, details } = await failure(context, `localhost:${port}`, credentials.createSsl(AUTHORITY));
  assert.equal(code, status.UNAVAILABLE);
  assert.match(details, /does not speak TLS/);
});

test("a URL for a target", async (context) => {
  const { code, details } = await failure(context, "http://localhost:50051", credentials.createInsecure());
  assert.equal(code, status.UNAVAILABLE);
  assert.match(details, /^No resolver could be created for target http:\/\/localhost:50051: a target is host:port without http:\/\//);
});

for (const address of ["localhost", "127.0.0.1", "[::1]", "dns:localhost"]) {
  test(`a server that is to listen on ${address}, without a port`, async () => {
    await assert.rejects(createModern().serve(address), /a port is missing/);
  });
}

test("new certificates for a server that runs", async (context) => {
  const creds = ServerCredentials.createFromTlsOptions({});
  const server = new GrpcServer();
  context.after(() => { server.forceShutdown(); });
  const port = await bind(server, "127.0.0.1:0", creds);
  const before = await failure(context, `localhost:${port}`, credentials.createSsl(AUTHORITY));
  assert.equal(before.code, status.UNAVAILABLE);
  creds.updateSecureContextOptions({ key: SERVER_KEY, cert: SERVER_CERTIFICATE });
  const after = await failure(context, `localhost:${port}`, credentials.createSsl(AUTHORITY));
  assert.equal(after.code, status.UNIMPLEMENTED, after.details);
});
