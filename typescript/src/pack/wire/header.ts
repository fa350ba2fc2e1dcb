import { SamewireError } from "../../core/error.js";
import { isBytes } from "../../core/realm.js";

/** Bits of the header byte (section 5). */
export const Header = { TEXT: 1, WIDE: 2, REFS: 4, ALIGNED: 8, DIGEST: 16, FAST: 32, VERSION: 64, VERSION_MASK: 0xc0 } as const;

const DIGEST_END = 9;

/**
 * Returns the digest of the schema that a message was written with, as 16 hexadecimal digits, or undefined if the message
 * carries none: what `Schema.digest` is for that schema. Only the message's first nine bytes are looked at.
 *
 * @throws SamewireError `truncated` for a message that ends before the digest does, `unsupported` for one of another
 *   version, `misuse` for anything but a `Uint8Array`.
 */
export function digestOf(message: Uint8Array): string | undefined {
  if (!isBytes(message)) throw new SamewireError("misuse", "only a Uint8Array can be a message");
  const header = message[0] ?? Header.VERSION | Header.DIGEST;
  if ((header & Header.VERSION_MASK) !== Header.VERSION) {
    throw new SamewireError("unsupported", `version ${header >> 6} of the format`, { at: 0, path: "$" });
  }
  if ((header & Header.DIGEST) === 0) return undefined;
  if (message.length < DIGEST_END) {
    throw new SamewireError("truncated", "the message ends before its digest", { at: message.length, path: "$" });
  }
  return Array.from(message.subarray(1, DIGEST_END), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a message of this version carries no digest. */
export function lacksDigest(message: Uint8Array): boolean {
  return message.length > 0 && (message[0]! & (Header.VERSION_MASK | Header.DIGEST)) === Header.VERSION;
}
