import { FrameType, HEAD_BYTES, readU31, writeHead, writeU32 } from "./head.js";

/** Payload of WINDOW_UPDATE (RFC 9113 section 6.9): an increment of 1 to 2^31 - 1. */
export const WINDOW_UPDATE_BYTES = 4;

/** The whole frame. */
export const WINDOW_UPDATE_FRAME_BYTES = HEAD_BYTES + WINDOW_UPDATE_BYTES;

/** The increment of a payload. */
export function readWindowUpdate(bytes: Uint8Array, at: number): number {
  return readU31(bytes, at);
}

/** Writes the frame; stream 0 is the connection. Returns the offset after it. */
export function writeWindowUpdate(stream: number, increment: number, out: Uint8Array, at: number): number {
  return writeU32(increment, out, writeHead(WINDOW_UPDATE_BYTES, FrameType.WINDOW_UPDATE, 0, stream, out, at));
}
