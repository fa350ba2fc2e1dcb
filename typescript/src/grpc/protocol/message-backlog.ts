import { readU32, writeU32 } from "../http2/frame/head.js";

/** Messages up to this length share slabs: a Buffer for each would cost us hundreds of bytes for five of the peer's. */
const SHORT_BYTES = 256;

/** Before each message: flags, the bytes of the window that it holds, and the length of a short one. */
const HEAD_BYTES = 9;
const COMPRESSED = 1;
const LONG = 2;

/** Slabs grow with what is buffered. One of the smallest is kept when nothing is. */
const LEAST_SLAB = 512;
const MOST_SLAB = 16_384;

const NOTHING: Buffer = Buffer.alloc(0);

/** Some messages in order: short ones whole, long ones by their head. */
class Slab {
  readonly bytes: Uint8Array;
  used = 0;
  readonly long: Buffer[] = [];
  next: Slab | null = null;

  constructor(room: number) {
    this.bytes = new Uint8Array(room);
  }
}

/**
 * A queue of messages that have come and have not been asked for, in constant time each. They take about the memory of
 * their bytes, so that a flow-control window bounds memory even if it is full of empty messages. What is taken out is
 * freed at once.
 */
export class MessageBacklog {
  /** Messages in the queue. */
  size = 0;
  /** Of the message taken last: whether it is compressed, and the bytes of the window that it took. */
  compressed = false;
  windowBytes = 0;
  /** Bytes of the window that all hold. */
  #windowBytes = 0;
  #head: Slab | null = null;
  #tail: Slab | null = null;
  /** Where in the head the next message begins, and which of its long ones comes next. */
  #at = 0;
  #nextLong = 0;

  /** Adds the message in `bytes[from, to)`. `isOwned`: long ones need not be copied. */
  push(bytes: Uint8Array, from: number, to: number, compressed: boolean, windowBytes: number, isOwned: boolean): void {
    const length = to - from;
    const isLong = length > SHORT_BYTES;
    const slab = this.#room(isLong ? HEAD_BYTES : HEAD_BYTES + length);
    const out = slab.bytes;
    let at = slab.used;
    out[at] = (compressed ? COMPRESSED : 0) | (isLong ? LONG : 0);
    at = writeU32(length, out, writeU32(windowBytes, out, at + 1));
    if (isLong) slab.long.push(isOwned ? Buffer.from(bytes.buffer, bytes.byteOffset + from, length) : Buffer.from(bytes.subarray(from, to)));
    else for (let i = from; i < to; i += 1, at += 1) out[at] = bytes[i]!;
    slab.used = at;
    this.size += 1;
    this.#windowBytes += windowBytes;
  }

  /** Removes the first message and returns its bytes, which are the caller's; null if there is none. */
  shift(): Buffer | null {
    const slab = this.#head;
    if (this.size === 0 || slab === null) return null;
    const { bytes } = slab;
    const flags = bytes[this.#at]!;
    this.compressed = (flags & COMPRESSED) !== 0;
    this.windowBytes = readU32(bytes, this.#at + 1);
    let message: Buffer;
    if ((flags & LONG) !== 0) {
      message = slab.long[this.#nextLong]!;
      slab.long[this.#nextLong] = NOTHING;
      this.#nextLong += 1;
      this.#at += HEAD_BYTES;
    } else {
      const from = this.#at + HEAD_BYTES;
      this.#at = from + readU32(bytes, this.#at + 5);
      message = Buffer.allocUnsafe(this.#at - from);
      for (let i = 0; i < message.length; i += 1) message[i] = bytes[from + i]!;
    }
    this.size -= 1;
    this.#windowBytes -= this.windowBytes;
    if (this.#at === slab.used) this.#leave(slab);
    return message;
  }

  /** Removes all messages. Returns the bytes of the window that they took. */
  clear(): number {
    const windowBytes = this.#windowBytes;
    this.#windowBytes = 0;
    this.size = 0;
    this.#at = this.#nextLong = 0;
    this.#head = this.#tail = null;
    return windowBytes;
  }

  /** A slab with so much room left. */
  #room(bytes: number): Slab {
    const tail = this.#tail;
    if (tail !== null && tail.used + bytes <= tail.bytes.length) return tail;
    const slab = new Slab(tail === null ? LEAST_SLAB : Math.min(tail.bytes.length * 2, MOST_SLAB));
    if (tail === null) this.#head = slab;
    else tail.next = slab;
    this.#tail = slab;
    return slab;
  }

  /** All messages of a slab are taken. */
  #leave(slab: Slab): void {
    this.#at = this.#nextLong = 0;
    if (slab.next !== null) {
      this.#head = slab.next;
    } else if (slab.bytes.length === LEAST_SLAB) {
      slab.used = 0;
      slab.long.length = 0;
    } else {
      this.#head = this.#tail = null;
    }
  }
}
