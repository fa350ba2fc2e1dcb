/** The closed list of error codes of `spec/errors.md`, the same in every language. */
export type ErrorCode =
  | "malformed"
  | "truncated"
  | "trailing"
  | "limit_depth"
  | "limit_size"
  | "limit_items"
  | "bad_utf8"
  | "bad_number"
  | "type_mismatch"
  | "schema_mismatch"
  | "unsupported"
  | "misuse"
  | "closed"
  | "timeout";

const MOST_PATH = 256;
const MOST_TEXT = 1_024;
/** Control and format characters, and the separators of lines that JSON leaves as they are. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Shortens untrusted text, which may have megabytes, and escapes its invisible characters, which may forge lines of a
 * log.
 */
function shown(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
  return cut.replace(HIDDEN, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}

const BRAND = Symbol.for("samewire.SamewireError");

/**
 * The one error of the library. `code`, `at` and `path` are a contract (`spec/errors.md`), the text is free.
 *
 * `instanceof` goes by a registered symbol, so that two copies of the package in one program agree.
 */
export class SamewireError extends Error {
  /** The kind of error. */
  readonly code: ErrorCode;
  /** Offset in bytes from the start of the message, schema text or stream, where there is one. */
  readonly at: number | undefined;
  /** The value at fault, like `$.books[3].year`, where there is one (`spec/pack.md` section 12). */
  readonly path: string | undefined;

  constructor(code: ErrorCode, text: string, where: { at?: number; path?: string } = {}) {
    const at = where.at === undefined ? "" : ` at byte ${where.at}`;
    const path = where.path === undefined ? "" : ` in ${shown(where.path, MOST_PATH)}`;
    super(`${code}${at}${path}: ${shown(text, MOST_TEXT)}`);
    this.name = "SamewireError";
    this.code = code;
    this.at = where.at;
    this.path = where.path;
    Object.defineProperty(this, BRAND, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** The text of an error without code, offset and path. */
export function textOf({ code, at, path, message }: SamewireError): string {
  const front = new SamewireError(code, "", { ...(at === undefined ? {} : { at }), ...(path === undefined ? {} : { path }) }).message;
  return message.startsWith(front) ? message.slice(front.length) : message;
}
