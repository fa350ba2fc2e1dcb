/** The block that the characters of a text stand in (section 6). */
export const Form = { LATIN: 0, WIDE: 1, UTF8: 2 } as const;
export type Form = (typeof Form)[keyof typeof Form];

/** Longest Latin-1 text whose token is one byte, in characters, and longest one that gets a number. */
export const SHORT_LATIN = 95;
/** Longest text in UTF-16 whose token is one byte, in units. */
export const SHORT_WIDE = 14;
/** Shortest and longest text in UTF-8 whose token is one byte, in bytes. */
const LEAST_UTF8 = 3;
export const SHORT_UTF8 = 16;

/** Tokens, or the first of those of a kind. */
export const Token = { LONG_LATIN: 0x60, LONG_WIDE: 0x61, FAR: 0x62, WIDE: 0x63, UTF8: 0x71, LONG_UTF8: 0x7f, NEAR: 0x80, REFERENCE: 0xe0 } as const;

/** The token of a short text is this and its length in units. */
export const WIDE_TOKENS = Token.WIDE - 1;
/** The token of a short text in UTF-8 is this and its length in bytes. */
export const UTF8_TOKENS = Token.UTF8 - LEAST_UTF8;

/** A text of so many bytes has no number: a small message cannot expand into a huge one. */
const MOST_NUMBERED = 95;

/** Whether a new text of so many characters, units or bytes gets a number: if it takes 2 to 95 bytes of its block. */
export function isNumbered(form: Form, length: number): boolean {
  return form === Form.WIDE ? 2 * length <= MOST_NUMBERED && length > 0 : length > 1 && length <= MOST_NUMBERED;
}
