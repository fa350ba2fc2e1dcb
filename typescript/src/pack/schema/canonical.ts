import { SamewireError } from "../../core/error.js";
import { schemaName } from "./name.js";
import type { EnumNode, FieldNode, SchemaNode, UnionNode } from "./tree.js";

/** The most brackets open at once in schema text. */
export const SCHEMA_DEPTH = 64;
/** The most types, fields and symbols in schema text. */
export const SCHEMA_NODES = 65_536;
/** What to do about a text that is too long: the limits are fixed. */
export const DIVIDE = ": divide it into several schemas";
export const NEST_FEWER = ": nest fewer, or use any for the inner types";
/** The greatest length of schema text, in bytes of UTF-8. */
const SCHEMA_BYTES = 1 << 20;

/**
 * The one canonical schema text of a type (section 2).
 *
 * @throws SamewireError `limit_depth` or `limit_size` at 0: the canonical text may be nested deeper, and be longer,
 *   than the text that was read; these or `limit_items` for a native type that schema text cannot hold.
 */
export function canonical(root: SchemaNode): string {
  const whole = textOf(root, false);
  if (isTooLong(whole)) throw new SamewireError("limit_size", `the canonical text is over 1 MiB${DIVIDE}`, { at: 0 });
  return whole;
}

/** The canonical text with the annotations of a reader's type, which no digest covers. */
export function annotated(root: SchemaNode): string {
  return textOf(root, true);
}

function textOf(root: SchemaNode, annotations: boolean): string {
  const defined = new Set<string>();
  let depth = 0;
  let nodes = 0;
  const count = (more: number): void => {
    nodes += more;
    if (nodes > SCHEMA_NODES) {
      throw new SamewireError("limit_items", `more than 65,536 types, fields and symbols${DIVIDE}`, { at: 0 });
    }
  };
  const within = (opening: string, parts: () => readonly string[], closing: string): string => {
    if (++depth > SCHEMA_DEPTH) {
      throw new SamewireError("limit_depth", `the canonical text is nested more than ${SCHEMA_DEPTH} deep${NEST_FEWER}`, { at: 0 });
    }
    const inside = parts().join(", ");
    depth--;
    return opening + inside + closing;
  };
  const once = (name: string, definition: (spelled: string) => string): string => {
    const spelled = schemaName(name);
    if (defined.has(name)) return spelled;
    defined.add(name);
    return definition(spelled);
  };
  const known = (aliases: readonly string[]): string => (annotations && aliases.length > 0 ? ` @alias(${aliases.map(schemaName).join(", ")})` : "");
  const fieldText = ({ name, node, defaulted, aliases }: FieldNode): string =>
    `${schemaName(name)}: ${text(node)}${annotations && defaulted ? " @default" : ""}${known(aliases)}`;
  const fallbackText = (name: string, { fallback }: EnumNode | UnionNode): string => (annotations && name === fallback ? " @fallback" : "");
  const text = (node: SchemaNode): string => {
    count(1);
    switch (node.kind) {
      case "option":
      case "list":
      case "set":
      case "ref":
        return within(`${node.kind}<`, () => [text(node.of)], ">");
      case "map":
        return within("map<", () => [text(node.key), text(node.value)], ">");
      case "tuple":
        return within("tuple<", () => node.of.map(text), ">");
      case "union":
        return within("union { ", () => node.members.map((member) => text(member) + fallbackText(member.name, node)), " }");
      case "enum":
        return once(node.name, (name) => {
          count(node.symbols.length);
          return within(`enum ${name}${known(node.aliases)} { `, () => node.symbols.map((symbol) => schemaName(symbol) + fallbackText(symbol, node)), " }");
        });
      case "struct":
        return once(node.name, (name) => {
          if (node.empty) return within(`struct ${name}${known(node.aliases)} {`, () => [], "}");
          count(node.fields.length);
          return within(`struct ${name}${known(node.aliases)} { `, () => node.fields.map(fieldText), " }");
        });
      default:
        return node.kind;
    }
  };
  return text(root);
}

/** Whether a text is longer than schema text may be. */
export function isTooLong(text: string): boolean {
  return text.length > SCHEMA_BYTES || new TextEncoder().encode(text).length > SCHEMA_BYTES;
}
