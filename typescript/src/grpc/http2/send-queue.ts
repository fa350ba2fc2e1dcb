import type { HeaderFields } from "./header-fields.js";

/** What one stream has given and could not send yet: bytes, then perhaps trailers or just the end. */
export class SendQueue {
  private chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that are sent. */
  private offset = 0;
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

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Bytes before the first chunk of which `long` bytes are left to send; -1 when there is none, or not within the first `most` bytes. */
  before(long: number, most: number): number {
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
}
