import { isIdentifier, quote } from "../../core/path.js";

/** The reserved words of schema text (`spec/pack.md` section 2). */
export const SCALARS = [
  "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "f32", "f64", "decimal",
  "string", "bytes", "uuid", "date", "time", "timestamp", "duration", "any",
] as const;

const WORDS: ReadonlySet<string> = new Set([...SCALARS, "option", "list", "set", "map", "tuple", "ref", "enum", "struct", "union"]);

/** Longest name, in UTF-16 code units. */
export const NAME_UNITS = 255;

/** The name as it stands in canonical schema text. */
export function schemaName(name: string): string {
  return isIdentifier(name) && !WORDS.has(name) ? name : quote(name);
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether a text is a sequence of Unicode scalar values, that is: holds no lone surrogate. */
export const isWellFormed: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => (text as string & { isWellFormed(): boolean }).isWellFormed()
    : (text) => !LONE_SURROGATE.test(text);

/** Whether a text may name a struct, a field, an enum or a symbol. */
export function isName(name: unknown): name is string {
  return typeof name === "string" && name.length > 0 && name.length <= NAME_UNITS && isWellFormed(name);
}

/** Order of strings by UTF-16 code units, that of the format. */
export function byUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The most names that the text of an error lists. */
const LISTED = 8;

/** Names for the text of an error: "a, b or c". */
export function oneOf(names: readonly string[]): string {
  if (names.length > LISTED) return `${names.slice(0, LISTED).join(", ")} or one of ${names.length - LISTED} others`;
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)!}`;
}
