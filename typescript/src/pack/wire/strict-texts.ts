import type { Cursor } from "./strict-reader.js";
import { MOST_UNITS } from "./engine.js";
import { encodedText, latin1Text } from "./plain-texts.js";
import { Form, SHORT_LATIN, SHORT_UTF8, SHORT_WIDE, Token, UTF8_TOKENS, WIDE_TOKENS, isNumbered } from "./text-form.js";

const NO_BYTES = new Uint8Array(0);

/** Reads texts strictly: the three blocks of a message and how far they have been used (section 6). */
export class TextWalker {
  /** For a message whose header has not been read. */
  static readonly NONE = new TextWalker(NO_BYTES, NO_BYTES, NO_BYTES, false);

  private latinUsed = 0;
  private wideUsed = 0;
  private utf8Used = 0;
  private texts: string[] = [];
  private count = 0;

  constructor(
    private readonly latin: Uint8Array,
    private readonly wide: Uint8Array,
    private readonly utf8: Uint8Array,
    private readonly refs: boolean,
  ) {}

  /**
   * Returns a copy at the same position. It shares the numbered texts, since it gives the same texts the same numbers.
   */
  copy(): TextWalker {
    const copy = new TextWalker(this.latin, this.wide, this.utf8, this.refs);
    copy.latinUsed = this.latinUsed;
    copy.wideUsed = this.wideUsed;
    copy.utf8Used = this.utf8Used;
    copy.texts = this.texts;
    copy.count = this.count;
    return copy;
  }

  /** Reads a token completely, then checks it. */
  read(cursor: Cursor): string {
    const at = cursor.position;
    const token = cursor.byte();
    if (token < Token.LONG_LATIN) return this.newLatin(cursor, at, token);
    if (token === Token.LONG_LATIN) return this.newLatin(cursor, at, SHORT_LATIN + 1 + cursor.count());
    if (token === Token.LONG_WIDE) return this.newWide(cursor, at, SHORT_WIDE + 1 + cursor.count());
    if (token === Token.FAR) return this.earlier(cursor, at, 8_288 + cursor.count());
    if (token < Token.UTF8) return this.newWide(cursor, at, token - WIDE_TOKENS);
    if (token < Token.LONG_UTF8) return this.newUtf8(cursor, at, token - UTF8_TOKENS);
    if (token === Token.LONG_UTF8) return this.newUtf8(cursor, at, SHORT_UTF8 + 1 + cursor.count());
    if (token < Token.REFERENCE) return this.earlier(cursor, at, token - Token.NEAR);
    return this.earlier(cursor, at, 96 + (token - Token.REFERENCE) * 256 + cursor.byte());
  }

  private newLatin(cursor: Cursor, at: number, length: number): string {
    if (length > this.latin.length - this.latinUsed) {
      cursor.fail("malformed", at, `a text of ${length} characters, but ${this.latin.length - this.latinUsed} are left in the Latin-1 block`);
    }
    if (length > MOST_UNITS) cursor.fail("limit_size", at, `a text of ${length} characters, more than this engine's strings hold`);
    return this.given(Form.LATIN, length, latin1Text(this.latin.subarray(this.latinUsed, (this.latinUsed += length))));
  }

  private newWide(cursor: Cursor, at: number, length: number): string {
    if (2 * length > this.wide.length - this.wideUsed) {
      cursor.fail("malformed", at, `a text of ${length} units, but ${(this.wide.length - this.wideUsed) / 2} are left in the wide block`);
    }
    const text = encodedText("utf-16le", this.wide.subarray(this.wideUsed, (this.wideUsed += 2 * length))) ?? cursor.fail("bad_utf8", at, "a text with a lone surrogate");
    return this.given(Form.WIDE, length, text);
  }

  private newUtf8(cursor: Cursor, at: number, length: number): string {
    if (length > this.utf8.length - this.utf8Used) {
      cursor.fail("malformed", at, `a text of ${length} bytes, but ${this.utf8.length - this.utf8Used} are left in the UTF-8 block`);
    }
    const text = encodedText("utf-8", this.utf8.subarray(this.utf8Used, (this.utf8Used += length))) ?? cursor.fail("bad_utf8", at, "a text that is not valid UTF-8 by itself");
    return this.given(Form.UTF8, length, text);
  }

  private given(form: Form, length: number, text: string): string {
    if (isNumbered(form, length)) this.texts[this.count++] = text;
    return text;
  }

  private earlier(cursor: Cursor, at: number, number: number): string {
    if (!this.refs) cursor.fail("malformed", at, "a back reference in a message without REFS");
    return number < this.count ? this.texts[number]! : cursor.fail("malformed", at, `text number ${number} has not been given yet`);
  }

  /** How many bytes of each block no text has used. */
  unused(): { latin: number; wide: number; utf8: number } {
    return { latin: this.latin.length - this.latinUsed, wide: this.wide.length - this.wideUsed, utf8: this.utf8.length - this.utf8Used };
  }
}
