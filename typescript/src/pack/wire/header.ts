import { SamewireError } from "../../core/error.js";
import { described } from "../../core/described.js";
import { isBytes } from "../../core/realm.js";
import { told } from "./foreign-format.js";

/** Bits of the header byte (section 5). */
export const Header = { TEXT: 1, WIDE: 2, REFS: 4, ALIGNED: 8, DIGEST: 16, UTF8: 32, CHECK: 64, VERSION: 128 } as const;

/** How many bytes of the digest a check is. */
export const CHECK_BYTES = 2;

const DIGEST_END = 9;

/**
 * Returns the digest of the schema that a message was written with, as 16 hexadecimal digits, or undefined if the message
 * carries none, or only a check. It equals that schema's `Schema.digest`. Reads only the message's first nine bytes.
 *
 * @throws SamewireError `truncated` for a message that ends before the digest does, `unsupported` for one of another
 *   version, `misuse` for anything but a `Uint8Array`.
 */
export function digestOf(message: Uint8Array): string | undefined {
  if (!isBytes(message)) throw new SamewireError("misuse", notBytes(message));
  const header = message[0] ?? Header.VERSION | Header.DIGEST;
  if ((header & Header.VERSION) === 0) {
    throw new SamewireError("unsupported", told(versionText(header), message), { at: 0, path: "$" });
  }
  if ((header & Header.DIGEST) === 0) return undefined;
  if (message.length < DIGEST_END) {
    throw new SamewireError("truncated", "the message ends before its digest", { at: message.length, path: "$" });
  }
  return Array.from(message.subarray(1, DIGEST_END), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The text for a message whose header byte has another version. */
export function versionText(header: number): string {
  return `a message of this version of the format begins with 80 to ff, this with ${header.toString(16).padStart(2, "0")}`;
}

/** The text for a header with both DIGEST and CHECK. */
export const BOTH = "a message carries a digest or a check of its schema, this header says both";

/** The error text for an argument that must be a message and is not a `Uint8Array`. */
export function notBytes(message: unknown): string {
  const advice = message instanceof ArrayBuffer ? ": new Uint8Array(…) makes one" : typeof message === "string" ? ": a message is not text, and reading it as text destroys it" : "";
  return `expected a Uint8Array, got ${described(message)}${advice}`;
}

/** Whether a message of this version carries no digest. */
export function lacksDigest(message: Uint8Array): boolean {
  return message.length > 0 && (message[0]! & (Header.VERSION | Header.DIGEST)) === Header.VERSION;
}

/** The error of a message without a digest where one is required. */
export function noDigest(): SamewireError {
  const text = "the message carries no digest of its schema, and this codec requires one: encode with { digest: true }";
  return new SamewireError("schema_mismatch", text, { at: 0, path: "$" });
}
