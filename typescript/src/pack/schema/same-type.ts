import type { Definition, FieldDefinition, Type } from "./type.js";

/**
 * Whether two definitions are of one type: a function that returns `struct("Page", { items: list(item) })` may be called twice with
 * the same `item`. Parts that are functions of the program's, as converters and defaults, must be the same functions.
 *
 * Each pair is compared once: types that contain themselves are the same unless a difference is found. The time is linear in the
 * number of pairs, which are as many as the smaller type has parts if both are the same.
 */
export function isSame(one: Definition, other: Definition, compared = new Map<Definition, Set<Definition>>()): boolean {
  const [left, right] = [followed(one), followed(other)];
  if (left === right) return true;
  const known = compared.get(left);
  if (known?.has(right) === true) return true;
  if (known === undefined) compared.set(left, new Set([right]));
  else known.add(right);
  return parts(left, right, (first, second) => isSame(first.definition, second.definition, compared));
}

function parts(left: Definition, right: Definition, same: (left: Type, right: Type) => boolean): boolean {
  const all = (lefts: readonly Type[], rights: readonly Type[]): boolean =>
    lefts.length === rights.length && lefts.every((type, i) => same(type, rights[i]!));
  if (left.kind === "struct" && right.kind === "struct") {
    return left.name === right.name && left.prototype === right.prototype && alike(left.aliases, right.aliases)
      && left.fields.length === right.fields.length && left.fields.every((field, i) => isSameField(field, right.fields[i]!, same));
  }
  if (left.kind === "enum" && right.kind === "enum") {
    return left.name === right.name && left.fallback === right.fallback && alike(left.aliases, right.aliases)
      && alike([...left.symbols].sort(), [...right.symbols].sort());
  }
  if (left.kind === "union" && right.kind === "union") {
    return left.discriminator === right.discriminator && left.fallback === right.fallback && all(left.members, right.members);
  }
  if (left.kind === "map" && right.kind === "map") return same(left.key, right.key) && same(left.value, right.value);
  if (left.kind === "tuple" && right.kind === "tuple") return all(left.of, right.of);
  if (left.kind === "list" && right.kind === "list") return left.typed === right.typed && same(left.of, right.of);
  if (left.kind === "adapted" && right.kind === "adapted") {
    return left.encode === right.encode && left.decode === right.decode && same(left.of, right.of);
  }
  if ((left.kind === "option" || left.kind === "set" || left.kind === "ref") && "of" in right && right.kind === left.kind) {
    return same(left.of, right.of);
  }
  return left.kind === right.kind && "native" in left && "native" in right && left.native === right.native;
}

function isSameField(left: FieldDefinition, right: FieldDefinition, same: (left: Type, right: Type) => boolean): boolean {
  return left.name === right.name && left.fallback === right.fallback && left.annotated === right.annotated
    && alike(left.aliases, right.aliases) && same(left.type, right.type);
}

function alike(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, i) => text === right[i]);
}

/** A definition with `recursive` followed. A type that is only a reference to itself is refused elsewhere. */
function followed(definition: Definition): Definition {
  let found = definition;
  for (let steps = 0; found.kind === "recursive" && steps < 64; steps++) found = found.of().definition;
  return found;
}
