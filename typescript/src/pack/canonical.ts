import { schemaName } from "./name.js";
import type { Shape } from "./shape.js";

/** The one canonical schema text of a shape (section 2). */
export function canonical(root: Shape): string {
  const defined = new Set<string>();
  const text = (shape: Shape): string => {
    switch (shape.kind) {
      case "option":
      case "list":
      case "set":
      case "ref":
        return `${shape.kind}<${text(shape.of)}>`;
      case "map":
        return `map<${text(shape.key)}, ${text(shape.value)}>`;
      case "tuple":
        return `tuple<${shape.of.map(text).join(", ")}>`;
      case "union":
        return `union { ${shape.members.map(text).join(", ")} }`;
      case "enum":
        if (defined.has(shape.name)) return schemaName(shape.name);
        defined.add(shape.name);
        return `enum ${schemaName(shape.name)} { ${shape.symbols.map(schemaName).join(", ")} }`;
      case "struct": {
        if (defined.has(shape.name)) return schemaName(shape.name);
        defined.add(shape.name);
        if (shape.empty) return `struct ${schemaName(shape.name)} {}`;
        const fields = shape.fields.map((field) => `${schemaName(field.name)}: ${text(field.shape)}`);
        return `struct ${schemaName(shape.name)} { ${fields.join(", ")} }`;
      }
      default:
        return shape.kind;
    }
  };
  return text(root);
}
