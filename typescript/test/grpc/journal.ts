import { Connection } from "../../src/grpc/http2/connection.js";
import type { Handler } from "../../src/grpc/http2/handler.js";
import type { HeaderBlock } from "../../src/grpc/http2/header-block.js";
import type { Http2Error } from "../../src/grpc/http2/error.js";
import type { Http2Options } from "../../src/grpc/http2/options.js";
import type { Stream } from "../../src/grpc/http2/stream.js";
import type { Random } from "../pack/corpus.js";

/** A handler that writes down all it hears, and gives every byte back at once. */
export class Journal implements Handler {
  readonly lines: string[] = [];
  readonly streams: Stream[] = [];
  error: Http2Error | null = null;
  closed = 0;

  onStream(stream: Stream, block: HeaderBlock, end: boolean): void {
    this.streams.push(stream);
    this.head("stream", stream, block, end);
  }

  onHeaders(stream: Stream, block: HeaderBlock, end: boolean): void {
    this.head("headers", stream, block, end);
  }

  onData(stream: Stream, bytes: Uint8Array, from: number, to: number, end: boolean): void {
    this.lines.push(`data ${stream.id} ${Buffer.from(bytes.subarray(from, to)).toString("hex")}${end ? " end" : ""}`);
    stream.consume(to - from);
  }

  onReset(stream: Stream, code: number, remote: boolean): void {
    this.lines.push(`reset ${stream.id} ${code}${remote ? " remote" : ""}`);
  }

  onWritable(stream: Stream): void {
    this.lines.push(`writable ${stream.id}`);
  }

  onPong(payload: Uint8Array): void {
    this.lines.push(`pong ${Buffer.from(payload).toString("hex")}`);
  }

  onSettings(): void {
    this.lines.push("settings");
  }

  onGoaway(last: number, code: number, debug: Uint8Array): void {
    this.lines.push(`goaway ${last} ${code} ${Buffer.from(debug).toString("latin1")}`);
  }

  onClosed(error: Http2Error | null): void {
    this.closed++;
    this.error = error;
    this.lines.push(`closed ${error?.code ?? "in order"}`);
  }

  private head(what: string, stream: Stream, block: HeaderBlock, end: boolean): void {
    this.lines.push(`${what} ${stream.id} ${block.names.map((name, i) => `${name}=${block.values[i]!}`).join("; ")}${end ? " end" : ""}`);
  }
}

/** A connection and its journal. */
export function journaled(role: "client" | "server", options: Partial<Http2Options> = {}): { connection: Connection; journal: Journal } {
  const journal = new Journal();
  return { connection: new Connection(role, journal, options), journal };
}

/** A frame as the tests read it. */
export interface Seen {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

/** Everything a connection has ready to write. */
export function drain(connection: Connection): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let output = connection.take(); output !== null; output = connection.take()) {
    for (const bytes of output instanceof Uint8Array ? [output] : output) parts.push(Uint8Array.from(bytes));
    connection.recycle(output);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

/** Hands bytes over in pieces of any size, each lent: it is gone after the call. */
export function lend(random: Random, bytes: Uint8Array, to: Connection): void {
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + 1 + random.below(random.pick([8, 200, 5_000])));
    const lent = bytes.slice(at, end);
    to.receive(lent);
    lent.fill(0xaa);
    at = end;
  }
}

/** The frames of whole output, a client's preface left out. */
export function framesOf(bytes: Uint8Array): Seen[] {
  const found: Seen[] = [];
  const buffer = Buffer.from(bytes);
  let at = buffer.subarray(0, 3).toString() === "PRI" ? 24 : 0;
  while (at < buffer.length) {
    const length = buffer.readUIntBE(at, 3);
    found.push({ type: buffer[at + 3]!, flags: buffer[at + 4]!, stream: buffer.readUInt32BE(at + 5), payload: bytes.subarray(at + 9, at + 9 + length) });
    at += 9 + length;
  }
  return found;
}

/** A frame as bytes; the payload may be hexadecimal. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array | string = ""): Uint8Array {
  const data = typeof payload === "string" ? Buffer.from(payload, "hex") : payload;
  const head = Buffer.alloc(9);
  head.writeUIntBE(data.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Uint8Array.from(Buffer.concat([head, data]));
}

/** The first bytes of a peer: its preface, if it is a client, and an empty SETTINGS. */
export function prefaceOf(from: "client" | "server"): Uint8Array {
  return Uint8Array.from(Buffer.concat([Buffer.from(from === "client" ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" : ""), frame(4, 0, 0)]));
}

/** Several byte arrays as one. */
export function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
