import { isNumeric } from "../../src/pack/schema/numeric.js";
import { Type } from "../../src/pack/schema/type.js";
import type { Definition } from "../../src/pack/schema/type.js";

/** Returns the type with every list of numbers as a typed array. */
export function withTypedArrays(root: Type): Type {
  const met = new Map<Type, Type>();
  const change = (type: Type): Type => {
    const known = met.get(type);
    if (known !== undefined) return known;
    // Structs may contain themselves, so every type is looked up again when it is asked for.
    const { definition } = type;
    const later = (part: Type): Type => new Type({ kind: "recursive", of: () => change(part) });
    const made = new Type(changed(definition, later));
    met.set(type, made);
    return made;
  };
  return change(root);
}

function changed(definition: Definition, later: (part: Type) => Type): Definition {
  switch (definition.kind) {
    case "list":
      return { kind: "list", of: later(definition.of), typed: isNumeric(definition.of.definition.kind) };
    case "option":
    case "set":
    case "ref":
      return { kind: definition.kind, of: later(definition.of) };
    case "map":
      return { kind: "map", key: later(definition.key), value: later(definition.value) };
    case "tuple":
      return { kind: "tuple", of: definition.of.map(later) };
    case "struct":
      return { ...definition, fields: definition.fields.map((field) => ({ ...field, type: later(field.type) })) };
    case "union":
      return { ...definition, members: definition.members.map(later) };
    case "recursive": {
      const { of } = definition;
      return { kind: "recursive", of: () => later(of()) };
    }
    default:
      return definition;
  }
}
