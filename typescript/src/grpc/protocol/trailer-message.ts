import type { Metadata } from "./metadata.js";

/** What `decode` makes of the bytes of a trailer, or null without it or where it cannot be read: a call does not fail for what comes beside it. */
export function trailerMessage<Message>(trailers: Metadata, name: string, decode: (bytes: Uint8Array) => Message): Message | null {
  const value = trailers.get(name)[0];
  if (value === undefined || typeof value === "string") return null;
  try {
    return decode(value);
  } catch {
    return null;
  }
}
