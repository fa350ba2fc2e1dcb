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
