import { annotated, canonical } from "./canonical.js";
import { difference } from "./difference.js";
import type { Difference } from "./difference.js";
import { fnv1a } from "./digest.js";
import { SamewireError } from "../../core/error.js";
import { parse } from "./parse.js";
import { schemaTree } from "./tree-builder.js";
import type { SchemaTree } from "./tree.js";
import { Type, notType } from "./type.js";

/** The schema of a type: its canonical text, the same in every language, and the digest of the text. */
export class Schema {
  /** The canonical text. */
  readonly text: string;
  /** FNV-1a of the text's UTF-8 bytes, as 16 hexadecimal digits. */
  readonly digest: string;
  /** @internal */
  readonly tree: SchemaTree;

  /**
   * @throws SamewireError `misuse` for a type that breaks the rules of schema text, and for anything but a type;
   *   `limit_depth`, `limit_size` or `limit_items` at 0 for a type that schema text cannot hold.
   */
  constructor(readonly type: Type) {
    if (!((type as unknown) instanceof Type)) throw new SamewireError("misuse", notType("a schema is made of a type", type));
    this.tree = schemaTree(type);
    this.text = canonical(this.tree.root);
    this.digest = fnv1a(new TextEncoder().encode(this.text));
  }

  /** The canonical text with what a reader's type says besides: `@default` and `@alias(…)`. */
  get annotated(): string {
    return annotated(this.tree.root);
  }

  /**
   * Returns the schema of a text, which need not be canonical.
   *
   * @throws SamewireError `malformed`, `limit_size`, `limit_depth` or `limit_items`, with the offset in bytes; `misuse`
   *   for anything but a string.
   */
  static parse(text: string): Schema {
    return new Schema(parse(text));
  }

  /**
   * Returns the first place, in this schema's order, where `other` differs; undefined if their texts are equal. Schemas
   * that differ may still resolve, see `Codec.resolve`.
   *
   * @throws SamewireError `misuse` for anything but a schema.
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
