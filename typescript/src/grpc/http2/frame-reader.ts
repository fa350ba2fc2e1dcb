import { ErrorCode } from "./error-code.js";
import { HEAD_BYTES, readLength, readU31 } from "./frame/head.js";

/** What takes frames, whole and in order. A false answer ends the reading. */
export interface FrameTaker {
  /** One frame; its payload is `bytes[from, to)`, valid during the call. */
  frame(type: number, flags: number, stream: number, bytes: Uint8Array, from: number, to: number): boolean;
  /** The bytes are no HTTP/2. */
  refuse(code: ErrorCode, text: string): void;
}

/** What a client sends first (RFC 9113 section 3.4). */
export const PREFACE: Uint8Array = Uint8Array.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (character) => character.charCodeAt(0));

/** Cuts a byte stream into frames. What is incomplete is kept, never more than one frame, and never more room than twice the bytes that came. */
export class FrameReader {
  private held: Uint8Array;
  private count = 0;
  private prefaceLeft: number;

  constructor(
    private readonly taker: FrameTaker,
    private readonly maxFrameBytes: number,
    expectPreface: boolean,
  ) {
    this.held = new Uint8Array(0);
    this.prefaceLeft = expectPreface ? PREFACE.length : 0;
  }

  /** Bytes of an unfinished frame. */
  get buffered(): number {
    return this.count;
  }

  /** Reads on. */
  receive(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (this.prefaceLeft > 0 && at < to) {
      if (bytes[at++] !== PREFACE[PREFACE.length - this.prefaceLeft]) {
        this.taker.refuse(ErrorCode.PROTOCOL_ERROR, "the first bytes are not those of HTTP/2");
        return;
      }
      this.prefaceLeft--;
    }
    if (this.count > 0) {
      at = this.complete(bytes, at, to);
      if (at < 0) return;
    }
    at = this.whole(bytes, at, to);
    if (at >= 0 && at < to) this.keep(bytes, at, to);
  }

  /** Takes frames off while they are whole. Returns where the first incomplete one starts; -1: the reading has ended. */
  private whole(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (to - at >= HEAD_BYTES) {
      const length = readLength(bytes, at);
      if (length > this.maxFrameBytes) {
        this.taker.refuse(ErrorCode.FRAME_SIZE_ERROR, `a frame of ${length} bytes, ${this.maxFrameBytes} are allowed`);
        return -1;
      }
      const payload = at + HEAD_BYTES;
      const end = payload + length;
      if (end > to) break;
      if (!this.taker.frame(bytes[at + 3]!, bytes[at + 4]!, readU31(bytes, at + 5), bytes, payload, end)) return -1;
      at = end;
    }
    return at;
  }

  /** Adds to the frame that is held until it is whole. Returns where the rest starts; -1: it is not whole yet, or the reading has ended. */
  private complete(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.count < HEAD_BYTES) {
      at = Math.min(to, from + HEAD_BYTES - this.count);
      this.keep(bytes, from, at);
      if (this.count < HEAD_BYTES) return -1;
    }
    const wanted = Math.min(HEAD_BYTES + readLength(this.held, 0), HEAD_BYTES + this.maxFrameBytes);
    const end = Math.min(to, at + wanted - this.count);
    if (end > at) this.keep(bytes, at, end);
    if (this.count < wanted && readLength(this.held, 0) <= this.maxFrameBytes) return -1;
    const { held, count } = this;
    this.count = 0;
    return this.whole(held, 0, count) < 0 ? -1 : end;
  }

  private keep(bytes: Uint8Array, from: number, to: number): void {
    const count = this.count + to - from;
    if (count > this.held.length) {
      const larger = new Uint8Array(Math.max(256, count * 2));
      larger.set(this.held.subarray(0, this.count));
      this.held = larger;
    }
    this.held.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.count);
    this.count = count;
  }
}
