import type { HeaderFields } from "./header-fields.js";

/** Chunks up to here are copied behind each other: each as an array of its own would cost many times its bytes. */
const SHORT_BYTES = 256;

/** Room made at a time for such chunks: as much as waits already, between these. */
const LEAST_ROOM = 256;
const MOST_ROOM = 16_384;

/** What one stream has given and could not send yet: bytes, then perhaps trailers or just the end. */
export class SendQueue {
  private chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that are sent. */
  private offset = 0;
  /** Room for short chunks, behind all others, and how much of it is used. */
  private tail: Uint8Array | null = null;
  private used = 0;
  /** Bytes waiting. */
  bytes = 0;
  /** Nothing follows the bytes but the trailers, if any. */
  ended = false;
  trailers: HeaderFields | null = null;
  extra: HeaderFields | undefined = undefined;
  /** The layer above was told to wait. */
  awaited = false;
  /** It stands in the ring of streams that could send. */
  ready = false;

  /** Adds a chunk that stays as it is until it is sent. */
  push(chunk: Uint8Array): void {
    if (chunk.length <= SHORT_BYTES) {
      this.copy(chunk);
      return;
    }
    this.seal();
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Adds the bytes of a chunk that its owner uses again. */
  copy(chunk: Uint8Array): void {
    const { length } = chunk;
    if (length === 0) return;
    let room = this.tail;
    if (room === null || this.used + length > room.length) {
      this.seal();
      room = this.tail = new Uint8Array(Math.max(length, Math.min(Math.max(this.bytes, LEAST_ROOM), MOST_ROOM)));
    }
    if (length > 32) room.set(chunk, this.used);
    else for (let i = 0; i < length; i++) room[this.used + i] = chunk[i]!;
    this.used += length;
    this.bytes += length;
  }

  /** Bytes before the first chunk of which `long` bytes are left to send; -1 when there is none, or not within the first `most` bytes. */
  before(long: number, most: number): number {
    this.seal();
    let before = -this.offset;
    for (let turn = 0; turn < this.chunks.length; turn++) {
      const { length } = this.chunks[turn]!;
      if (length + Math.min(before, 0) >= long) return Math.max(before, 0);
      before += length;
      if (before > most) return -1;
    }
    return -1;
  }

  /** Takes at most `n` bytes off the first chunk, where they are. */
  cut(n: number): Uint8Array {
    const chunk = this.chunks[0]!;
    const from = this.offset;
    const part = chunk.subarray(from, from + n);
    this.bytes -= part.length;
    this.offset += part.length;
    if (this.offset === chunk.length) {
      this.chunks.shift();
      this.offset = 0;
    }
    return part;
  }

  /** Moves `n` of the waiting bytes to `out`. */
  move(n: number, out: Uint8Array, at: number): void {
    this.seal();
    this.bytes -= n;
    let done = 0;
    while (n > 0) {
      const chunk = this.chunks[done]!;
      const part = Math.min(n, chunk.length - this.offset);
      out.set(this.offset === 0 && part === chunk.length ? chunk : chunk.subarray(this.offset, this.offset + part), at);
      at += part;
      n -= part;
      this.offset += part;
      if (this.offset === chunk.length) {
        done++;
        this.offset = 0;
      }
    }
    if (done > 0) this.chunks.splice(0, done);
  }

  /** What was copied so far becomes a chunk like the others. */
  private seal(): void {
    if (this.tail === null) return;
    this.chunks.push(this.tail.subarray(0, this.used));
    this.tail = null;
    this.used = 0;
  }
}
