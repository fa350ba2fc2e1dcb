import { ErrorCode } from "./error-code.js";
import { Flag, FrameType, HEAD_BYTES, readLength, readU31 } from "./frame/head.js";

/**
 * DATA frames from this length on are passed on as they come. Shorter ones are buffered until they are whole: short
 * messages come in one piece.
 */
const LONG_DATA = 4_096;

/** Receives frames in order. Reading ends when a method returns false. */
export interface FrameSink {
  /**
   * One frame, or a part of long DATA, of which only the last has END_STREAM; the payload is `bytes[from, to)`, valid
   * during the call.
   */
  frame(type: number, flags: number, stream: number, bytes: Uint8Array, from: number, to: number): boolean;
  /** From here on, what the socket gave at once is `bytes[from, to)`: frames, the last one maybe not whole. */
  rest(bytes: Uint8Array, from: number, to: number): void;
  /** The bytes are not HTTP/2. */
  refuse(code: ErrorCode, text: string): void;
}

/** What a client sends first (RFC 9113 section 3.4). */
export const PREFACE: Uint8Array = Uint8Array.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (character) => character.charCodeAt(0));

/** The first byte of a TLS record that begins a handshake, or refuses one. */
const TLS_HANDSHAKE = 0x16;
const TLS_ALERT = 0x15;

/**
 * Says which other protocol a frame's head belongs to, if it is one that servers often speak: its first three bytes
 * would be a length of more than a million bytes.
 */
function otherProtocol(bytes: Uint8Array, at: number): string | null {
  const first = String.fromCharCode(...bytes.subarray(at, at + 5));
  if (first === "HTTP/") return "the server answers in HTTP/1, not in HTTP/2: it is not a gRPC server, or a proxy before it does not pass on HTTP/2";
  if ((bytes[at] === TLS_ALERT || bytes[at] === TLS_HANDSHAKE) && bytes[at + 1] === 3) return "the server speaks TLS: use credentials.createSsl() for it";
  return null;
}

/**
 * Cuts a byte stream into frames. Short and padded frames are buffered until they are whole, never more than one, in at
 * most twice the bytes that came.
 */
export class FrameReader {
  private buffer: Uint8Array;
  private count = 0;
  private prefaceLeft: number;
  /** Bytes still to come of a long DATA frame, its stream and its flags. */
  private left = 0;
  private stream = 0;
  private flags = 0;
  /** Longest payload of DATA. Other frames, and DATA at first, have `maxFrameBytes`. */
  maxDataBytes: number;
  /** How often a frame was begun and not whole at once. */
  begun = 0;

  constructor(
    private readonly sink: FrameSink,
    private readonly maxFrameBytes: number,
    expectPreface: boolean,
  ) {
    this.buffer = new Uint8Array(0);
    this.maxDataBytes = maxFrameBytes;
    this.prefaceLeft = expectPreface ? PREFACE.length : 0;
  }

  /** Bytes of an unfinished frame; 0 if there is none. */
  get buffered(): number {
    return this.count + this.left;
  }

  /** Whether a frame other than long DATA has begun. */
  get unfinished(): boolean {
    return this.count > 0;
  }

  /** Reads `bytes[from, to)`. */
  receive(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (this.prefaceLeft > 0 && at < to) {
      if (bytes[at++] !== PREFACE[PREFACE.length - this.prefaceLeft]) {
        this.sink.refuse(ErrorCode.PROTOCOL_ERROR, bytes[from] === TLS_HANDSHAKE && at === from + 1 ? "the client speaks TLS, and this port does not" : "the first bytes are not those of HTTP/2");
        return;
      }
      this.prefaceLeft--;
    }
    if (this.count > 0) {
      at = this.complete(bytes, at, to);
      if (at < 0) return;
    }
    if (this.left > 0 && at < to) {
      at = this.pass(bytes, at, to);
      if (at < 0) return;
    }
    this.sink.rest(bytes, at, to);
    at = this.whole(bytes, at, to);
    if (at >= 0 && at < to) this.keep(bytes, at, to);
  }

  /** Passes on whole frames. Returns where the first unfinished one starts, or -1 if reading has ended. */
  private whole(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (to - at >= HEAD_BYTES) {
      const length = readLength(bytes, at);
      if (length > this.maxFrameBytes && !this.fits(bytes, at)) return -1;
      const end = at + HEAD_BYTES + length;
      if (end > to) return this.begin(bytes, at) ? this.pass(bytes, at + HEAD_BYTES, to) : at;
      if (!this.sink.frame(bytes[at + 3]!, bytes[at + 4]!, readU31(bytes, at + 5), bytes, at + HEAD_BYTES, end)) return -1;
      at = end;
    }
    return at;
  }

  /** Checks the length in the head at `at`. */
  private fits(bytes: Uint8Array, at: number): boolean {
    const length = readLength(bytes, at);
    const most = bytes[at + 3] === FrameType.DATA ? Math.max(this.maxDataBytes, this.maxFrameBytes) : this.maxFrameBytes;
    if (length <= most) return true;
    this.sink.refuse(ErrorCode.FRAME_SIZE_ERROR, otherProtocol(bytes, at) ?? `a frame of ${length} bytes, ${most} are allowed`);
    return false;
  }

  /** Starts passing on long DATA if the head at `at` is of such a frame. Returns whether it is. */
  private begin(bytes: Uint8Array, at: number): boolean {
    const length = readLength(bytes, at);
    const flags = bytes[at + 4]!;
    if (length < LONG_DATA || bytes[at + 3] !== FrameType.DATA || (flags & Flag.PADDED) !== 0) return false;
    this.left = length;
    this.flags = flags;
    this.stream = readU31(bytes, at + 5);
    return true;
  }

  /** Passes on what has come of long DATA. Returns where the rest starts, or -1 if reading has ended. */
  private pass(bytes: Uint8Array, from: number, to: number): number {
    const end = Math.min(to, from + this.left);
    if (end === from) return end;
    this.left -= end - from;
    const flags = this.left === 0 ? this.flags : this.flags & ~Flag.END_STREAM;
    return this.sink.frame(FrameType.DATA, flags, this.stream, bytes, from, end) ? end : -1;
  }

  /**
   * Adds to the buffered frame. Returns where the rest starts once it is whole or known to be long DATA; -1 if it is
   * not, or if reading has ended.
   */
  private complete(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.count < HEAD_BYTES) {
      at = Math.min(to, from + HEAD_BYTES - this.count);
      this.keep(bytes, from, at);
      if (this.count < HEAD_BYTES || !this.fits(this.buffer, 0)) return -1;
      if (this.begin(this.buffer, 0)) {
        this.count = 0;
        return at;
      }
    }
    const wanted = HEAD_BYTES + readLength(this.buffer, 0);
    const end = Math.min(to, at + wanted - this.count);
    if (end > at) this.keep(bytes, at, end);
    if (this.count < wanted) return -1;
    const { buffer, count } = this;
    this.count = 0;
    this.sink.rest(bytes, end, to);
    return this.whole(buffer, 0, count) < 0 ? -1 : end;
  }

  private keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.count === 0) this.begun += 1;
    const count = this.count + to - from;
    if (count > this.buffer.length) {
      const larger = new Uint8Array(Math.max(256, count * 2));
      larger.set(this.buffer.subarray(0, this.count));
      this.buffer = larger;
    }
    this.buffer.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.count);
    this.count = count;
  }
}
