import { described } from "./described.js";
import { SamewireError } from "./error.js";
import { limits as limitsOf } from "./limits.js";
import type { Limits } from "./limits.js";
import { Output } from "./output.js";
import { isBytes } from "./realm.js";

const FIRST_BYTES = 64;
/** A buffer longer than this is not kept for the next frame. */
const KEPT_BYTES = 1 << 20;
/**
 * Taken messages are dropped from the queue in batches of at least this many: dropping each would cost more than taking
 * it.
 */
const TAKEN = 64;
const MOST_BYTES = 0x7fff_ffff;
/** The likely cause of an invalid length, for error texts. */
const CAUSE = "the stream was changed, or is not made of frames (writeFrame)";

/**
 * Cuts a stream of bytes into messages (section 14): feed it chunks of any size, take messages until there is none.
 *
 * It buffers at most `bufferedBytes` of an unfinished frame, and never allocates for a length before the bytes are
 * there. After an error the scanner is dead and throws the same error again.
 */
export class FrameScanner {
  private readonly limits: Limits;
  private readonly messages: Uint8Array[] = [];
  /** How many of them have been taken. */
  private taken = 0;
  /** The first `buffered` bytes are the beginning of an unfinished frame. */
  private buffer = new Uint8Array(FIRST_BYTES);
  private buffered = 0;
  /** The offset of the unfinished frame in the stream. */
  private offset = 0;
  private ended = false;
  private error: SamewireError | undefined;
  /** Whether the error has been thrown. */
  private dead = false;

  /** @param limits those that differ from the defaults */
  constructor(limits: Partial<Limits> = {}) {
    this.limits = limitsOf(limits);
  }

  /**
   * Takes the next bytes of the stream and copies them. An error in them is thrown by {@link next}, after the messages
   * before it.
   *
   * @throws SamewireError the error that the scanner died of; `misuse` after {@link end} and for anything but a
   *   `Uint8Array`, which leaves the scanner unchanged.
   */
  feed(chunk: Uint8Array): void {
    if (!isBytes(chunk)) throw new SamewireError("misuse", `expected the next bytes of the stream as a Uint8Array, got ${described(chunk)}`);
    if (this.dead) throw this.error!;
    if (this.ended) throw new SamewireError("misuse", `expected no bytes after end(), got ${chunk.length}: another stream needs a FrameScanner of its own`);
    if (this.error !== undefined) return;
    for (let at = 0; at < chunk.length; ) {
      const taken = this.buffered === 0 ? this.whole(chunk, at) : this.part(chunk, at);
      if (taken === 0) return;
      at += taken;
    }
  }

  /**
   * Returns the next message as a copy; undefined while its frame is unfinished, and at the end of the stream.
   *
   * @throws SamewireError `malformed`, `bad_number` or `limit_size` at an invalid length of a frame.
   */
  next(): Uint8Array | undefined {
    const message = this.messages[this.taken];
    if (message !== undefined) {
      if (++this.taken === this.messages.length) {
        this.messages.length = 0;
        this.taken = 0;
      } else if (this.taken >= TAKEN && 2 * this.taken >= this.messages.length) {
        this.messages.splice(0, this.taken);
        this.taken = 0;
      }
      return message;
    }
    this.live();
    return undefined;
  }

  /**
   * Declares the end of the stream. All messages must have been taken.
   *
   * @throws SamewireError `truncated` inside a frame; otherwise what {@link next} would throw; `misuse` while messages
   *   are left, and the stream stays open.
   */
  end(): void {
    if (this.messages.length > 0) throw new SamewireError("misuse", `${this.messages.length - this.taken} messages are left: call next() until it returns undefined, then end()`);
    if (this.error === undefined && this.buffered > 0) this.fail("truncated", this.offset + this.buffered, this.unfinished());
    this.live();
    this.ended = true;
  }

  /** Throws the error, if there is one. */
  private live(): void {
    if (this.error === undefined) return;
    this.dead = true;
    throw this.error;
  }

  /** The error text for a stream that ends inside a frame. */
  private unfinished(): string {
    const size = this.frameSize(this.buffer, 0, this.buffered);
    const rest = "it was cut off, its writer is still at work, or it is not made of frames (writeFrame)";
    return size === undefined ? `the stream ends inside the length of a frame: ${rest}` : `the stream ends after ${this.buffered} of the ${size} bytes of a frame: ${rest}`;
  }

  private fail(code: "malformed" | "bad_number" | "limit_size" | "truncated", at: number, text: string): void {
    this.error = new SamewireError(code, text, { at, path: "$" });
  }

  /** Takes a frame that begins in a chunk; returns how many bytes of the chunk it took, 0 for an error. */
  private whole(chunk: Uint8Array, at: number): number {
    const size = this.frameSize(chunk, at, chunk.length);
    if (this.error !== undefined) return 0;
    if (size === undefined || at + size > chunk.length) return this.keep(chunk, at, chunk.length - at);
    this.messages.push(copied(chunk, at + lengthBytes(chunk, at), at + size));
    this.offset += size;
    return size;
  }

  /** Continues an unfinished frame; returns how many bytes of the chunk it took, 0 for an error. */
  private part(chunk: Uint8Array, at: number): number {
    const size = this.frameSize(this.buffer, 0, this.buffered);
    // The length itself is unfinished: take one byte.
    if (size === undefined) {
      this.keep(chunk, at, 1);
      this.frameSize(this.buffer, 0, this.buffered);
      return this.error === undefined ? 1 : 0;
    }
    const taken = this.keep(chunk, at, Math.min(size - this.buffered, chunk.length - at));
    if (this.buffered === size) {
      this.messages.push(copied(this.buffer, lengthBytes(this.buffer, 0), size));
      this.offset += size;
      this.buffered = 0;
      if (this.buffer.length > KEPT_BYTES) this.buffer = new Uint8Array(FIRST_BYTES);
    }
    return taken;
  }

  private keep(chunk: Uint8Array, at: number, count: number): number {
    const wanted = this.buffered + count;
    if (wanted > this.buffer.length) {
      const larger = new Uint8Array(Math.max(wanted, 2 * this.buffer.length));
      larger.set(this.buffer.subarray(0, this.buffered));
      this.buffer = larger;
    }
    this.buffer.set(chunk.subarray(at, at + count), this.buffered);
    this.buffered = wanted;
    return count;
  }

  /** The size of a frame with its length field; undefined if the length is unfinished or invalid. */
  private frameSize(bytes: Uint8Array, from: number, to: number): number | undefined {
    let length = 0;
    for (let i = 0; from + i < to; i++) {
      const byte = bytes[from + i]!;
      if (i === 4 && byte > 0x0f) {
        this.fail("bad_number", this.offset, `expected the length of a frame, of up to 32 bits, got more: ${CAUSE}`);
        return undefined;
      }
      length += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return this.judged(length, byte, i + 1);
    }
    return undefined;
  }

  private judged(length: number, last: number, bytes: number): number | undefined {
    const { frameBytes, bufferedBytes } = this.limits;
    if (last === 0 && bytes > 1) this.fail("bad_number", this.offset, `expected the length of a frame in its shortest form, got ${length} in ${bytes} bytes: ${CAUSE}`);
    else if (length > MOST_BYTES) this.fail("bad_number", this.offset, `expected the length of a frame, up to ${MOST_BYTES}, got ${length}: ${CAUSE}`);
    else if (length === 0) this.fail("malformed", this.offset, "expected a frame of at least one byte, got the length 0: every frame holds a message");
    else if (length > frameBytes) this.fail("limit_size", this.offset, `a frame of ${length} bytes, limits.frameBytes is ${frameBytes}: raise the limit, unless ${CAUSE}`);
    else if (bytes + length > bufferedBytes) this.fail("limit_size", this.offset, `a frame of ${bytes + length} bytes with its length, limits.bufferedBytes is ${bufferedBytes}: raise the limit, unless ${CAUSE}`);
    else return bytes + length;
    return undefined;
  }
}

/** A copy. `slice` would not do: a `Buffer` is a `Uint8Array` too, but its `slice` is a view. */
function copied(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const copy = new Uint8Array(to - from);
  copy.set(bytes.subarray(from, to));
  return copy;
}

/** The size of a varint that is known to be complete. */
function lengthBytes(bytes: Uint8Array, at: number): number {
  let count = 1;
  while (bytes[at + count - 1]! > 0x7f) count++;
  return count;
}

/**
 * Appends a message to an output as a frame: its length, then the message.
 *
 * @throws SamewireError `misuse` for anything but a `Uint8Array` of 1 to 2,147,483,647 bytes.
 */
export function writeFrame(output: Output, message: Uint8Array): void {
  const whole = isBytes(message) && message.length > 0 && message.length <= MOST_BYTES;
  if (!whole) throw new SamewireError("misuse", `expected a message of 1 to ${MOST_BYTES} bytes, got ${described(message)}: a frame holds one whole message`);
  output.reserve(5 + message.length);
  let { length } = message;
  while (length > 127) {
    output.buffer[output.length++] = (length & 127) | 128;
    length >>>= 7;
  }
  output.buffer[output.length++] = length;
  output.write(message);
}
