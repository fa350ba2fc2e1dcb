import { PREFIX } from "./message-frame.js";

/** Receives the messages of one direction of a call, synchronously. */
export interface MessageSink {
  /**
   * One whole message in `bytes[from, to)`. Unless `owned`, the bytes are valid during the call only.
   *
   * @returns false to end the reading: the rest of the input is dropped
   */
  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean, owned: boolean): boolean;
}

/** What `MessageReader.read` returns. */
export const enum Reading {
  /** All bytes are read. */
  Fine = 0,
  /** The sink ended the reading. */
  Stopped = 1,
  /** A flag byte that is neither 0 nor 1. */
  BadFlag = 2,
  /** A length above the limit; `announced` has it. */
  TooLong = 3,
}

/** The first buffer for an unfinished message: small while little of it has come. */
const LITTLE = 2_048;
const LITTLE_ROOM = 4_096;
const FIRST_ROOM = 65_536;

/**
 * The next buffer has up to this many times the bytes that came. Large, because every buffer but the last is thrown
 * away.
 */
const GROWTH = 32;

/**
 * Cuts the bytes of DATA frames into messages, in one pass, wherever the frames are split. A message that is whole in
 * one piece of input is passed on without a copy.
 *
 * The buffer for an unfinished message grows with the bytes that came, never by the announced length alone. It is not
 * touched before it is filled, so that a peer makes resident what it sent, and once more while the message moves to a
 * larger buffer. After an error the reader returns it again.
 */
export class MessageReader {
  /** The length that exceeded the limit. */
  announced = 0;
  readonly #limit: number;
  #fault: Reading = Reading.Fine;
  #prefix = 0;
  #flag = 0;
  #length = 0;
  #room: Buffer | null = null;
  #filled = 0;

  /** @param limit bytes of the longest message that is accepted */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True between messages: a direction may only end here. */
  get atBoundary(): boolean {
    return this.#prefix === 0;
  }

  /** Bytes of an unfinished message that are kept. */
  get buffered(): number {
    return this.#filled;
  }

  /** Drops an unfinished message: nothing is read any more. */
  stop(): void {
    this.#room = null;
    this.#filled = 0;
    if (this.#fault === Reading.Fine) this.#fault = Reading.Stopped;
  }

  read(bytes: Uint8Array, from: number, to: number, sink: MessageSink): Reading {
    if (this.#fault !== Reading.Fine) return this.#fault;
    let at = from;
    while (at < to) {
      if (this.#prefix === 0 && to - at >= PREFIX) {
        this.#flag = bytes[at]!;
        this.#length = ((bytes[at + 1]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!) >>> 0;
        at += PREFIX;
      } else {
        at = this.#readPrefix(bytes, at, to);
        if (this.#prefix < PREFIX) return this.#check();
      }
      this.#prefix = PREFIX;
      if (this.#check() !== Reading.Fine) return this.#fault;
      const end = at + this.#length - this.#filled;
      if (end > to) {
        this.#keep(bytes, at, to);
        return Reading.Fine;
      }
      let more: boolean;
      if (this.#room === null) {
        this.#prefix = 0;
        more = sink.onMessage(bytes, at, end, this.#flag === 1, false);
      } else {
        this.#keep(bytes, at, end);
        const whole = this.#room;
        const length = this.#filled;
        this.#room = null;
        this.#prefix = this.#filled = 0;
        more = sink.onMessage(whole, 0, length, this.#flag === 1, true);
      }
      if (!more) {
        this.#fault = Reading.Stopped;
        return Reading.Stopped;
      }
      at = end;
    }
    return Reading.Fine;
  }

  /** Takes bytes of the prefix one by one, when it is split between two reads. */
  #readPrefix(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to && this.#prefix < PREFIX; at += 1, this.#prefix += 1) {
      if (this.#prefix === 0) {
        this.#flag = bytes[at]!;
        this.#length = 0;
      } else {
        this.#length = ((this.#length << 8) | bytes[at]!) >>> 0;
      }
    }
    return at;
  }

  /** Checks the flag as soon as it has come, and the length when it is whole. */
  #check(): Reading {
    if (this.#flag > 1) {
      this.#fault = Reading.BadFlag;
    } else if (this.#prefix === PREFIX && this.#length > this.#limit) {
      this.announced = this.#length;
      this.#fault = Reading.TooLong;
    }
    return this.#fault;
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    const filled = this.#filled + to - from;
    if (this.#room === null || this.#room.length < filled) {
      const room = Buffer.allocUnsafeSlow(Math.min(this.#length, filled <= LITTLE ? LITTLE_ROOM : filled <= FIRST_ROOM ? FIRST_ROOM : GROWTH * filled));
      if (this.#room !== null) room.set(this.#room.subarray(0, this.#filled));
      this.#room = room;
    }
    this.#room.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.#filled);
    this.#filled = filled;
  }
}
