// A client that costs next to nothing: frames written and read by hand, so that a hundred thousand streams can be held open.

import { once } from "node:events";
import { createConnection } from "node:net";
import { FRAME } from "./load.mjs";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
const DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7;
const END_STREAM = 1, ACK = 1, END_HEADERS = 4;
const HEAD = 9;

function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const made = Buffer.alloc(HEAD + payload.length);
  made.writeUIntBE(payload.length, 0, 3);
  made[3] = type;
  made[4] = flags;
  made.writeUInt32BE(stream, 5);
  payload.copy(made, HEAD);
  return made;
}

/** A length under 127 and a text without Huffman's code (RFC 7541, section 5.2). */
const text = (value) => Buffer.from([value.length, ...Buffer.from(value, "latin1")]);

/** Fields that leave the dynamic table alone: indexed ones, and literals without indexing with a name of the static table or their own. */
const block = (path) =>
  Buffer.concat([
    Buffer.from([0x83, 0x86, 0x04]), // :method POST, :scheme http, :path
    text(path),
    Buffer.from([0x01]), // :authority
    text("localhost"),
    Buffer.from([0x0f, 0x10]), // content-type
    text("application/grpc"),
    Buffer.from([0x00]),
    text("te"),
    text("trailers"),
  ]);

/** One connection with calls that stay open until they are finished. */
export class IdleConnection {
  #socket;
  #rest = Buffer.alloc(0);
  #next = 1;
  #open = [];
  #ended = 0;
  #bytes = 0;
  #trouble = null;
  #changed = () => undefined;
  #answered = false;

  constructor(port) {
    this.#socket = createConnection({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk) => this.#read(chunk));
    this.#socket.on("error", ({ message }) => this.#fail(message));
    this.#socket.on("close", () => this.#fail("the server closed the connection"));
    this.#socket.write(Buffer.concat([PREFACE, frame(SETTINGS, 0, 0)]));
  }

  /** Begins so many calls without a message; resolves when the server has read them. */
  async begin(count, path) {
    const head = block(path);
    const frames = [];
    for (let i = 0; i < count; i += 1, this.#next += 2) {
      this.#open.push(this.#next);
      frames.push(frame(HEADERS, END_HEADERS, this.#next, head));
    }
    this.#answered = false;
    this.#socket.write(Buffer.concat([...frames, frame(PING, 0, 0, Buffer.alloc(8))]));
    await this.#until(() => this.#answered);
  }

  /** Sends each open call its message and its end; resolves when all are answered, with as many bytes as were sent. */
  async finish() {
    const wanted = this.#ended + this.#open.length;
    const bytes = this.#bytes + this.#open.length * FRAME.length;
    this.#socket.write(Buffer.concat(this.#open.map((stream) => frame(DATA, END_STREAM, stream, FRAME))));
    this.#open = [];
    await this.#until(() => this.#ended === wanted);
    if (this.#bytes !== bytes) throw new Error(`${this.#bytes} bytes came, not ${bytes}`);
  }

  /** Resolves when the socket is closed. */
  async close() {
    this.#socket.removeAllListeners("close");
    const closed = once(this.#socket, "close");
    this.#socket.destroy();
    await closed;
  }

  async #until(reached) {
    while (!reached()) {
      if (this.#trouble) throw new Error(this.#trouble);
      await new Promise((resolve) => (this.#changed = resolve));
    }
  }

  #fail(message) {
    this.#trouble ??= message;
    this.#changed();
  }

  #read(chunk) {
    const read = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const end = at + HEAD + (read.length >= at + HEAD ? read.readUIntBE(at, 3) : 0);
      if (read.length < at + HEAD || read.length < end) break;
      this.#take(read[at + 3], read[at + 4], read.subarray(at + HEAD, end));
      at = end;
    }
    this.#rest = read.subarray(at);
    this.#changed();
  }

  #take(type, flags, payload) {
    if (type === DATA) this.#bytes += payload.length;
    if ((type === DATA || type === HEADERS) && flags & END_STREAM) this.#ended += 1;
    else if (type === SETTINGS && !(flags & ACK)) this.#socket.write(frame(SETTINGS, ACK, 0));
    else if (type === PING && !(flags & ACK)) this.#socket.write(frame(PING, ACK, 0, payload));
    else if (type === PING) this.#answered = true;
    else if (type === RST_STREAM || type === GOAWAY) this.#fail(`the server ended ${type === GOAWAY ? "the connection" : "a call"} with ${payload.readUInt32BE(payload.length > 4 ? 4 : 0)}`);
  }
}
