import type { HeaderFields } from "./header-fields.js";

/** Chunks up to this length are copied into shared buffers: an array for each would cost many times its bytes. */
const SHORT_BYTES = 256;

/** The least and greatest size of such a buffer: as much as is queued already, between these. */
const LEAST_ROOM = 256;
const MOST_ROOM = 16_384;

/** Output that one stream could not send yet: bytes, then perhaps trailers or just the end. */
export class SendQueue {
  private chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that are sent. */
  private offset = 0;
  /** The buffer for short chunks, after all others, and how much of it is used. */
  private tail: Uint8Array | null = null;
  private used = 0;
  /** Bytes waiting. */
  bytes = 0;
  /** Only the trailers, if any, follow the bytes. */
  ended = false;
  trailers: HeaderFields | null = null;
  extra: HeaderFields | undefined = undefined;
  /** The layer above waits for `onWritable`. */
  awaited = false;
  /** It is in the ring of streams that can send. */
  ready = false;

  /** Adds a chunk that must not change until it is sent. */
  push(chunk: Uint8Array): void {
    if (chunk.length <= SHORT_BYTES) {
      this.copy(chunk);
      return;
    }
    this.seal();
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Copies a chunk that its owner reuses. */
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

  /**
   * Returns the bytes before the first chunk with `long` bytes left to send; -1 if there is none within the first
   * `most` bytes.
   */
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

  /** Returns a view of up to `n` bytes of the first chunk, and removes them. */
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

  /** Moves `n` of the queued bytes to `out`. */
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

  /** Turns the copied bytes so far into a chunk like the others. */
  private seal(): void {
    if (this.tail === null) return;
    this.chunks.push(this.tail.subarray(0, this.used));
    this.tail = null;
    this.used = 0;
  }
}
