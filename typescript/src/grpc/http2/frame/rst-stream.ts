import { FrameType, HEAD_BYTES, readU32, writeHead, writeU32 } from "./head.js";
import type { ErrorCode } from "../error-code.js";

/** Payload of RST_STREAM (RFC 9113 section 6.4): an error code. */
export const RST_STREAM_BYTES = 4;

/** The whole frame. */
export const RST_STREAM_FRAME_BYTES = HEAD_BYTES + RST_STREAM_BYTES;

/** The error code of a payload. */
export function readRstStream(bytes: Uint8Array, at: number): ErrorCode {
  return readU32(bytes, at);
}

/** Writes the frame; returns the offset after it. */
export function writeRstStream(stream: number, code: ErrorCode, out: Uint8Array, at: number): number {
  return writeU32(code, out, writeHead(RST_STREAM_BYTES, FrameType.RST_STREAM, 0, stream, out, at));
}
