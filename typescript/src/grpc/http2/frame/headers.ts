import { Flag, FrameType, HEAD_BYTES, readU31, writeHead } from "./head.js";
import type { Span } from "./head.js";
import { writeContinuationHead } from "./continuation.js";
import { unpad } from "./padding.js";
import { PRIORITY_BYTES } from "./priority.js";

/** What is wrong with a HEADERS frame: nothing, its layout, or that its stream depends on itself. */
export type HeadersFault = "" | "layout" | "self";

/**
 * Narrows `span` from the payload to the block fragment: padding and the deprecated priority go (RFC 9113 section 6.2).
 */
export function readHeaders(bytes: Uint8Array, flags: number, stream: number, span: Span): HeadersFault {
  if (!unpad(bytes, flags, span)) return "layout";
  if ((flags & Flag.PRIORITY) === 0) return "";
  if (span.to - span.from < PRIORITY_BYTES) return "layout";
  const parent = readU31(bytes, span.from);
  span.from += PRIORITY_BYTES;
  return parent === stream ? "self" : "";
}

/** Returns the bytes of frame heads for a block of `length` in frames of at most `most`. */
export function headBytes(length: number, most: number): number {
  return HEAD_BYTES * Math.max(1, Math.ceil(length / most));
}

/**
 * Adds the heads to a block that stands at `at + HEAD_BYTES`: one HEADERS frame, and CONTINUATION if it is longer than
 * `most`, for which later parts move up. There must be room for `headBytes(length, most)`.
 *
 * @returns the offset after the last frame
 */
export function frameBlock(stream: number, length: number, end: boolean, most: number, out: Uint8Array, at: number): number {
  const flags = end ? Flag.END_STREAM : 0;
  if (length <= most) {
    writeHead(length, FrameType.HEADERS, flags | Flag.END_HEADERS, stream, out, at);
    return at + HEAD_BYTES + length;
  }
  const parts = Math.ceil(length / most);
  const block = at + HEAD_BYTES;
  // From the back, so that nothing is overwritten before it has moved.
  for (let part = parts - 1; part > 0; part--) {
    const from = block + part * most;
    const to = from + part * HEAD_BYTES;
    const size = Math.min(most, length - part * most);
    out.copyWithin(to, from, from + size);
    writeContinuationHead(stream, size, part === parts - 1, out, to - HEAD_BYTES);
  }
  writeHead(most, FrameType.HEADERS, flags, stream, out, at);
  return block + length + (parts - 1) * HEAD_BYTES;
}
