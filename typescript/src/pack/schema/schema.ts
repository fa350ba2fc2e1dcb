import { canonical } from "./canonical.js";
import { difference } from "./difference.js";
import type { Difference } from "./difference.js";
import { fnv1a } from "./digest.js";
import { SamewireError } from "../../core/error.js";
import { parse } from "./parse.js";
import { schemaTree } from "./tree-builder.js";
import type { SchemaTree } from "./tree.js";
import { Type } from "./type.js";

/** The schema of a type: the one canonical text that it has in every language, and the digest of that. */
export class Schema {
  /** The canonical text. */
  readonly text: string;
  /** FNV-1a of the text's UTF-8 bytes, as 16 hexadecimal digits. */
  readonly digest: string;
  /** @internal */
  readonly tree: SchemaTree;

  /**
   * @param type what the schema is of
   * @throws SamewireError `misuse` for a type that breaks the rules of the schema text, and for what is no type; `limit_depth`,
   *   `limit_size` or `limit_items` at 0 for one that is too much for such a text.
   */
  constructor(readonly type: Type) {
    if (!((type as unknown) instanceof Type)) throw new SamewireError("misuse", "a schema is made of a type, as pack.struct and its like make them");
    this.tree = schemaTree(type);
    this.text = canonical(this.tree.root);
    this.digest = fnv1a(new TextEncoder().encode(this.text));
  }

  /**
   * Reads schema text in any form and answers its canonical schema.
   *
   * @throws SamewireError `malformed`, `limit_size`, `limit_depth` or `limit_items`, with the offset in bytes; `misuse` for what is no text.
   */
  static parse(text: string): Schema {
    return new Schema(parse(text));
  }

  /**
   * The first place, in this schema's order, where `other` is not the same; undefined if their texts are equal. Says nothing of
   * whether one resolves to the other, which is `Codec.resolve`'s affair.
   *
   * @throws SamewireError `misuse` for what is no schema.
   */
  difference(other: Schema): Difference | undefined {
    if (!((other as unknown) instanceof Schema)) throw new SamewireError("misuse", "a schema differs from another Schema");
    return difference(this.tree.root, other.tree.root);
  }

  /** The canonical text. */
  toString(): string {
    return this.text;
  }
}
