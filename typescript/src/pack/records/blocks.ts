/** The blocks of a record file, written and read without I/O (`spec/records.md`, sections 1 to 3). */
import { SamewireError } from "../../core/error.js";
import type { ErrorCode } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { crc32 } from "./crc32.js";

const VERSION = 1;
export const MAGIC = Uint8Array.of(0x89, 0x53, 0x57, 0x52, 0x0d, 0x0a, 0x1a, VERSION);
/** The first byte of a block. */
export const Kind = { SCHEMA: 1, RECORDS: 2, ZSTD: 3, INDEX: 4 } as const;
const CHECKSUM_BYTES = 4;
/** An index ends with the offset of its block; the checksum follows. */
export const INDEX_TAIL_BYTES = 8 + CHECKSUM_BYTES;

/** Where a block of records starts, in bytes from the start of the file, and how many records it has. */
export interface Place {
  readonly start: number;
  readonly count: number;
}

/** A block whose checksum is right. `start`, `bodyAt` and `end` are offsets in the file. */
export interface Block {
  readonly kind: number;
  readonly start: number;
  readonly bodyAt: number;
  readonly end: number;
  readonly body: Uint8Array;
}

/** The error of a file, at an offset in it. */
export function fileError(code: ErrorCode, at: number, text: string): SamewireError {
  return new SamewireError(code, text, { at });
}

/** The error of a body that breaks its rules. */
export function malformed(block: Block, text: string): SamewireError {
  return fileError("malformed", block.bodyAt, text);
}

/** Returns LEB128 in its shortest form. */
export function varint(value: number): number[] {
  const out: number[] = [];
  while (value >= 0x80) {
    out.push((value % 0x80) | 0x80);
    value = Math.floor(value / 0x80);
  }
  out.push(value);
  return out;
}

/** Returns bytes one after the other. */
export function joined(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns a whole block: kind, size, body and checksum. */
export function block(kind: number, ...body: readonly ArrayLike<number>[]): Uint8Array {
  const size = body.reduce((sum, part) => sum + part.length, 0);
  const checked = joined([kind], varint(size), ...body);
  const checksum = new Uint8Array(CHECKSUM_BYTES);
  new DataView(checksum.buffer).setUint32(0, crc32(checked), true);
  return joined(checked, checksum);
}

/** Returns the body of an index that will start at an offset. */
export function indexBody(places: readonly Place[], start: number): Uint8Array {
  const fields = varint(places.length);
  let before = 0;
  for (const place of places) {
    fields.push(...varint(place.start - before), ...varint(place.count));
    before = place.start;
  }
  const tail = new Uint8Array(8);
  new DataView(tail.buffer).setBigUint64(0, BigInt(start), true);
  return joined(fields, tail);
}

/** Reads the numbers of a body that is whole: any error of theirs is the body's. */
class Numbers {
  at = 0;

  constructor(
    private readonly block: Block,
    private readonly text: string,
  ) {}

  next(): number {
    const found = readVarint(this.block.body, this.at, 0, Number.MAX_SAFE_INTEGER, () => this.refused());
    if (found === undefined) throw this.refused();
    this.at = found.end;
    return found.value;
  }

  count(): number {
    const value = this.next();
    if (value >= 2 ** 31) throw this.refused();
    return value;
  }

  refused(): SamewireError {
    return malformed(this.block, this.text);
  }
}

/**
 * Returns the places that an index names.
 *
 * @throws SamewireError `malformed`.
 */
export function indexOf(found: Block): Place[] {
  const { body } = found;
  const numbers = new Numbers(found, "an index whose fields do not fill it, or of another place; the blocks before it are whole");
  const places: Place[] = [];
  let start = 0;
  for (let left = numbers.count(); left > 0; left--) {
    start += numbers.next();
    places.push({ start, count: numbers.count() });
  }
  const tail = body.length - 8;
  if (numbers.at !== tail || new DataView(body.buffer, body.byteOffset).getBigUint64(tail, true) !== BigInt(found.start)) throw numbers.refused();
  return places;
}

/**
 * Returns how many records a block announces, how many bytes their frames have, and where in the body the data start.
 *
 * @throws SamewireError `malformed`.
 */
export function recordsSize(found: Block): { count: number; size: number; dataAt: number } {
  const numbers = new Numbers(found, "a block of records without its numbers, or of none");
  const count = numbers.count();
  if (count === 0) throw numbers.refused();
  const size = found.kind === Kind.ZSTD ? numbers.count() : found.body.length - numbers.at;
  return { count, size, dataAt: numbers.at };
}

/**
 * Returns the messages of a block's frames.
 *
 * @throws SamewireError `malformed` unless there are `count` of them, none is empty, and the last ends with the frames.
 */
export function messagesOf(found: Block, frames: Uint8Array, count: number): Uint8Array[] {
  const numbers = new Numbers({ ...found, body: frames }, "frames that do not end with their block, or not as many as announced");
  const messages: Uint8Array[] = [];
  while (numbers.at < frames.length) {
    const size = numbers.count();
    const start = numbers.at;
    numbers.at += size;
    if (size === 0 || numbers.at > frames.length) throw numbers.refused();
    messages.push(frames.subarray(start, numbers.at));
  }
  if (messages.length !== count) throw numbers.refused();
  return messages;
}

interface Found {
  readonly value: number;
  readonly end: number;
}

/** Reads a number of at most `most`; undefined if the bytes end inside it. */
function readVarint(bytes: Uint8Array, from: number, until: number, most: number, refused: () => SamewireError): Found | undefined {
  let value = 0;
  for (let i = 0; from + i < (until || bytes.length); i++) {
    const byte = bytes[from + i]!;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (value > most || i > 9) throw refused();
    if (byte >= 0x80) continue;
    if (byte === 0 && i > 0) throw refused();
    return { value, end: from + i + 1 };
  }
  return undefined;
}

/**
 * Cuts a record file, fed in chunks of any size, into blocks whose checksum is right. Holds at most one unfinished block.
 * After an error it throws the same error again.
 */
export class BlockScanner {
  private buffer = new Uint8Array(0);
  private from = 0;
  private until = 0;
  private error: SamewireError | undefined;

  /** @param at where in the file the first byte fed stands: 0, or where a block starts */
  constructor(
    private readonly limits: Limits,
    private at = 0,
  ) {}

  /** Adds the next bytes of the file. */
  feed(chunk: Uint8Array): void {
    if (this.until + chunk.length > this.buffer.length) {
      const held = this.until - this.from;
      const larger = new Uint8Array(Math.max(held + chunk.length, 2 * held));
      larger.set(this.buffer.subarray(this.from, this.until));
      this.buffer = larger;
      this.from = 0;
      this.until = held;
    }
    this.buffer.set(chunk, this.until);
    this.until += chunk.length;
  }

  /**
   * Returns the next block, undefined if more bytes are needed. Its body stays as it is.
   *
   * @throws SamewireError `malformed`, `unsupported`, `bad_number` or `limit_size` with the offset in the file.
   */
  next(): Block | undefined {
    return this.guarded(() => (this.at > 0 || this.takeMagic() ? this.take() : undefined));
  }

  /**
   * Declares the end of the file.
   *
   * @throws SamewireError `truncated` inside a block.
   */
  end(): void {
    this.guarded(() => {
      if (this.from === this.until && this.at > MAGIC.length) return;
      const what = this.at > MAGIC.length ? "its last block" : "its schema";
      const text = `the file ends within ${what}: it was cut off, or its writer is still at work (growing: true waits for it)`;
      throw fileError("truncated", this.at + this.until - this.from, text);
    });
  }

  private guarded<T>(step: () => T): T {
    if (this.error !== undefined) throw this.error;
    try {
      return step();
    } catch (error) {
      this.error = error as SamewireError;
      throw error;
    }
  }

  private takeMagic(): boolean {
    const start = this.buffer.subarray(this.from, this.until);
    for (let i = 0; i < Math.min(start.length, MAGIC.length); i++) {
      if (start[i] === MAGIC[i]) continue;
      if (i < MAGIC.length - 1) throw fileError("malformed", i, notAFile(start.subarray(0, MAGIC.length)));
      throw fileError("unsupported", i, `a record file of version ${start[i]!}; this library reads version ${VERSION}: update it`);
    }
    if (start.length < MAGIC.length) return false;
    this.from += MAGIC.length;
    this.at = MAGIC.length;
    return true;
  }

  private take(): Block | undefined {
    const { at, buffer, from, until } = this;
    if (from === until) return undefined;
    const kind = buffer[from]!;
    if (kind < Kind.SCHEMA || kind > Kind.INDEX) throw fileError("unsupported", at, `a block of kind ${kind}: a newer version wrote this file`);
    if ((kind === Kind.SCHEMA) !== (at === MAGIC.length)) throw fileError("malformed", at, "expected the schema as the first block, and nowhere else");
    const found = readVarint(buffer, from + 1, until, 2 ** 31 - 1, () => fileError("bad_number", at + 1, "expected a size below 2^31 in its shortest form"));
    if (found === undefined) return undefined;
    const { bufferedBytes } = this.limits;
    if (found.value > bufferedBytes) throw fileError("limit_size", at + 1, `a block of ${found.value} bytes, the limit bufferedBytes is ${bufferedBytes}`);
    const bodyEnd = found.end + found.value;
    const end = bodyEnd + CHECKSUM_BYTES;
    if (end > until) return undefined;
    const checksum = new DataView(buffer.buffer).getUint32(bodyEnd, true);
    if (crc32(buffer.subarray(from, bodyEnd)) !== checksum) throw fileError("malformed", at + bodyEnd - from, "the checksum differs: bytes were changed");
    this.from = end;
    this.at = at + end - from;
    // The buffer is written again, and messages may be views of the body.
    return { kind, start: at, bodyAt: at + found.end - from, end: this.at, body: buffer.slice(found.end, bodyEnd) };
  }
}

function notAFile(start: Uint8Array): string {
  const shown = Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  if (start[0] === MAGIC[0]) return "expected a record file; its line ends were changed: copy it as binary";
  if (start[0] === 0x7b || start[0] === 0x5b) return `expected a record file, this looks like JSON: ${shown}`;
  if (start[0]! >> 6 === 1) return `expected a record file, this may be a single message: ${shown}`;
  return `expected a record file, it starts with ${shown}`;
}
