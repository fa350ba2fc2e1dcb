import { FrameType, HEAD_BYTES, readU31, readU32, writeHead, writeU32 } from "./head.js";
import type { ErrorCode } from "../error-code.js";

/** Least payload of GOAWAY (RFC 9113 section 6.8): last stream, error code; debug data may follow. */
export const GOAWAY_BYTES = 8;

/** The frame without debug data. */
export const GOAWAY_FRAME_BYTES = HEAD_BYTES + GOAWAY_BYTES;

/** The content of a GOAWAY. */
export interface Goaway {
  readonly last: number;
  readonly code: ErrorCode;
  readonly debug: Uint8Array;
}

/** Reads a payload of at least `GOAWAY_BYTES`. The debug data is copied. */
export function readGoaway(bytes: Uint8Array, from: number, to: number): Goaway {
  return { last: readU31(bytes, from), code: readU32(bytes, from + 4), debug: bytes.slice(from + GOAWAY_BYTES, to) };
}

/** Writes the frame; returns the offset after it. */
export function writeGoaway(last: number, code: ErrorCode, debug: Uint8Array, out: Uint8Array, at: number): number {
  at = writeU32(last, out, writeHead(GOAWAY_BYTES + debug.length, FrameType.GOAWAY, 0, 0, out, at));
  at = writeU32(code, out, at);
  out.set(debug, at);
  return at + debug.length;
}
