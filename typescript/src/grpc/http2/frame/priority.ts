import { readU31 } from "./head.js";

/** Payload of a PRIORITY frame (RFC 9113 section 6.3): deprecated, checked and otherwise ignored. */
export const PRIORITY_BYTES = 5;

/** The stream that the frame's own stream depends on. */
export function readParent(bytes: Uint8Array, at: number): number {
  return readU31(bytes, at);
}
