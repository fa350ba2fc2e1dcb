/** The blocks of a record file, written and read without I/O (`spec/records.md`, sections 1 to 3). */
import { SamewireError } from "../../core/error.js";
import type { ErrorCode } from "../../core/error.js";
import type { Limits } from "../../core/limits.js";
import { beginsLike } from "../wire/foreign-format.js";
import { crc32 } from "./crc32.js";

const VERSION = 1;
export const MAGIC = Uint8Array.of(0x89, 0x53, 0x57, 0x52, 0x0d, 0x0a, 0x1a, VERSION);
/** The first byte of a block. */
export const Kind = { SCHEMA: 1, RECORDS: 2, ZSTD: 3, INDEX: 4 } as const;
const CHECKSUM_BYTES = 4;
/** The bytes of the smallest block of records: kind, size, count, a frame of one byte, checksum. */
const LEAST_BYTES = 1 + 1 + 1 + 2 + CHECKSUM_BYTES;
/** The most bytes that a size, count or length takes. */
export const SIZE_BYTES = 5;
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

/** The error of a file that has to end with its index, and does not. */
export function noIndex(length: number): SamewireError {
  return fileError("truncated", length, "expected an index as the last block, as closing the encoder leaves it, got the end of the file: the file was cut off, or its writer has not closed it; copy it again, or read it without complete: true");
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
 * @param first where the first of them may start: the end of the schema's block
 * @throws SamewireError `malformed`.
 */
export function indexOf(found: Block, first: number): Place[] {
  const { body } = found;
  const numbers = new Numbers(found, "expected an index that fills its block, ends with its own offset, and names blocks that can be there: its writer is at fault; the blocks before it are whole");
  const places: Place[] = [];
  let start = 0;
  let least = first;
  // Starts are at least LEAST_BYTES apart, so that the places take no more memory than a file with that many blocks.
  for (let left = numbers.count(); left > 0; left--) {
    start += numbers.next();
    const count = numbers.count();
    if (start < least || start > found.start - LEAST_BYTES || count === 0) throw numbers.refused();
    least = start + LEAST_BYTES;
    places.push({ start, count });
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
  const numbers = new Numbers(found, "expected the number of the block's records, at least 1, and in a compressed block their size: its writer is at fault");
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
  const numbers = new Numbers({ ...found, body: frames }, `expected ${count} records that fill their block exactly: its writer is at fault`);
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

/**
 * Returns whether a block of this kind and size can have a body that starts like this. Where one cannot, its size was
 * damaged: an unfinished block is the beginning of a whole one. Compressed data say nothing.
 */
function canBegin(kind: number, size: number, body: Uint8Array): boolean {
  try {
    if (kind === Kind.RECORDS) return framesFill(size, body);
    return kind !== Kind.INDEX || indexFills(size, body);
  } catch (error) {
    if (error instanceof SamewireError) return false;
    throw error;
  }
}

function begun(body: Uint8Array, at: number, most = 2 ** 31 - 1): Found | undefined {
  return readVarint(body, at, 0, most, () => fileError("bad_number", at, "a number that is not one"));
}

function framesFill(size: number, body: Uint8Array): boolean {
  let found = begun(body, 0);
  if (found === undefined) return true;
  const count = found.value;
  let at = found.end;
  for (let left = count; left > 0; left--) {
    found = begun(body, at);
    if (found === undefined) return true;
    at = found.end + found.value;
    if (found.value === 0 || at > size) return false;
    if (at > body.length) return true;
  }
  return count > 0 && at === size;
}

function indexFills(size: number, body: Uint8Array): boolean {
  let found = begun(body, 0);
  for (let left = 2 * (found?.value ?? 0); found !== undefined && left > 0; left--) {
    found = begun(body, found.end, left % 2 === 0 ? Infinity : undefined);
  }
  return found === undefined || found.end + 8 === size;
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
   * @param indexMissing whether the last block is not an index, and had to be one
   * @throws SamewireError `truncated` inside a block, and for a missing index; as {@link checkUnfinished}.
   */
  end(indexMissing: boolean): void {
    this.checkUnfinished();
    this.guarded(() => {
      if (this.from === this.until && this.at > MAGIC.length) {
        if (indexMissing) throw noIndex(this.at);
        return;
      }
      const what = this.at > MAGIC.length ? "its last block" : "its schema";
      const text = `the file ends within ${what}: it was cut off, or its writer is still at work (growing: true waits for it)`;
      throw fileError("truncated", this.at + this.until - this.from, text);
    });
  }

  /**
   * Checks that what is held can be the beginning of a block, at the end of a file that may grow. One wrong bit in a size
   * makes all blocks behind it look like one that is unfinished.
   *
   * @throws SamewireError `malformed` at a size that is damaged.
   */
  checkUnfinished(): void {
    this.guarded(() => {
      const { at, buffer, from, until } = this;
      if (at === 0 || from === until) return;
      const size = begun(buffer.subarray(0, until), from + 1);
      if (size === undefined || canBegin(buffer[from]!, size.value, buffer.subarray(size.end, Math.min(until, size.end + size.value)))) return;
      throw fileError("malformed", at + 1, `a block of ${size.value} bytes that are not in the file, and what is there cannot begin such a block: its size is damaged`);
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
    if (kind === 0) throw fileError("unsupported", at, zeros(at));
    if (kind < Kind.SCHEMA || kind > Kind.INDEX) throw fileError("unsupported", at, `expected a block of kind ${Kind.SCHEMA} to ${Kind.INDEX}, got ${kind}: a newer version wrote this file, update this library`);
    if ((kind === Kind.SCHEMA) !== (at === MAGIC.length)) throw fileError("malformed", at, `expected the schema as the first block, and nowhere else, got a block of kind ${kind}: the file's writer is at fault`);
    const found = readVarint(buffer, from + 1, until, 2 ** 31 - 1, () => fileError("bad_number", at + 1, "expected the size of a block, below 2^31 and in its shortest form: bytes were changed"));
    if (found === undefined) return undefined;
    const { bufferedBytes } = this.limits;
    if (found.value > bufferedBytes) throw fileError("limit_size", at + 1, `a block of ${found.value} bytes, limits.bufferedBytes is ${bufferedBytes}: raise it to read this file`);
    const bodyEnd = found.end + found.value;
    const end = bodyEnd + CHECKSUM_BYTES;
    if (end > until) return undefined;
    const checksum = new DataView(buffer.buffer).getUint32(bodyEnd, true);
    const actual = crc32(buffer.subarray(from, bodyEnd));
    if (actual !== checksum) {
      const why = checksum === 0 ? "the power may have failed before it had reached the disk" : "its bytes were changed";
      throw fileError("malformed", at + bodyEnd - from, `expected a block with the checksum ${hex(checksum)}, got ${hex(actual)}: ${why}`);
    }
    this.from = end;
    this.at = at + end - from;
    // The buffer is written again, and messages may be views of the body.
    return { kind, start: at, bodyAt: at + found.end - from, end: this.at, body: buffer.slice(found.end, bodyEnd) };
  }
}

function hex(checksum: number): string {
  return (checksum >>> 0).toString(16).padStart(8, "0");
}

function zeros(at: number): string {
  return `expected a block, got zeros, as a power cut leaves them behind the last block that reached the disk: cut the file to ${at} bytes to go on`;
}

/** @param start the first bytes */
function notAFile(start: Uint8Array): string {
  if (start[0] === MAGIC[0]) return "expected a record file; its line ends were changed: copy it as binary";
  const shown = Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const text = start.every((byte) => byte >= 0x20 && byte < 0x7f) ? JSON.stringify(String.fromCharCode(...start)) : shown;
  const format = beginsLike(start);
  if (format !== undefined) return `expected a record file, got ${text}, which looks like ${format}`;
  if (start[0]! > 0x7f) return `expected a record file, got ${text}, which may be a single message: decode it with a codec`;
  return `expected a record file, which begins with 89 53 57 52, got ${text}`;
}
