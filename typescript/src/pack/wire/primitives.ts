import { SamewireError } from "../../core/error.js";
import { isWellFormed } from "../schema/name.js";
import { MOST_MACHINED, textMachine } from "./wasm-text.js";
import type { TextMachine } from "./wasm-text.js";

/**
 * How this engine allocates bytes and converts blocks of bytes to strings and back. Node has native calls for true
 * Latin-1 and UTF-16LE on `Buffer.prototype`, which work on any `Uint8Array`; browsers have `TextDecoder`, whose
 * `latin1` is windows-1252.
 */
export interface Primitives {
  /** Returns bytes for the caller to overwrite completely: uninitialized, and possibly a view into a shared buffer. */
  allocate(size: number): Uint8Array;
  /** Called once code may be compiled here: from now on WebAssembly may be used for texts. */
  allowCode(): void;
  /** The text of the bytes from `start` to `end`, one character for each byte. */
  latin1(bytes: Uint8Array, start: number, end: number): string;
  /** The text of the bytes from `start` to `end` in UTF-16LE; undefined if it has a lone surrogate. */
  utf16(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** The text of so many first bytes in UTF-16LE, which is known to be well-formed. */
  wellFormed(bytes: Uint8Array, length: number): string;
  /** The text of the bytes from `start` to `end` in UTF-8; undefined if they are not well-formed. */
  utf8(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** Writes a text whose characters are all below U+0100. The bytes must be long enough. */
  writeLatin1(bytes: Uint8Array, text: string, at: number): void;
  /** Writes a text in two bytes for each unit. The bytes must be long enough. */
  writeUtf16(bytes: Uint8Array, text: string, at: number): void;
  /** Writes a well-formed text that takes `size` bytes in UTF-8. The bytes must be long enough. */
  writeUtf8(bytes: Uint8Array, text: string, at: number, size: number): void;
}

type Slice = (this: Uint8Array, start: number, end: number) => string;
type Allocate = (size: number) => Uint8Array;
type Write = (this: Uint8Array, text: string, offset: number, length: number) => number;

/** Below this many characters a loop is faster than a native call. */
const SHORT = 24;

function writeEach(bytes: Uint8Array, text: string, at: number): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
}

function writeUnits(bytes: Uint8Array, text: string, at: number): void {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[at + 2 * i] = unit;
    bytes[at + 2 * i + 1] = unit >> 8;
  }
}

/** Returns the bytes in a buffer of fixed size: the web's decoders refuse resizable ones. */
function steady(bytes: Uint8Array): Uint8Array {
  return (bytes.buffer as { readonly resizable?: boolean }).resizable === true ? bytes.slice() : bytes;
}

let utf8Decoder: TextDecoder | undefined;

/** Node, too, has no other call that refuses malformed UTF-8. */
function decodeUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  utf8Decoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return utf8Decoder.decode(steady(bytes.subarray(start, end)));
  } catch (error) {
    // Checked by name: the engine may throw one of another realm. Other errors mean that memory ran out.
    if ((error as Error).name === "TypeError") return undefined;
    throw error;
  }
}

const utf8Encoder = new TextEncoder();

function encodeUtf8(bytes: Uint8Array, text: string, at: number, size: number): void {
  utf8Encoder.encodeInto(text, bytes.subarray(at, at + size));
}

/** The engine allocates arrays of up to this many bytes on its own heap, as fast as objects. */
const ON_HEAP = 64;
/** A piece of Node's own pool, and the largest message that is cut from it. */
const PIECE = 4_080;
const CUT = 1_024;

/**
 * A buffer for each message is slow: 0.3 µs for the smallest, and zeroed. Small messages are views into a piece of
 * Node's pool, which Node marks as not transferable: transferring one message to a worker cannot take others along.
 */
function nodeAllocate(pooled: Allocate, alone: Allocate): (size: number) => Uint8Array {
  let piece = pooled(PIECE);
  let used = 0;
  return (size) => {
    if (size <= ON_HEAP) return new Uint8Array(size);
    if (size > CUT) {
      const bytes = size < PIECE ? pooled(size) : alone(size);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, size);
    }
    if (used + size > PIECE) {
      piece = pooled(PIECE);
      used = 0;
    }
    const message = new Uint8Array(piece.buffer, piece.byteOffset + used, size);
    used += size;
    return message;
  };
}

/** The primitives of Node; undefined if this is not Node, or if its undocumented calls do not work as expected. */
function nodePrimitives(): Primitives | undefined {
  const buffer = (globalThis as { Buffer?: { prototype?: Record<string, unknown>; allocUnsafe?: Allocate; allocUnsafeSlow?: Allocate } }).Buffer;
  const { prototype, allocUnsafe, allocUnsafeSlow } = buffer ?? {};
  if (prototype === undefined || allocUnsafe === undefined || allocUnsafeSlow === undefined) return undefined;
  const { latin1Slice, ucs2Slice } = prototype as Record<string, Slice | undefined>;
  const { latin1Write, ucs2Write } = prototype as Record<string, Write | undefined>;
  if (latin1Slice === undefined || ucs2Slice === undefined || latin1Write === undefined || ucs2Write === undefined) return undefined;
  try {
    const probe = Uint8Array.of(0x41, 0x00, 0x80, 0xff, 0x00, 0xd8);
    const room = new Uint8Array(6);
    latin1Write.call(room, "\u0080\u00ff", 1, 2);
    ucs2Write.call(room, "\ud800", 4, 2);
    const works =
      latin1Slice.call(probe, 0, 4) === "A\0\u0080\u00ff" &&
      ucs2Slice.call(probe, 2, 6) === "\uff80\ud800" &&
      room.join() === "0,128,255,0,0,216";
    if (!works) return undefined;
  } catch {
    return undefined;
  }
  return {
    allocate: nodeAllocate(allocUnsafe, allocUnsafeSlow),
    allowCode: () => undefined,
    latin1: (bytes, start, end) => latin1Slice.call(bytes, start, end),
    utf16: (bytes, start, end) => {
      const text = ucs2Slice.call(bytes, start, end);
      return isWellFormed(text) ? text : undefined;
    },
    wellFormed: (bytes, length) => ucs2Slice.call(bytes, 0, length),
    writeLatin1: (bytes, text, at) => {
      if (text.length < SHORT) writeEach(bytes, text, at);
      else latin1Write.call(bytes, text, at, text.length);
    },
    writeUtf16: (bytes, text, at) => {
      ucs2Write.call(bytes, text, at, 2 * text.length);
    },
    utf8: decodeUtf8,
    writeUtf8: encodeUtf8,
  };
}

/** Characters that windows-1252 puts in place of the bytes 80 to 9F, where it differs from Latin-1. */
const WINDOWS_1252 = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";
const BEYOND_LATIN1 = /[^\x00-\xff]/g;

/** Below this many characters a loop is faster than the web's decoder, and than its encoder, which needs a view too. */
const SHORT_DECODE = 112;
const SHORT_ENCODE = 256;
/**
 * Texts after which the WebAssembly module is compiled. Compiling costs what 20,000 texts save; a page that reads few
 * texts never pays it.
 */
const EARNED = 10_000;
/** Characters that are encoded in one call. */
const PIECE_WEB = 4_096;

/**
 * Short texts by way of arrays of character codes, one for each length: the engine converts them in a third of the time
 * of typed arrays. An array is overwritten before it is read.
 */
function shortTexts(): (bytes: Uint8Array, start: number, end: number) => string {
  const kept: number[][] = [];
  return (bytes, start, end) => {
    const codes = (kept[end - start] ??= [...bytes.subarray(start, end)]);
    for (let i = start; i < end; i++) codes[i - start] = bytes[i]!;
    return String.fromCharCode.apply(undefined, codes);
  };
}

/** The primitives of the web platform, correct wherever `TextDecoder` is. */
export function webPrimitives(): Primitives {
  const decoder = new TextDecoder("latin1");
  const units = new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });
  const shortText = shortTexts();
  let machine: TextMachine | undefined;
  let mayCompile = false;
  let earned = 0;
  const decoded = (bytes: Uint8Array): string => {
    const text = decoder.decode(steady(bytes));
    // The engine does not search a one-byte string for this pattern: the check is free if nothing has to be corrected.
    if (text.search(BEYOND_LATIN1) < 0) return text;
    return text.replace(BEYOND_LATIN1, (character) => String.fromCharCode(0x80 + WINDOWS_1252.indexOf(character)));
  };
  const latin1 = (bytes: Uint8Array, start: number, end: number): string => {
    // If it is not an array of bytes, making the view throws.
    if (end - start > MOST_MACHINED || !(bytes instanceof Uint8Array)) return decoded(bytes.subarray(start, end));
    if (machine !== undefined) return machine(bytes, start, end);
    if (mayCompile && ++earned === EARNED) machine = textMachine();
    return end - start < SHORT_DECODE ? shortText(bytes, start, end) : decoded(bytes.subarray(start, end));
  };
  return {
    allocate: (size) => new Uint8Array(size),
    allowCode: () => {
      mayCompile = true;
    },
    latin1,
    utf16: (bytes, start, end) => {
      try {
        return units.decode(steady(bytes.subarray(start, end)));
      } catch {
        return undefined;
      }
    },
    wellFormed: (bytes, length) => units.decode(bytes.subarray(0, length)),
    writeLatin1: (bytes, text, at) => {
      let i = 0;
      // A piece fits in as many bytes as it has characters only if it is ASCII. If one is not, the rest goes by the
      // loop.
      for (let ascii = text.length >= SHORT_ENCODE; ascii && i < text.length; i += PIECE_WEB) {
        const piece = text.slice(i, i + PIECE_WEB);
        ascii = utf8Encoder.encodeInto(piece, bytes.subarray(at + i, at + i + piece.length)).read === piece.length;
        if (!ascii) break;
      }
      for (; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
    },
    writeUtf16: writeUnits,
    utf8: decodeUtf8,
    writeUtf8: encodeUtf8,
  };
}

if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
  throw new SamewireError("unsupported", "this engine keeps numbers with the most significant byte first");
}

/** The primitives of this engine. */
export const primitives: Primitives = nodePrimitives() ?? webPrimitives();

/** Whether the platform allows code from strings; a content security policy may forbid it. */
export function mayEvaluate(): boolean {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- whether this is allowed is the question
    const yes = new Function("return true") as () => boolean;
    return yes();
  } catch {
    return false;
  }
}
