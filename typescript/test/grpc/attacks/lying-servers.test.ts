import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { status } from "../../../src/grpc/index.js";
import { HEAD_BYTES } from "../../../src/grpc/http2/frame/head.js";
import { frame, join } from "../journal.js";
import { codeOf, connect, unary } from "../peers.js";

/* Servers that answer a call with frames that break HTTP/2 or gRPC: the call ends once, soon, with a code that says so,
   and what else the client holds stays small. */

const HEADERS = 1;
const DATA = 0;
const END = 5;
const PREFACE_BYTES = 24;
const SETTINGS = frame(4, 0, 0);

/** A length of HPACK with a prefix of 7 bits (RFC 7541 section 5.1). */
function length(bytes: number): Uint8Array {
  if (bytes < 127) return Uint8Array.of(bytes);
  const rest = [127];
  let left = bytes - 127;
  for (; left > 127; left >>= 7) rest.push((left & 127) | 128);
  return Uint8Array.of(...rest, left);
}
const text = (value: string): Uint8Array => join(length(value.length), Buffer.from(value, "latin1"));
const fields = (list: Readonly<Record<string, string>>): Uint8Array => join(...Object.entries(list).map(([name, value]) => join(Uint8Array.of(0), text(name), text(value))));
const head = (more: Readonly<Record<string, string>> = {}): Uint8Array => frame(HEADERS, 4, 1, join(Uint8Array.of(0x88), fields({ "content-type": "application/grpc", ...more })));
const trailers = (list: Readonly<Record<string, string>>): Uint8Array => frame(HEADERS, END, 1, fields(list));
const message = (bytes: Uint8Array, flag = 0): Uint8Array => {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(bytes.length, 1);
  return join(prefix, bytes);
};
const good = frame(DATA, 0, 1, message(Buffer.from("{}")));
const OK = trailers({ "grpc-status": "0" });
const early = frame(HEADERS, 4, 1, join(Uint8Array.of(0x08), text("103"), fields({ link: "x".repeat(100) })));

const lies: readonly (readonly [string, Uint8Array, number])[] = [
  ["grpc-status of text", join(head(), good, trailers({ "grpc-status": "zero" })), status.UNKNOWN],
  ["grpc-status out of range for 32 bits", join(head(), good, trailers({ "grpc-status": "99999999999" })), status.UNKNOWN],
  ["grpc-status without a code of gRPC", join(head(), good, trailers({ "grpc-status": "77" })), 77],
  ["a message that no percent encoding made", join(head(), trailers({ "grpc-status": "5", "grpc-message": "%zz%4%ff%fe%c3%28%" })), status.NOT_FOUND],
  ["trailers twice", join(head(), good, OK, trailers({ "grpc-status": "13" })), status.OK],
  ["DATA after the end", join(head(), good, OK, good), status.OK],
  ["a second head", join(head(), head(), good, OK), status.INTERNAL],
  ["trailers that do not end the stream", join(head(), good, frame(HEADERS, 4, 1, fields({ "grpc-status": "0" }))), status.INTERNAL],
  ["DATA before the head", join(good, head(), OK), status.INTERNAL],
  ["a compressed message without an encoding", join(head(), frame(DATA, 0, 1, message(Buffer.from("{}"), 1)), OK), status.INTERNAL],
  ["a compressed message that is not", join(head({ "grpc-encoding": "gzip" }), frame(DATA, 0, 1, message(Buffer.from("{}"), 1)), OK), status.INTERNAL],
  ["4 KB that become 5 MB", join(head({ "grpc-encoding": "gzip" }), frame(DATA, 0, 1, message(gzipSync(Buffer.alloc(5_000_000)), 1)), OK), status.RESOURCE_EXHAUSTED],
  ["a message of 4 GB", join(head(), frame(DATA, 0, 1, Buffer.from("00ffffffff", "hex")), OK), status.RESOURCE_EXHAUSTED],
  ["metadata that is not base64", join(head({ "a-bin": "***" }), good, trailers({ "grpc-status": "0", "grpc-status-details-bin": "%%%" })), status.OK],
  ["head fields of HTTP/1", join(head({ connection: "close" }), good, OK), status.INTERNAL],
  ["a stream that the client has not opened", join(head(), frame(DATA, 0, 7, message(Buffer.from("{}")))), status.UNAVAILABLE],
  ["PUSH_PROMISE", join(head(), frame(5, 4, 1, join(Uint8Array.of(0, 0, 0, 2, 0x82), fields({})))), status.UNAVAILABLE],
  ["heads of 103 without end", join(...Array.from({ length: 12_000 }, () => early)), status.UNAVAILABLE],
  ["a content-length that the messages exceed", join(head({ "content-length": "3" }), good, OK), status.INTERNAL],
];

/** Whether a call's HEADERS are among the frames that a client has sent. */
function hasBegun(bytes: Buffer): boolean {
  for (let at = PREFACE_BYTES; at + HEAD_BYTES <= bytes.length; at += HEAD_BYTES + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === HEADERS) return true;
  }
  return false;
}

async function lying(reply: Uint8Array): Promise<{ address: string; stop: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let came = Buffer.alloc(0);
    let asked = false;
    socket.on("error", () => undefined).on("data", (bytes) => {
      came = Buffer.concat([came, bytes]);
      if (asked || !hasBegun(came)) return;
      asked = true;
      socket.write(reply);
    });
    socket.write(join(SETTINGS, frame(4, 1, 0)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => { server.close(); for (const socket of sockets) socket.destroy(); } };
}

for (const [what, reply, code] of lies) {
  test(`a server that answers with ${what}`, async (context) => {
    const server = await lying(reply);
    const client = connect(server);
    context.after(() => { client.close(); server.stop(); });
    assert.equal(await codeOf(unary(client, {}, { deadline: Date.now() + 5_000 })), code);
  });
}
