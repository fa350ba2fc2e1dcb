import { Flag } from "./head.js";
import type { Span } from "./head.js";

/**
 * Removes the padding of DATA, HEADERS and PUSH_PROMISE from `span` (RFC 9113 section 6.1).
 *
 * @returns false when the padding is as long as the payload or longer
 */
export function unpad(bytes: Uint8Array, flags: number, span: Span): boolean {
  if ((flags & Flag.PADDED) === 0) return true;
  if (span.from >= span.to) return false;
  const padding = bytes[span.from++]!;
  span.to -= padding;
  return span.to >= span.from;
}
