import type { Metadata } from "./metadata.js";

/** Decodes a binary trailer; null if it is missing or invalid: a call does not fail for it. */
export function trailerMessage<Message>(trailers: Metadata, name: string, decode: (bytes: Uint8Array) => Message): Message | null {
  const value = trailers.get(name)[0];
  if (value === undefined || typeof value === "string") return null;
  try {
    return decode(value);
  } catch {
    return null;
  }
}
