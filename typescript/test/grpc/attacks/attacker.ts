import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders } from "node:http2";
import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { gzipSync } from "node:zlib";
import { frame, join, prefaceOf } from "../journal.js";

/* A process that attacks a victim's port. It tells how much it has done once it is at its height, and goes on until it
   is ended. */

const [, , name, where, length] = process.argv as [string, string, string, string, string];
const port = Number(where);
const until = Date.now() + Number(length) * 1_000;

const literal = (field: string, value: string): Uint8Array => join(Uint8Array.of(0, field.length), Buffer.from(field), Uint8Array.of(value.length), Buffer.from(value));
const head = (path: string): Uint8Array => join(Uint8Array.of(0x83, 0x86), literal(":path", path), literal("te", "trailers"), literal("content-type", "application/grpc"));
const PREFACE = prefaceOf("client");

/** A message of gRPC in a frame. */
const message = (bytes: Uint8Array, compressed = false): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix[0] = compressed ? 1 : 0;
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
};

async function open(first: Uint8Array): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).resume();
  await once(socket, "connect");
  if (first.length > 0) socket.write(first);
  return socket;
}

/** Makes connections that begin with the same bytes and go on with nothing. */
async function connections(count: number, first: Uint8Array): Promise<number> {
  let made = 0;
  const some = async (): Promise<void> => {
    while (made < count) {
      made += 1;
      await open(first);
    }
  };
  await Promise.all(Array.from({ length: 20 }, some));
  return made;
}

/** The first message of a TLS client. */
function clientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const wire = new Duplex({
      read() {
        // The server never answers.
      },
      write(bytes: Buffer) {
        resolve(bytes);
      },
    });
    connectTls({ socket: wire, servername: "localhost", ALPNProtocols: ["h2"] }).on("error", () => undefined);
  });
}

const session = (): ClientHttp2Session => connectHttp2(`http://127.0.0.1:${port}`).on("error", () => undefined);
const POST = { ":method": "POST", te: "trailers", "content-type": "application/grpc" };

/** Milliseconds without a byte that say that a server takes no more for now. */
const QUIET_MS = 5_000;

/**
 * Sends the same bytes on so many streams of each of 2 connections. Resolves once all are sent, their streams are closed,
 * or the server takes no more: once requests that never end fill half of a connection's bound, the others wait for them.
 */
async function uploads(count: number, bytes: Buffer, fields: OutgoingHttpHeaders, end: boolean): Promise<number> {
  const sessions = Array.from({ length: 2 }, session);
  const streams = sessions.flatMap((over) => Array.from({ length: count }, () => {
    const stream = over.request({ ...POST, ...fields, ":path": "/attacks.Target/Reply" }, { endStream: false });
    stream.on("error", () => undefined).resume();
    stream.write(bytes);
    if (end) stream.end();
    return stream;
  }));
  let sent = 0;
  let quiet = Date.now() + QUIET_MS;
  // No event tells of a stream that was reset without an error while its bytes wait.
  while (streams.some(({ closed, writableLength }) => !closed && writableLength > 0) && Date.now() < quiet) {
    await pause(20);
    const now = sessions.reduce((sum, { destroyed, socket }) => sum + (destroyed ? 0 : socket.bytesWritten), 0);
    if (now !== sent) quiet = Date.now() + QUIET_MS;
    sent = now;
  }
  return streams.length * bytes.length;
}

const STREAMS = [1, 3, 5, 7, 9];

/** Sends the same frames on 5 streams of a connection over and over, up to a payload that fits in its windows. Resolves with their number. */
async function frames(some: (id: number) => Uint8Array[], payload: number): Promise<number> {
  const heads = STREAMS.map((id) => frame(1, 4, id, head("/attacks.Target/Take")));
  const socket = await open(join(PREFACE, frame(4, 0, 0, "00047fffffff"), frame(8, 0, 0, "7fff0000"), ...heads));
  const round = STREAMS.flatMap(some);
  const rounds = 10_000;
  const flood = Buffer.concat(Array.from({ length: rounds }, () => round).flat());
  let sent = 0;
  for (let bytes = 0; bytes < 4e6 && Date.now() < until; bytes += rounds * STREAMS.length * payload) {
    if (!socket.write(flood)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    sent += rounds * round.length;
  }
  return sent;
}

const attacks: Readonly<Record<string, () => Promise<number>>> = {
  /** Connects, says hello, or the beginning of it, and leaves, as often as it can, and 500 times at least. */
  async churn() {
    let made = 0;
    const one = async (): Promise<void> => {
      while (Date.now() < until || made < 500) {
        const socket = await open(made % 2 === 0 ? PREFACE : PREFACE.subarray(0, 20));
        await once(socket, "data");
        socket.destroy();
        made += 1;
      }
    };
    await Promise.all(Array.from({ length: 50 }, one));
    return made;
  },

  /** Asks for 3 MB a hundred times on each of 20 connections, and opens no window. */
  async stalled() {
    const request = head("/attacks.Target/Reply");
    const size = Buffer.alloc(4);
    size.writeUInt32BE(3_000_000);
    const body = message(size);
    const calls = Array.from({ length: 100 }, (_, at) => join(frame(1, 4, 2 * at + 1, request), frame(0, 1, 2 * at + 1, body)));
    for (let at = 0; at < 20; at += 1) await open(join(PREFACE, frame(4, 1, 0), ...calls));
    await pause(until - Date.now());
    return 2_000;
  },

  /** Asks for 1 MB sixty times on each of 4 connections, and opens and closes windows by single bytes. */
  async flaps() {
    const request = head("/attacks.Target/Reply");
    const size = Buffer.alloc(4);
    size.writeUInt32BE(1_000_000);
    const ids = Array.from({ length: 60 }, (_, at) => 2 * at + 1);
    const calls = ids.flatMap((id) => [frame(1, 4, id, request), frame(0, 1, id, message(size))]);
    const flap = join(frame(4, 0, 0, "000400000001"), ...ids.map((id) => frame(8, 0, id, "00000001")), frame(4, 0, 0, "000400000000"));
    const sockets = await Promise.all(ids.slice(0, 4).map(() => open(join(PREFACE, frame(4, 1, 0), frame(4, 0, 0, "000400000000"), ...calls))));
    let done = 0;
    for (; Date.now() < until; done += 1) {
      for (const socket of sockets) socket.write(flap);
      await pause(50);
    }
    return done;
  },

  /** Sends 4 KB that become 4 MB, as fast as they are taken. */
  async bombs() {
    const bomb = message(gzipSync(Buffer.alloc(4_000_000)), true);
    let sent = 0;
    const one = async (over: ClientHttp2Session): Promise<void> => {
      while (Date.now() < until) {
        const stream = over.request({ ...POST, ":path": "/attacks.Target/Reply", "grpc-encoding": "gzip" });
        stream.on("error", () => undefined).resume();
        stream.end(bomb);
        sent += 1;
        await once(stream, "close");
      }
    };
    const sessions = Array.from({ length: 10 }, session);
    void Promise.all(sessions.flatMap((each) => Array.from({ length: 100 }, () => one(each))));
    await pause(until - Date.now());
    return sent;
  },

  /** Sends messages that take long to decompress for their bytes, on 400 streams of each of 2 connections. */
  deflated() {
    const bits = randomBytes(3_000_000).map((byte) => byte & 1);
    return uploads(400, message(gzipSync(bits, { level: 1 }), true), { "grpc-encoding": "gzip" }, true);
  },

  /** Keeps a stream of each of 10 connections full of messages that decompress to nothing. */
  async crumbs() {
    const crumb = message(gzipSync(Buffer.alloc(0)), true);
    const flood = Buffer.concat(Array.from({ length: 40_000 }, () => crumb));
    let sent = 0;
    for (const each of Array.from({ length: 10 }, session)) {
      const stream = each.request({ ...POST, ":path": "/attacks.Target/Take", "grpc-encoding": "gzip" }, { endStream: false });
      stream.on("error", () => undefined).resume();
      const go = (): void => {
        sent += 40_000;
        if (Date.now() < until) stream.write(flood, go);
      };
      go();
    }
    await pause(until - Date.now());
    return sent;
  },

  /** Sends messages of no bytes, to be sent back, each byte of them in a frame of its own. */
  bytes: () => frames((id) => [frame(0, 0, id, new Uint8Array(1))], 1),

  /** Sends messages of no bytes, to be sent back, and a frame of no bytes after each. */
  hollow: () => frames((id) => [frame(0, 0, id, new Uint8Array(5)), frame(0, 0, id)], 5),

  /** Has 10 streams of each of 4 connections send back what they get, and reads nothing. */
  async unread() {
    const flood = Buffer.concat(Array.from({ length: 10 }, () => message(Buffer.alloc(100_000))));
    let sent = 0;
    // On a busy machine it takes longer to send what tells.
    const going = (): boolean => Date.now() < until || (sent < 60e6 && Date.now() < until + 20_000);
    for (const each of Array.from({ length: 4 }, session)) {
      for (let at = 0; at < 10; at += 1) {
        const stream = each.request({ ...POST, ":path": "/attacks.Target/Take" }, { endStream: false });
        stream.on("error", () => undefined);
        const go = (error?: Error | null): void => {
          if (error || stream.closed) return;
          sent += flood.length;
          if (going()) stream.write(flood, go);
        };
        go();
      }
    }
    while (going()) await pause(20);
    return sent;
  },

  /** Sends all of a message of 3 MB but its end, on 100 streams of each of 2 connections. */
  unfinished: () => uploads(100, message(Buffer.alloc(3_000_000)).subarray(0, -1), {}, false),

  /** Begins TLS with the first message of a client, and stops. */
  handshakes: async () => connections(3_000, await clientHello()),

  /** As above with 50 connections, half of which send only the beginning of that message. */
  async hellos() {
    const hello = await clientHello();
    return await connections(25, hello) + await connections(25, hello.subarray(0, 20));
  },

  /** Connects and says nothing. */
  silence: () => connections(600, new Uint8Array(0)),

  /** Begins a header block, or a frame, and stops. */
  async halves() {
    const block = head("/attacks.Target/Reply");
    for (let at = 0; at < 50; at += 1) await open(join(PREFACE, at % 2 === 0 ? frame(1, 0, 1, block) : frame(1, 4, 1, block).subarray(0, 20)));
    return 50;
  },

  /** Fills the windows of a handler that does not read with messages of no bytes. */
  async empties() {
    const flood = Buffer.alloc(500_000);
    let sent = 0;
    for (const each of Array.from({ length: 4 }, session)) {
      for (let at = 0; at < 10; at += 1) {
        const stream = each.request({ ...POST, ":path": "/attacks.Target/Ignore" }, { endStream: false });
        stream.on("error", () => undefined);
        const go = (): void => {
          sent += flood.length / 5;
          if (sent < 16e6) stream.write(flood, go);
        };
        go();
      }
    }
    await pause(until - Date.now());
    return sent;
  },
};

process.on("disconnect", () => process.exit());
process.send!(await attacks[name]!());
setInterval(() => undefined, 1_000);
