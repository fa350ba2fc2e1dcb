import type { OutputChunk } from "../../core/machine.js";

/** Slabs of two sizes are reused; larger ones are garbage-collected. */
const SMALL = 16_384;
const LARGE = 262_144;
const KEEP_SMALL = 128;
const KEEP_LARGE = 16;

const small: Uint8Array[] = [];
const large: Uint8Array[] = [];

function fresh(room: number): Uint8Array {
  if (room <= SMALL) return small.pop() ?? new Uint8Array(SMALL);
  if (room <= LARGE) return large.pop() ?? new Uint8Array(LARGE);
  return new Uint8Array(2 ** Math.ceil(Math.log2(room)));
}

function keep(bytes: Uint8Array): void {
  const length = bytes.buffer.byteLength;
  if (length === SMALL) {
    if (small.length < KEEP_SMALL) small.push(new Uint8Array(bytes.buffer));
  } else if (length === LARGE && large.length < KEEP_LARGE) large.push(new Uint8Array(bytes.buffer));
}

/** Takes back the slab of an output that is written. At most 6 MiB are kept, for all connections of the process. */
export function recycle(output: OutputChunk): void {
  keep(output instanceof Uint8Array ? output : output[0]!);
}

const NOTHING = new Uint8Array(0);

/** The bytes that a connection has ready for its socket. An idle connection has no buffer. */
export class Slab {
  /** Write here, from `at` on, after `reserve`. */
  bytes: Uint8Array = NOTHING;
  /** Bytes written. */
  at = 0;
  /** Messages that are written without a copy, and in `cuts` the offset of each in the slab. */
  private lent: Uint8Array[] | null = null;
  private cuts: number[] = [];
  /** Bytes of them. */
  lentBytes = 0;

  /** Makes room for `n` bytes. May replace `bytes`. */
  reserve(n: number): void {
    if (this.at + n > this.bytes.length) this.enlarge(n);
  }

  /** Appends `bytes` without a copy. Something must have been written since the last time. */
  lend(bytes: Uint8Array): void {
    (this.lent ??= []).push(bytes);
    this.cuts.push(this.at);
    this.lentBytes += bytes.length;
  }

  /**
   * Returns all that was written, which now belongs to the caller; null if there is nothing. Where long messages are
   * among it: pieces of the slab and messages by turns, beginning and perhaps ending with the slab's.
   */
  detach(): OutputChunk | null {
    if (this.at === 0) return null;
    const { bytes, at, lent, cuts } = this;
    this.bytes = NOTHING;
    this.at = 0;
    if (lent === null) return bytes.subarray(0, at);
    this.lent = null;
    this.cuts = [];
    this.lentBytes = 0;
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (const [turn, cut] of cuts.entries()) {
      pieces.push(bytes.subarray(from, cut), lent[turn]!);
      from = cut;
    }
    if (from < at) pieces.push(bytes.subarray(from, at));
    return pieces;
  }

  private enlarge(n: number): void {
    const old = this.bytes;
    this.bytes = fresh(this.at === 0 ? n : Math.max(this.at + n, old.length * 2));
    this.bytes.set(old.subarray(0, this.at));
    if (old.length > 0) keep(old);
  }
}
