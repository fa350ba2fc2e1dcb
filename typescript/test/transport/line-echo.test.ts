import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { dial, inject, listen } from "../../src/transport/index.js";
import type { DialOptions, Link, Listener, ListenOptions, SocketAddress } from "../../src/transport/index.js";
import { certificate } from "../grpc/certificate.js";
import { LineMachine } from "./line-machine.js";

/* The transport carries any protocol: here one of lines, over each kind of socket. */

const { key, cert } = certificate();
const folder = mkdtempSync(join(tmpdir(), "samewire-"));
after(() => {
  rmSync(folder, { recursive: true });
});

const LOCAL: SocketAddress = { host: "127.0.0.1", port: 0 };

interface Serving {
  readonly listener: Listener;
  readonly machines: LineMachine[];
  readonly links: Link<LineMachine>[];
}

async function serve(address: SocketAddress, options: ListenOptions, idleMs?: number): Promise<Serving> {
  const machines: LineMachine[] = [];
  const links: Link<LineMachine>[] = [];
  const listener = await listen(address, options, (link: Link<LineMachine>) => {
    const machine = new LineMachine("server", idleMs);
    machines.push(machine);
    links.push(link);
    return machine;
  });
  return { listener, machines, links };
}

const connect = (address: SocketAddress, options: DialOptions = {}): Promise<Link<LineMachine>> =>
  dial(address, options, () => new LineMachine("client"));

async function until(what: () => boolean): Promise<void> {
  const late = Date.now() + 60_000;
  while (!what()) {
    assert.ok(Date.now() < late, `waited for ${what.toString()}`);
    await sleep(2);
  }
}

const KINDS: [string, SocketAddress, ListenOptions, DialOptions][] = [
  ["TCP", LOCAL, {}, {}],
  ["a unix socket", { path: join(folder, "lines") }, {}, {}],
  ["TLS", LOCAL, { tls: { key, cert } }, { tls: { ca: cert, servername: "localhost" } }],
  ["TLS with ALPN", LOCAL, { tls: { key, cert }, alpn: "lines" }, { tls: { ca: cert, servername: "localhost" }, alpn: "lines" }],
];

for (const [kind, place, listening, dialing] of KINDS) {
  test(`carries a protocol of lines over ${kind}`, async (context) => {
    const { listener, machines, links } = await serve(place, listening);
    context.after(() => listener.close());
    const link = await connect(listener.address, dialing);
    const client = link.connection;
    client.send("one");
    await until(() => client.lines.length === 1);
    const many = Array.from({ length: 5_000 }, (_, number) => `line ${number}`);
    for (const line of many) client.send(line);
    client.send("pieces");
    client.send("quit");
    await until(() => client.closed);
    assert.deepEqual(client.lines, ["ONE", ...many.map((line) => line.toUpperCase()), "PIECES", "bye"]);
    assert.equal(client.error, null);
    assert.deepEqual(machines.map(({ closed, error }) => [closed, error]), [[true, null]]);
    assert.equal(links[0]!.connection, machines[0]);
    await until(() => listener.links === 0);
  });
}

test("refuses a TLS peer that does not agree on the protocol", async (context) => {
  const { listener, machines } = await serve(LOCAL, { tls: { key, cert }, alpn: "lines" });
  context.after(() => listener.close());
  await assert.rejects(connect(listener.address, { tls: { ca: cert, servername: "localhost" }, alpn: "other" }));
  assert.equal(machines.length, 0);
});

test("expires a machine at its deadline, which each line renews", async (context) => {
  const { listener, machines } = await serve(LOCAL, {}, 100);
  context.after(() => listener.close());
  const link = await connect(listener.address);
  for (let line = 0; line < 4; line += 1) {
    link.connection.send("x");
    await sleep(50);
  }
  assert.equal(machines[0]!.expired, 0);
  await until(() => link.connection.closed);
  assert.equal(machines[0]!.expired, 1);
  assert.equal(machines[0]!.error?.message, "idle");
  await until(() => listener.links === 0);
  await sleep(150);
  assert.equal(machines[0]!.expired, 1);
});

test("pauses reading while the peer does not read", async (context) => {
  const { listener, machines } = await serve(LOCAL, {});
  context.after(() => listener.close());
  const socket = net.connect(listener.address as net.TcpNetConnectOpts);
  await once(socket, "connect");
  socket.pause();
  const line = `${"x".repeat(65_535)}\n`;
  let drained = true;
  let sent = 0;
  while (drained || !machines[0]?.pauses.includes(true)) {
    assert.ok(sent < 1_000, "64 MB were read");
    drained = socket.write(line);
    sent += 1;
    await sleep(1);
  }
  let received = 0;
  socket.resume();
  socket.on("data", (chunk) => {
    received += chunk.length;
  });
  await until(() => received === sent * line.length);
  assert.equal(machines[0].pauses.at(-1), false);
  socket.end();
  await until(() => listener.links === 0);
});

test("cuts a peer that does not read its output in time", async (context) => {
  const { listener, machines } = await serve(LOCAL, { stallMs: 100 });
  context.after(() => listener.close());
  const socket = net.connect(listener.address as net.TcpNetConnectOpts);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.pause();
  const lines = `${"x".repeat(65_535)}\n`.repeat(400);
  socket.write(lines);
  await until(() => machines[0]?.closed === true);
  assert.match(machines[0]!.error!.message, /has read nothing for 100 ms/);
  socket.destroy();
});

test("takes over sockets that the program has accepted", async (context) => {
  const machines: LineMachine[] = [];
  const take = inject({}, (_link: Link<LineMachine>) => {
    const machine = new LineMachine("server");
    machines.push(machine);
    return machine;
  });
  const server = net.createServer(take).listen(0, "127.0.0.1");
  context.after(() => server.close());
  await once(server, "listening");
  const link = await connect({ host: "127.0.0.1", port: (server.address() as net.AddressInfo).port });
  link.connection.send("abc");
  await until(() => link.connection.lines.length === 1);
  assert.deepEqual(link.connection.lines, ["ABC"]);
  link.destroy();
  await until(() => machines[0]!.closed);
});
