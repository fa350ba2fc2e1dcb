import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http2 from "node:http2";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex, getDefaultHighWaterMark, setDefaultHighWaterMark } from "node:stream";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import type { Stream } from "../../src/grpc/http2/stream.js";
import { dial, listen } from "../../src/grpc/transport/index.js";
import { secureServer } from "../../src/transport/listen.js";
import { SocketLink } from "../../src/transport/socket-link.js";
import { http2 as protocol } from "../../src/grpc/transport/link.js";
import type { DialOptions, Link, ListenOptions } from "../../src/grpc/transport/index.js";
import type { Listener, SocketAddress } from "../../src/transport/index.js";
import { hardTest } from "../hard.js";
import { certificate } from "./certificate.js";
import { Call, Caller, Echo } from "./echo.js";
import { frame, framesOf, prefaceOf } from "./journal.js";

const { key, cert } = certificate();
const folder = mkdtempSync(join(tmpdir(), "samewire-"));
after(() => {
  rmSync(folder, { recursive: true });
});

const LOCAL: SocketAddress = { host: "127.0.0.1", port: 0 };
const request = (path: string): HeaderFields => new HeaderFields([[":method", "POST"], [":scheme", "http"], [":path", path], [":authority", "localhost"], ["te", "trailers"]]);
const ECHO = request("/echo.Echo/Echo");
const HEAD = new HeaderFields([[":status", "200"]]);

/** A server for one test. */
async function serving(options: ListenOptions, use: (address: { host: string; port: number }, echo: Echo, listener: Listener, links: Link[]) => Promise<void>, address = LOCAL): Promise<void> {
  const echo = new Echo();
  const links: Link[] = [];
  const listener = await listen(address, options, (link) => {
    links.push(link);
    return echo;
  });
  try {
    await use(listener.address as { host: string; port: number }, echo, listener, links);
  } finally {
    await listener.close();
    for (const link of links) link.destroy();
  }
}

async function dialing(address: SocketAddress, options: DialOptions = {}): Promise<{ link: Link; caller: Caller }> {
  const caller = new Caller();
  return { link: await dial(address, options, () => caller), caller };
}

/** Starts an echo call and gives it back. */
function call(link: Link, body: readonly Uint8Array[], fields = ECHO): Call {
  const made = new Call(body);
  const stream = link.connection.open(fields, false, made);
  made.pump(stream);
  return made;
}

async function until(what: () => boolean): Promise<void> {
  const late = Date.now() + 60_000;
  while (!what()) {
    assert.ok(Date.now() < late, `waited for ${what.toString()}`);
    await sleep(2);
  }
}

test("TLS handshakes that come all at once make room for one another, each for one", () => {
  const server = secureServer({ maxHandshakes: 5 }, { key, cert }, () => undefined);
  const sockets = Array.from({ length: 50 }, (_, at) =>
    Object.assign(new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => { done(); } }), { remoteAddress: "127.0.0.1", remotePort: at + 1 }),
  );
  for (const socket of sockets) server.emit("connection", socket);
  assert.deepEqual(sockets.filter((socket) => !socket.destroyed).map(({ remotePort }) => remotePort), [46, 47, 48, 49, 50]);
  for (const socket of sockets) socket.destroy();
});

for (const secured of [false, true]) {
  const secure = secured ? " over TLS" : "";
  const serverOptions: ListenOptions = secured ? { tls: { key, cert } } : {};
  const clientOptions: DialOptions = secured ? { tls: { ca: cert, servername: "localhost" } } : {};

  test(`our client and our server${secure}: small calls, 8 MB each way, and 100 at once`, async () => {
    await serving(serverOptions, async (address, echo, listener, links) => {
      const { link, caller } = await dialing(address, clientOptions);
      const small = await call(link, [Buffer.from("abc")]).done;
      assert.equal(Buffer.concat(small.parts).toString(), "abc");
      assert.equal(small.trailers?.get("grpc-status"), "0");
      const body = Array.from({ length: 128 }, (_, i) => new Uint8Array(65_536).fill(i));
      const large = await call(link, body).done;
      assert.ok(Buffer.concat(large.parts).equals(Buffer.concat(body)));
      const many = await Promise.all(Array.from({ length: 100 }, (_, i) => call(link, [new Uint8Array(i * 37).fill(i)]).done));
      many.forEach(({ parts }, i) => {
        assert.ok(Buffer.concat(parts).equals(new Uint8Array(i * 37).fill(i)));
      });
      assert.equal(echo.requests, 102);
      assert.equal(listener.links, 1);
      assert.equal(links[0]!.tls !== null, secured);
      assert.match(links[0]!.peer, /^127\.0\.0\.1:\d+$/);
      assert.equal(links[0]!.peer, link.local);
      link.connection.close();
      await until(() => echo.closings.length === 1);
      assert.deepEqual([caller.closings, echo.closings], [[null], [null]]);
      await until(() => listener.links === 0);
    });
  });

  test(`a program that raised the default high-water mark of streams${secure}`, async () => {
    const before = getDefaultHighWaterMark(false);
    setDefaultHighWaterMark(false, 67_108_864);
    try {
      await serving(serverOptions, async (address) => {
        const { link } = await dialing(address, clientOptions);
        const body = Array.from({ length: 8 }, (_, i) => new Uint8Array(1_048_576).fill(i));
        const { parts } = await call(link, body).done;
        assert.ok(Buffer.concat(parts).equals(Buffer.concat(body)));
      });
    } finally {
      setDefaultHighWaterMark(false, before);
    }
  });

  test(`node:http2 as the client${secure}`, async () => {
    await serving(serverOptions, async ({ port }, echo) => {
      const session = http2.connect(`${secured ? "https" : "http"}://localhost:${port}`, { ca: cert, lookup: (_name, _options, callback) => { callback(null, [{ address: "127.0.0.1", family: 4 }]); } });
      const one = async (body: Buffer): Promise<void> => {
        const stream = session.request({ ":method": "POST", ":path": "/echo.Echo/Echo", te: "trailers", "content-type": "application/grpc" });
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        let trailers: http2.IncomingHttpHeaders = {};
        stream.on("trailers", (fields: http2.IncomingHttpHeaders) => (trailers = fields));
        stream.end(body);
        await once(stream, "close");
        assert.ok(Buffer.concat(parts).equals(body));
        assert.equal(trailers["grpc-status"], "0");
      };
      await one(Buffer.alloc(0));
      await one(Buffer.alloc(3_000_000, "x"));
      await Promise.all(Array.from({ length: 200 }, (_, i) => one(Buffer.alloc(i * 11, i))));
      await new Promise<void>((resolve, reject) => session.ping((error) => { if (error === null) resolve(); else reject(error); }));
      session.close();
      await until(() => echo.closings.length === 1);
      assert.deepEqual(echo.closings, [null]);
      assert.equal(echo.requests, 202);
    });
  });

  test(`node:http2 as the server${secure}`, async () => {
    const server = secured ? http2.createSecureServer({ key, cert }) : http2.createServer();
    server.on("stream", (stream, headers) => {
      stream.respond({ ":status": 200, "x-path": headers[":path"] }, { waitForTrailers: true });
      stream.on("wantTrailers", () => { stream.sendTrailers({ "grpc-status": "0" }); });
      stream.pipe(stream);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    const { link, caller } = await dialing({ host: "127.0.0.1", port }, clientOptions);
    for (const size of [0, 1, 70_000, 2_000_000]) {
      const made = await call(link, [new Uint8Array(size).fill(7)], request(`/a/${size}`)).done;
      assert.equal(made.bytes, size);
      assert.equal(made.head?.get("x-path"), `/a/${size}`);
      assert.equal(made.trailers?.get("grpc-status"), "0");
    }
    const many = await Promise.all(Array.from({ length: 80 }, (_, i) => call(link, [new Uint8Array(i)], request(`/many/${i % 7}`)).done));
    assert.deepEqual(many.map(({ bytes }) => bytes), many.map((_, i) => i));
    assert.equal(link.connection.peer.maxFrameBytes, 16_384);
    link.connection.ping(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    await until(() => caller.pongs.length === 1);
    assert.deepEqual(caller.pongs[0], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    link.connection.close();
    server.close();
    await once(server, "close");
  });
}

test("a unix socket", async () => {
  const path = join(folder, "echo.sock");
  await serving({}, async (address, echo) => {
    const { link } = await dialing(address);
    assert.equal((await call(link, [Buffer.from("abc")]).done).bytes, 3);
    assert.equal(link.peer, `unix:${path}`);
    assert.equal(echo.requests, 1);
    link.connection.close();
  }, { path });
});

test("what is not HTTP/2 is refused with GOAWAY and closed", async () => {
  await serving({}, async ({ port }, echo, listener) => {
    const socket = net.connect(port, "127.0.0.1");
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "close");
    const goaway = framesOf(Buffer.concat(parts)).at(-1)!;
    assert.equal(goaway.type, 7);
    assert.equal(Buffer.from(goaway.payload).readUInt32BE(4), 1);
    assert.equal(echo.closings.length, 1);
    await until(() => listener.links === 0);
  });
});

test("a TLS peer without h2 in ALPN gets no connection, either way", async () => {
  await serving({ tls: { key, cert } }, async (address, echo) => {
    await assert.rejects(dialing(address, { tls: { ca: "", servername: "localhost" } }), /certificate/);
    for (const alpn of [{ ALPNProtocols: ["http/1.1"] }, {}]) {
      const old = tls.connect({ ...address, rejectUnauthorized: false, ...alpn });
      old.on("error", () => undefined);
      await new Promise((resolve) => old.once("close", resolve));
    }
    assert.equal(echo.closings.length, 0);
  });
});

test("connecting fails with the system's error, in time, and can be given up", async () => {
  await assert.rejects(dialing({ path: join(folder, "nobody.sock") }), { code: "ENOENT" });
  await assert.rejects(dialing({ host: "127.0.0.1", port: 1 }), { code: "ECONNREFUSED" });
  await assert.rejects(dialing({ host: "127.0.0.1", port: 1 }, { signal: AbortSignal.abort(new Error("no more")) }), /no more/);
  // A listener that answers no handshake.
  const mute = net.createServer();
  mute.listen(0, "127.0.0.1");
  await once(mute, "listening");
  const { port } = mute.address() as net.AddressInfo;
  await assert.rejects(dialing({ host: "127.0.0.1", port }, { tls: {}, connectMs: 50 }), /within 50 ms/);
  mute.close();
  await assert.rejects(listen({ path: join(folder, "no/such/folder") }, {}, () => new Echo()), { code: /ENOENT|EACCES/ });
});

test("a cut connection ends every call once, on both sides", async () => {
  await serving({}, async (address, echo, _listener, links) => {
    const { link, caller } = await dialing(address);
    const calls = Array.from({ length: 10 }, () => {
      const made = new Call([]);
      link.connection.open(ECHO, false, made);
      return made;
    });
    await until(() => echo.requests === 10);
    links[0]!.destroy();
    const ends = await Promise.allSettled(calls.map(({ done }) => done));
    assert.ok(ends.every(({ status }) => status === "rejected"));
    assert.equal(echo.resets, 10);
    assert.equal(echo.closings.length, 1);
    await until(() => caller.closings.length === 1);
    assert.equal(caller.closings[0]?.fault, "cut");
    assert.throws(() => link.connection.open(ECHO, true, null), /no stream can be opened/);
    link.destroy();
    await sleep(10);
    assert.equal(caller.closings.length, 1);
  });
});

test("a peer that shuts its side down in the middle of a frame ends everything once", async () => {
  await serving({}, async ({ port }, echo, listener) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.resume();
    socket.end(Buffer.concat([prefaceOf("client"), Buffer.from("0000", "hex")]));
    await until(() => echo.closings.length === 1 && listener.links === 0);
    assert.equal(echo.closings[0]?.fault, "cut");
  });
});

test("a peer that says nothing is cut", async () => {
  await serving({ http2: { prefaceMs: 50 } }, async ({ port }, echo) => {
    const silent = net.connect(port, "127.0.0.1");
    silent.on("error", () => undefined);
    silent.resume();
    await new Promise((resolve) => silent.once("close", resolve));
    assert.equal(echo.closings[0]?.fault, "cut");
    const { link } = await dialing({ host: "127.0.0.1", port });
    await sleep(100);
    assert.equal((await call(link, [Buffer.from("abc")]).done).bytes, 3);
    link.connection.close();
  });
});

test("an orderly close lets a slow peer read to the end", async (t) => {
  const size = 20_000;
  const links: Link[] = [];
  const handler = new Echo();
  handler.onStream = (stream) => stream.reply(HEAD, new Uint8Array(size), HEAD);
  const listener = await listen(LOCAL, {}, (link) => {
    links.push(link);
    return handler;
  });
  const socket = net.connect(listener.address as { host: string; port: number });
  t.after(async () => {
    socket.destroy();
    await listener.close();
  });
  socket.on("error", () => undefined).pause();
  socket.write(Buffer.concat([prefaceOf("client"), frame(8, 0, 0, "7fff0000"), frame(4, 0, 0, "00047fffffff")]));
  await until(() => links.length === 1);
  // Replies until the kernel's buffers are full and one more has to wait; that one is given up.
  let id = -1;
  let waited = 0;
  while (waited < 10) {
    if (links[0]!.connection.openStreams > 0) waited++;
    else {
      waited = 0;
      id += 2;
      socket.write(frame(1, 5, id, "838684"));
    }
    await sleep(2);
  }
  socket.write(frame(3, 0, id, "00000008"));
  await until(() => links[0]!.connection.openStreams === 0);
  links[0]!.connection.close();
  await sleep(1_300);
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part)).resume();
  await new Promise((resolve) => socket.once("end", resolve));
  const frames = framesOf(Buffer.concat(parts));
  assert.equal(frames.at(-1)?.type, 7);
  assert.equal(frames.filter(({ type, flags }) => type === 1 && (flags & 1) === 1).length, (id - 1) / 2);
});

/** Sends without end, as fast as it is allowed to. */
class Firehose extends Echo {
  sent = 0;
  private readonly piece = new Uint8Array(65_536);

  override onStream(stream: Stream): void {
    stream.headers(HEAD, false);
    this.onWritable(stream);
  }

  override onWritable(stream: Stream): void {
    do this.sent += this.piece.length;
    while (stream.data(this.piece, false));
  }
}

test("a peer that opens its windows and reads nothing is not fed without bound, and is cut when it stalls", async (t) => {
  const hose = new Firehose();
  const listener = await listen(LOCAL, { stallMs: 150 }, () => hose);
  const socket = net.connect((listener.address as net.AddressInfo & { host: string }).port, "127.0.0.1");
  t.after(async () => {
    socket.destroy();
    await listener.close();
  });
  socket.on("error", () => undefined).pause();
  const wide = Buffer.from("7fff0000", "hex");
  const open = frame(1, 5, 1, Buffer.concat([Buffer.from("838684", "hex")]));
  const before = process.memoryUsage();
  const cpu = process.cpuUsage();
  const started = Date.now();
  socket.write(Buffer.concat([prefaceOf("client"), frame(4, 0, 0, "00047fffffff"), frame(8, 0, 0, wide), open]));
  await until(() => hose.closings.length === 1);
  assert.ok(Date.now() - started >= 150, "not before it stalls");
  const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
  assert.ok(grown < 4e6, `${grown} bytes`);
  // No more than the kernel's two buffers hold.
  assert.ok(hose.sent < 30e6, `${hose.sent} bytes`);
  const { user, system } = process.cpuUsage(cpu);
  assert.ok(user + system < 1e6, `${user + system} µs`);
  assert.equal(hose.closings[0]?.fault, "cut");
});

hardTest("a peer that asks without reading is not read without bound", async () => {
  await serving({ stallMs: 60_000, http2: { idleFrameBurst: 1e9, maxPendingBytes: 65_536 } }, async ({ port }, _echo, _listener, links) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.pause();
    const flood = Buffer.concat(Array.from({ length: 4_000 }, () => frame(6, 0, 0, new Uint8Array(8))));
    const before = process.memoryUsage();
    const cpu = process.cpuUsage();
    socket.write(prefaceOf("client"));
    let sent = 0;
    // Both kernels' buffers fill, the server stops reading, and the flood stands still.
    for (let still = 0; still < 5; ) {
      if (socket.writableLength === 0) {
        socket.write(flood);
        sent += flood.length;
        still = 0;
      } else still++;
      await sleep(20);
      assert.ok(sent < 60e6, "the flood goes on");
    }
    const grown = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    assert.ok(grown < 16e6, `${grown} bytes`);
    const { user, system } = process.cpuUsage(cpu);
    assert.ok(user + system < 3e6, `${user + system} µs`);
    assert.ok(!links[0]!.connection.closed);
    // As soon as the peer reads, it is read again.
    let came = 0;
    socket.on("data", (part) => (came += part.length)).resume();
    await until(() => came >= sent);
    socket.destroy();
  });
});

test("what the first half of a long read gives is written by a client before it handles the second", () => {
  const written: number[] = [];
  const plain = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      written.push(framesOf(chunk).length);
      done();
    },
  });
  const socket = Object.assign(plain, { setNoDelay: () => undefined }) as unknown as net.Socket;
  const link = new SocketLink(socket, protocol("client", {}, () => new Echo()), { splitReads: true, stallMs: undefined, spin: null, readBuffer: null, path: undefined });
  const send = (...bytes: Uint8Array[]): void => {
    const read = Buffer.concat(bytes);
    link.receive(read, 0, read.length);
  };
  const pings = (count: number): Uint8Array[] => Array.from({ length: count }, () => frame(6, 0, 0, new Uint8Array(8)));
  send(prefaceOf("server"));
  send(...pings(201));
  // The half ends within a frame. Before the answers stands the acknowledgement of SETTINGS.
  assert.deepEqual(written.slice(1), [1 + 100]);
  written.length = 0;
  send(...pings(10));
  assert.deepEqual(written, []);
  link.destroy();
});
