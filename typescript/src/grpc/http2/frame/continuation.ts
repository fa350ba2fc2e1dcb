import { Flag, FrameType, writeHead } from "./head.js";

/** Writes the head of a CONTINUATION frame (RFC 9113 section 6.10); its fragment follows at the offset returned. */
export function writeContinuationHead(stream: number, length: number, last: boolean, out: Uint8Array, at: number): number {
  return writeHead(length, FrameType.CONTINUATION, last ? Flag.END_HEADERS : 0, stream, out, at);
}
