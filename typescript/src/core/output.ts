import { SamewireError } from "./error.js";
import { isBytes } from "./realm.js";

/**
 * A reusable buffer that grows. {@link Codec.encodeInto} appends messages to it; nothing is allocated while they fit.
 *
 * ```ts
 * const output = new pack.Output();
 * codec.encodeInto(value, output);
 * socket.write(output.bytes);   // a view: valid until the output is written to again
 * output.clear();
 * ```
 */
export class Output {
  /** The buffer; beyond `length` it is unused. */
  buffer: Uint8Array;
  /** How many bytes of it are written. */
  length = 0;
  /** @internal Whether a message is being written to it. */
  busy = false;

  /** @param capacity size of the first buffer, in bytes */
  constructor(capacity = 1_024) {
    if (!Number.isSafeInteger(capacity) || capacity < 0) throw new SamewireError("misuse", "a capacity is a whole number of bytes");
    this.buffer = new Uint8Array(capacity);
  }

  /** What is written, as a view into the buffer. */
  get bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  /**
   * Throws `misuse` while a message is being written. An accessor of the value could otherwise change the output under
   * it.
   *
   * @internal
   */
  idle(): void {
    if (this.busy) throw new SamewireError("misuse", "a message is being written to this output; use another one");
  }

  /**
   * As {@link idle}; throws `misuse` too if what was written is gone because the buffer was transferred to a worker.
   *
   * @internal
   */
  intact(): void {
    this.idle();
    if (this.length > this.buffer.length) throw new SamewireError("misuse", "what was written is gone with its buffer, which was transferred; clear the output first");
  }

  /** Drops what is written and keeps the buffer. */
  clear(): void {
    this.idle();
    this.length = 0;
  }

  /**
   * Makes room for `more` bytes, at least doubling when it must grow.
   *
   * @throws SamewireError `misuse` for anything but a whole number of bytes.
   */
  reserve(more: number): void {
    if (!Number.isSafeInteger(more) || more < 0) throw new SamewireError("misuse", "what is reserved is a whole number of bytes");
    this.intact();
    const wanted = this.length + more;
    if (wanted > this.buffer.length) this.buffer = grown(this.buffer, this.length, wanted);
  }

  /**
   * Appends bytes as they are.
   *
   * @throws SamewireError `misuse` for anything but a `Uint8Array`.
   */
  write(bytes: Uint8Array): void {
    if (!isBytes(bytes)) throw new SamewireError("misuse", "only a Uint8Array can be written");
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }
}

/**
 * A larger buffer with the first `used` bytes of the old one. With `used` 0, the old one may have been transferred to a
 * worker.
 */
export function grown(buffer: Uint8Array, used: number, wanted: number): Uint8Array {
  const larger = new Uint8Array(Math.max(wanted, 2 * buffer.length));
  if (used > 0) larger.set(buffer.subarray(0, used));
  return larger;
}
