import { Flag, FrameType, writeHead } from "./head.js";

/** Writes the head of an unpadded DATA frame (RFC 9113 section 6.1); its payload follows at the offset returned. */
export function writeDataHead(stream: number, length: number, end: boolean, out: Uint8Array, at: number): number {
  return writeHead(length, FrameType.DATA, end ? Flag.END_STREAM : 0, stream, out, at);
}
