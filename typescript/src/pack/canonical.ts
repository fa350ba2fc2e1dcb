import { PackError } from "./error.js";
import { schemaName } from "./name.js";
import type { Shape } from "./shape.js";

/** How many brackets may be open at once in schema text. */
export const SCHEMA_DEPTH = 64;

/**
 * The one canonical schema text of a shape (section 2).
 *
 * @throws PackError `limit_depth` at 0: members in canonical order may nest deeper than the text did that was read.
 */
export function canonical(root: Shape): string {
  const defined = new Set<string>();
  let depth = 0;
  const within = (opening: string, parts: () => readonly string[], closing: string): string => {
    if (++depth > SCHEMA_DEPTH) {
      throw new PackError("limit_depth", `the canonical text is nested more than ${SCHEMA_DEPTH} deep`, { at: 0 });
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
  const text = (shape: Shape): string => {
    switch (shape.kind) {
      case "option":
      case "list":
      case "set":
      case "ref":
        return within(`${shape.kind}<`, () => [text(shape.of)], ">");
      case "map":
        return within("map<", () => [text(shape.key), text(shape.value)], ">");
      case "tuple":
        return within("tuple<", () => shape.of.map(text), ">");
      case "union":
        return within("union { ", () => shape.members.map(text), " }");
      case "enum":
        return once(shape.name, (name) => within(`enum ${name} { `, () => shape.symbols.map(schemaName), " }"));
      case "struct":
        return once(shape.name, (name) => {
          if (shape.empty) return within(`struct ${name} {`, () => [], "}");
          const fields = () => shape.fields.map((field) => `${schemaName(field.name)}: ${text(field.shape)}`);
          return within(`struct ${name} { `, fields, " }");
        });
      default:
        return shape.kind;
    }
  };
  return text(root);
}
