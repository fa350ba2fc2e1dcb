import { Flag, FrameType, HEAD_BYTES, writeHead } from "./head.js";

/** Payload of PING (RFC 9113 section 6.7): eight bytes that come back. */
export const PING_BYTES = 8;

/** The whole frame. */
export const PING_FRAME_BYTES = HEAD_BYTES + PING_BYTES;

/** Writes a PING with the eight bytes at `bytes[from]`; returns the offset after it. */
export function writePing(ack: boolean, bytes: Uint8Array, from: number, out: Uint8Array, at: number): number {
  at = writeHead(PING_BYTES, FrameType.PING, ack ? Flag.ACK : 0, 0, out, at);
  for (let i = 0; i < PING_BYTES; i++) out[at++] = bytes[from + i]!;
  return at;
}
