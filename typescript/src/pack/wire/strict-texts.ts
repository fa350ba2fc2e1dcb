import type { Cursor } from "./strict-reader.js";
import { MOST_UNITS } from "./engine.js";
import { primitives } from "./primitives.js";

/** Reads texts strictly: the two blocks of a message and how far they have been used (section 6). */
export class TextWalker {
  latinUsed = 0;
  wideUsed = 0;
  private given: string[] = [];
  private count = 0;

  constructor(
    private readonly latin: Uint8Array,
    private readonly wide: Uint8Array,
    private readonly refs: boolean,
  ) {}

  /** Returns a copy at the same position. What it reads gets the same numbers, so both share the numbered texts. */
  copy(): TextWalker {
    const copy = new TextWalker(this.latin, this.wide, this.refs);
    copy.latinUsed = this.latinUsed;
    copy.wideUsed = this.wideUsed;
    copy.given = this.given;
    copy.count = this.count;
    return copy;
  }

  /** Reads a token completely, then checks it. */
  read(cursor: Cursor): string {
    const at = cursor.position;
    const token = cursor.byte();
    if (token < 0x60) return this.newLatin(cursor, at, token, true);
    if (token === 0x60) return this.newLatin(cursor, at, 96 + cursor.count(), false);
    if (token === 0x61) return this.newWide(cursor, at, 29 + cursor.count(), false);
    if (token === 0x62) return this.earlier(cursor, at, 8_288 + cursor.count());
    if (token < 0x7f) return this.newWide(cursor, at, token - 0x62, true);
    if (token === 0x7f) return cursor.fail("malformed", at, "7f is not a token");
    if (token < 0xe0) return this.earlier(cursor, at, token - 0x80);
    return this.earlier(cursor, at, 96 + (token - 0xe0) * 256 + cursor.byte());
  }

  private newLatin(cursor: Cursor, at: number, length: number, short: boolean): string {
    if (length > this.latin.length - this.latinUsed) {
      cursor.fail("malformed", at, `a text of ${length} characters, but ${this.latin.length - this.latinUsed} are left in the Latin-1 block`);
    }
    if (length > MOST_UNITS) cursor.fail("limit_size", at, `a text of ${length} characters, more than this engine's strings hold`);
    const text = primitives.latin1(this.latin, this.latinUsed, (this.latinUsed += length));
    if (short && length > 1) this.given[this.count++] = text;
    return text;
  }

  private newWide(cursor: Cursor, at: number, length: number, short: boolean): string {
    if (2 * length > this.wide.length - this.wideUsed) {
      cursor.fail("malformed", at, `a text of ${length} units, but ${(this.wide.length - this.wideUsed) / 2} are left in the wide block`);
    }
    const start = this.wideUsed;
    this.wideUsed += 2 * length;
    const text = primitives.utf16(this.wide, start, this.wideUsed) ?? cursor.fail("bad_utf8", at, "a text with a lone surrogate");
    if (short && length > 1) this.given[this.count++] = text;
    return text;
  }

  private earlier(cursor: Cursor, at: number, number: number): string {
    if (!this.refs) cursor.fail("malformed", at, "a back reference in a message without REFS");
    return number < this.count ? this.given[number]! : cursor.fail("malformed", at, `text number ${number} has not been given yet`);
  }

  /** How many bytes of the Latin-1 block, and of the wide block, no text has used. */
  unused(): { latin: number; wide: number } {
    return { latin: this.latin.length - this.latinUsed, wide: this.wide.length - this.wideUsed };
  }
}
