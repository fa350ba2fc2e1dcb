import { canonical } from "./canonical.js";
import { fnv1a } from "./digest.js";
import { PackError } from "./error.js";
import { parse } from "./parse.js";
import { resolve } from "./resolve.js";
import { shapeOf } from "./shape.js";
import type { Whole } from "./shape.js";
import type { Type } from "./type.js";

const SCHEMA_BYTES = 1 << 20;

/** The schema of a type: the one canonical text that it has in every language, and the digest of that. */
export class Schema {
  /** The canonical text. */
  readonly text: string;
  /** FNV-1a of the text's UTF-8 bytes, as 16 hexadecimal digits. */
  readonly digest: string;
  /** @internal */
  readonly whole: Whole;

  /**
   * @param type what the schema is of
   * @throws PackError `misuse` for a type that breaks the rules of the schema text.
   */
  constructor(readonly type: Type) {
    this.whole = shapeOf(type);
    this.text = canonical(this.whole.root);
    const bytes = new TextEncoder().encode(this.text);
    if (bytes.length > SCHEMA_BYTES) throw new PackError("misuse", "the schema's text is over 1 MiB");
    this.digest = fnv1a(bytes);
  }

  /**
   * Reads schema text in any form and answers its canonical schema.
   *
   * @throws PackError `malformed`, `limit_size`, `limit_depth` or `limit_items`, with the offset in bytes.
   */
  static parse(text: string): Schema {
    return new Schema(parse(text));
  }

  /**
   * The path of the first difference that keeps this schema from reading what `writer` wrote, in the notation of section 13;
   * undefined if there is none.
   */
  difference(writer: Schema): string | undefined {
    try {
      resolve(writer.whole.root, this.whole.root);
      return undefined;
    } catch (error) {
      if (error instanceof PackError && error.code === "schema_mismatch") return error.path;
      throw error;
    }
  }

  /** The canonical text. */
  toString(): string {
    return this.text;
  }
}
