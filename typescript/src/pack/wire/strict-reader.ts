import { SamewireError } from "../../core/error.js";
import type { ErrorCode } from "../../core/error.js";

/**
 * Reads bytes strictly, with the path of the current value. Everything is checked as soon as it is read, in the order
 * of the bytes, so that the first error is the one that every implementation reports.
 */
export class Cursor {
  position = 0;
  /** The steps of the path below `$`. */
  protected readonly steps: string[] = [];

  constructor(readonly bytes: Uint8Array) {}

  fail(code: ErrorCode, at: number, text: string): never {
    throw new SamewireError(code, text, { at, path: `$${this.steps.join("")}` });
  }

  /** Throws `truncated` unless `size` bytes remain. */
  need(size: number): void {
    const missing = this.position + size - this.bytes.length;
    if (missing > 0) this.fail("truncated", this.bytes.length, `the message ends too early: ${missing} more ${missing === 1 ? "byte is" : "bytes are"} needed: read until it is whole`);
  }

  /** The bytes of a field of `size` bytes. */
  take(size: number): Uint8Array {
    this.need(size);
    return this.bytes.subarray(this.position, (this.position += size));
  }

  byte(): number {
    this.need(1);
    return this.bytes[this.position++]!;
  }

  /** A varint of an unsigned type of that many bits, in the shortest form only. */
  varint(bits: 16 | 32 | 64): bigint {
    const at = this.position;
    const longest = Math.ceil(bits / 7);
    // Arithmetic on bigints is slow, and most values fit the low 28 bits.
    let low = 0;
    let high = 0n;
    for (let index = 0; index < longest; index++) {
      const byte = this.byte();
      if (index < 4) low |= (byte & 0x7f) << (7 * index);
      else high |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) {
        const value = high | BigInt(low);
        if (byte === 0 && index > 0) this.fail("bad_number", at, "a varint ends in a byte of zero; write the shortest form");
        if (BigInt.asUintN(bits, value) !== value) this.fail("bad_number", at, `${value.toString()} does not fit u${bits}`);
        return value;
      }
    }
    return this.fail("bad_number", at, `a varint of u${bits} has no more than ${longest} bytes`);
  }

  /** A zigzag varint of a signed type. */
  signed(bits: 16 | 32 | 64): bigint {
    const u = this.varint(bits);
    return (u & 1n) === 0n ? u >> 1n : -((u + 1n) >> 1n);
  }

  /** A count, length or index. */
  count(): number {
    const at = this.position;
    const value = Number(this.varint(32));
    return value < 0x8000_0000 ? value : this.fail("bad_number", at, `a count of ${value}; the greatest is 2,147,483,647`);
  }
}
