import { SamewireError } from "../../core/error.js";
import type { ErrorCode } from "../../core/error.js";
import { NAME_UNITS } from "./name.js";

/** A token of schema text. An empty `text` is the end. */
export interface Token {
  readonly text: string;
  /** Its index in UTF-16 code units. */
  readonly at: number;
}

const TOKEN = /@?[A-Za-z_][A-Za-z0-9_]*|[<>{}(),:?]|"(?:[^"\\]|\\[^])*"/y;
const SPACE = /(?:[ \t\r\n]+|\/\/[^\n]*|#[^\n]*)*/y;
const PART = /\\(["\\]|u00[01][0-9a-f])|([^"\\\u0000-\u001f])/uy;

/** What to write in the place of a sign that other notations have. */
function remedy(sign: string): string {
  if (sign === ";") return ": commas are between fields";
  if (sign === "[" || sign === "]") return ": a list is list<...>";
  if (sign === "|") return ": what may be null is option<...>, or has a ? behind it; one of several structs is a union { ... }";
  if (sign === "=") return ": schema text has no values, leave it out";
  if (sign === "/" || sign === "*") return ": a comment is // or # and the rest of the line";
  return /[-$'`.\p{L}\p{N}]/u.test(sign) ? ": a name with other signs than letters, digits and _ is in double quotes" : "";
}

/** Cuts schema text into tokens. Errors carry offsets in bytes of UTF-8. */
export class Tokens {
  private position = 0;

  constructor(private readonly text: string) {}

  /** Throws at the index `at`, as an offset in bytes. */
  fail(at: number, what: string, code: ErrorCode = "malformed"): never {
    const bytes = new TextEncoder().encode(this.text.slice(0, at)).length;
    throw new SamewireError(code, what, { at: bytes });
  }

  /** Passes over white space and comments. Returns where the next token begins. */
  private skip(): number {
    SPACE.lastIndex = this.position;
    SPACE.exec(this.text);
    return (this.position = SPACE.lastIndex);
  }

  /** Where the next token begins. Does not read it: it may not be a token. */
  upcoming(): number {
    return this.skip();
  }

  /** Takes a `?` if it comes next, and returns its index. Does not read other characters, which may not be a token. */
  questionMark(): number | undefined {
    const at = this.skip();
    if (this.text[at] !== "?") return undefined;
    this.position++;
    return at;
  }

  peek(): Token {
    const at = this.skip();
    if (at === this.text.length) return { text: "", at };
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(this.text);
    if (found !== null) return { text: found[0], at };
    if (this.text[at] === '"') this.fail(this.text.length, "the text ends inside a quoted name");
    return this.fail(at, `no token starts with ${JSON.stringify(this.text[at])}${remedy(this.text[at]!)}`);
  }

  next(): Token {
    const token = this.peek();
    this.position = token.at + token.text.length;
    return token;
  }

  /** The name that a quoted token stands for. */
  unquote(token: Token): string {
    const body = token.text.slice(1, -1);
    let name = "";
    PART.lastIndex = 0;
    while (name.length <= NAME_UNITS && PART.lastIndex < body.length) {
      const part = PART.exec(body);
      if (part === null || /^[\ud800-\udfff]$/.test(part[0])) {
        this.fail(token.at, 'a quoted name knows the escapes \\" \\\\ and \\u00XX for U+0000 to U+001F, and no lone surrogates');
      }
      const escape = part[1];
      if (escape === undefined) name += part[0];
      else name += escape.startsWith("u") ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : escape;
    }
    return name;
  }
}
