/** Slabs come in two sizes that are used again; one that had to be larger is left to the collector. */
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

/** Takes a slab that nobody uses any more back; at most 6 MiB are kept, for all connections of the process. */
export function recycle(bytes: Uint8Array): void {
  const length = bytes.buffer.byteLength;
  if (length === SMALL) {
    if (small.length < KEEP_SMALL) small.push(new Uint8Array(bytes.buffer));
  } else if (length === LARGE && large.length < KEEP_LARGE) large.push(new Uint8Array(bytes.buffer));
}

const NOTHING = new Uint8Array(0);

/** The bytes a connection has ready for its socket, in one piece. An idle connection holds none. */
export class Slab {
  /** Write here, from `at` on, after `reserve`. */
  bytes: Uint8Array = NOTHING;
  /** Bytes written. */
  at = 0;

  /** Makes room for `n` bytes. The old `bytes` is void. */
  reserve(n: number): void {
    if (this.at + n > this.bytes.length) this.enlarge(n);
  }

  /** All bytes written, which now belong to the caller; null when there are none. */
  detach(): Uint8Array | null {
    if (this.at === 0) return null;
    const written = this.bytes.subarray(0, this.at);
    this.bytes = NOTHING;
    this.at = 0;
    return written;
  }

  private enlarge(n: number): void {
    const old = this.bytes;
    this.bytes = fresh(this.at === 0 ? n : Math.max(this.at + n, old.length * 2));
    this.bytes.set(old.subarray(0, this.at));
    if (old.length > 0) recycle(old);
  }
}
