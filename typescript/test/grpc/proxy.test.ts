import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectSocket, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Server, ServerCredentials, credentials, makeClientConstructor, setLogger, status } from "../../src/grpc/index.js";
import type { ChannelCredentials, ChannelOptions, ServiceError, UntypedServiceImplementation } from "../../src/grpc/index.js";
import { proxyFor } from "../../src/grpc/protocol/proxy.js";
import { parseTarget } from "../../src/grpc/protocol/target.js";
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { implementation, service, type EchoClient, type Item } from "./peers.js";
import { bind } from "./serving.js";

const Echo = makeClientConstructor(service, "test.Echo");
const VARIABLES = ["grpc_proxy", "https_proxy", "http_proxy", "no_grpc_proxy", "no_proxy"];

interface Asked {
  readonly destination: string;
  readonly authorization: string | undefined;
}

/** An HTTP proxy. `late`: it waits for the server's first bytes and sends them in one write with its own answer. */
async function startProxy(context: TestContext, { refuse = false, late = false } = {}): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const open = new Set<Socket>();
  const server = createServer((_request, response) => { response.writeHead(405).end(); });
  server.on("connect", ({ url = "", headers }, socket: Socket, head: Buffer) => {
    asked.push({ destination: url, authorization: headers["proxy-authorization"] });
    open.add(socket);
    socket.on("error", () => undefined);
    if (refuse) {
      socket.end("HTTP/1.1 403 Not Here\r\n\r\n");
      return;
    }
    const [host, port] = url.split(":");
    const onward = connectSocket(Number(port), host);
    open.add(onward);
    const pipe = (first: Buffer): void => {
      socket.write(Buffer.concat([Buffer.from("HTTP/1.1 200 Go\r\n\r\n"), first]));
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    };
    onward.on("error", () => socket.destroy());
    if (late) onward.once("data", pipe);
    else onward.once("connect", () => { pipe(Buffer.alloc(0)); });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function environment(context: TestContext, values: Record<string, string>): void {
  const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  const set = (all: Record<string, string | undefined>): void => {
    for (const name of VARIABLES) {
      const value = all[name];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
  set(values);
  context.after(() => { set(before); });
}

async function startServer(context: TestContext, secure = false): Promise<number> {
  const server = new Server();
  server.addService(service, implementation({ cancelled: 0, handled: 0, metadata: [] }) as UntypedServiceImplementation);
  context.after(() => { server.forceShutdown(); });
  const pair = { private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE };
  return bind(server, "127.0.0.1:0", secure ? ServerCredentials.createSsl(null, [pair]) : ServerCredentials.createInsecure());
}

function call(context: TestContext, target: string, channel: ChannelCredentials = credentials.createInsecure(), options: ChannelOptions = {}): Promise<Item | ServiceError> {
  const client = new Echo(target, channel, options) as unknown as EchoClient;
  context.after(() => { client.close(); });
  return new Promise((resolve) => { client.Unary({ text: "x".repeat(100_000) }, (error, item) => { resolve(error ?? item!); }); });
}

for (const secure of [false, true]) {
  for (const late of [false, true]) {
    test(`calls go through a proxy: ${secure ? "TLS" : "plain text"}${late ? ", the server's first bytes with the proxy's answer" : ""}`, async (context) => {
      // A server that speaks TLS waits for the client.
      const proxy = await startProxy(context, { late: late && !secure });
      const port = await startServer(context, secure);
      environment(context, { http_proxy: `http://user:p%40ss@${proxy.url}` });
      const reply = await call(context, `localhost:${port}`, secure ? credentials.createSsl(AUTHORITY) : undefined);
      assert.equal((reply as Item).text?.length, 100_000);
      assert.deepEqual(proxy.asked, [{ destination: `localhost:${port}`, authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}` }]);
    });
  }
}

test("no_proxy, the option, and a variable that makes no sense leave the proxy out", async (context) => {
  const proxy = await startProxy(context);
  const port = await startServer(context);
  environment(context, { grpc_proxy: `http://${proxy.url}`, no_proxy: "example.org, host" });
  assert.ok("text" in (await call(context, `localhost:${port}`)));
  environment(context, { grpc_proxy: `http://${proxy.url}` });
  assert.ok("text" in (await call(context, `localhost:${port}`, undefined, { "grpc.enable_http_proxy": 0 })));
  assert.deepEqual(proxy.asked, []);
  const told: unknown[] = [];
  setLogger({ error: (...text: unknown[]) => told.push(...text) });
  context.after(() => { setLogger(console); });
  environment(context, { grpc_proxy: "socks5://localhost:1" });
  assert.ok("text" in (await call(context, `localhost:${port}`)));
  assert.match(String(told), /only http:/);
});

test("a proxy that refuses, and one that is not there, make the call fail with a reason", async (context) => {
  const proxy = await startProxy(context, { refuse: true });
  environment(context, { grpc_proxy: `http://${proxy.url}` });
  const refused = (await call(context, "localhost:1")) as ServiceError;
  assert.equal(refused.code, status.UNAVAILABLE);
  assert.match(refused.details, /the proxy refuses localhost:1: 403 Not Here/);
  environment(context, { grpc_proxy: "http://127.0.0.1:1" });
  assert.match(((await call(context, "localhost:1")) as ServiceError).details, /ECONNREFUSED/);
});

test("which proxy a target gets", () => {
  const choose = (target: string, variables: Record<string, string>): string | null => proxyFor(parseTarget(target), variables)?.target ?? null;
  const one = { http_proxy: "http://proxy" };
  assert.equal(choose("dns:a.example", one), "dns:proxy:80");
  assert.equal(choose("10.1.2.3:5", { ...one, https_proxy: "http://other:1", grpc_proxy: "" }), "dns:other:1");
  for (const target of ["unix:/tmp/x", "ipv4:1.2.3.4:5,1.2.3.5:5"]) assert.equal(choose(target, one), null);
  for (const list of ["a.example", "nothing,.example", "example"]) assert.equal(choose("a.example", { ...one, no_proxy: list }), null, list);
  assert.equal(choose("a.example", { ...one, no_grpc_proxy: "b", no_proxy: "a.example" }), "dns:proxy:80");
  for (const list of ["10.1.0.0/16", "0.0.0.0/0", "10.1.2.3/32", "10.1.2.3"]) assert.equal(choose("10.1.2.3:5", { ...one, no_proxy: list }), null, list);
  for (const list of ["10.2.0.0/16", "10.1.2.2/32", "10.1.0.0/", "10.1.0.0/33", "x/8"]) assert.equal(choose("10.1.2.3:5", { ...one, no_proxy: list }), "dns:proxy:80", list);
  assert.equal(proxyFor(parseTarget("[::1]:7"), one)?.destination, "[::1]:7");
  assert.throws(() => choose("a", { http_proxy: "what is this" }), /http_proxy is not a URL/);
});
