import { SamewireError } from "../../core/error.js";
import { pathField } from "../../core/path.js";
import { answers, isMap, isSet } from "../../core/realm.js";
import { CONVERSION_CELLS, FREE_CELLS } from "../schema/cells.js";
import { madeOf } from "../schema/shared-default.js";
import { StructType, Type } from "../schema/type.js";
import type { Definition, StructDefinition } from "../schema/type.js";
import { lost } from "../wire/lost-keys.js";
import { put } from "../wire/property.js";
import { isEverywhere, own } from "./encode-rules.js";

// The functions of as() in a pass of their own over the whole value. Generated code calls them where the value stands
// (wire/converters.ts), and has no paths: where it fails, this pass runs again and throws the error with its path.

/** The state of one conversion. */
interface Context {
  /** The path to the part that is being converted: indices, and steps as error texts show them. */
  readonly steps: (string | number)[];
  /** The conversions of shared structs so far, by the functions that made them. */
  readonly shared: Map<Make, Map<unknown, unknown>>;
  /** Cells left of the limit. */
  cells: number;
}

type Make = (value: unknown, context: Context) => unknown;
type Way = "encode" | "decode";

/** A type that holds types made by {@link Type.as}: the type that is written, and how values become those of the other. */
export interface Adapters {
  readonly wire: Type;
  /**
   * Returns a copy of a value, down to its adapted parts, as a value of {@link wire}. Parts that do not fit their type
   * stay.
   */
  encode(value: unknown): unknown;
  /** Returns the value of one of {@link wire}, whose objects and arrays it uses. `cells` are those that its message has left. */
  decode(value: unknown, cells: number): unknown;
}

/** The types directly in a type; a recursive one is followed. */
function partsOf(definition: Definition): readonly Type[] {
  switch (definition.kind) {
    case "option":
    case "list":
    case "set":
    case "ref":
    case "adapted":
      return [definition.of];
    case "map":
      return [definition.key, definition.value];
    case "tuple":
      return definition.of;
    case "struct":
      return definition.fields.map((field) => field.type);
    case "union":
      return definition.members;
    case "recursive": {
      const of: unknown = definition.of();
      return of instanceof Type ? [of] : [];
    }
    default:
      return [];
  }
}

/**
 * The definitions of adapted types and of types that hold one. A loop, not recursion: types may be deeper than the
 * stack.
 */
function touched(root: Type): ReadonlySet<Definition> {
  const holders = new Map<Definition, Definition[]>([[root.definition, []]]);
  const found = new Set<Definition>();
  const open = [root.definition];
  for (let definition = open.pop(); definition !== undefined; definition = open.pop()) {
    if (definition.kind === "adapted") found.add(definition);
    for (const { definition: part } of partsOf(definition)) {
      const known = holders.get(part);
      if (known === undefined) open.push(part);
      holders.set(part, [...(known ?? []), definition]);
    }
  }
  // A set also yields what is added during the loop.
  for (const definition of found) for (const holder of holders.get(definition)!) found.add(holder);
  return found;
}

function get(object: object, name: string): unknown {
  return isEverywhere(name) ? own(object, name) : (object as Record<string, unknown>)[name];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Makes the type that is written, and the functions between the two. Each definition is made once, since it may hold itself. */
class Adapting {
  private readonly types = new Map<Definition, Type>();
  private readonly made = { encode: new Map<Definition, Make>(), decode: new Map<Definition, Make>() };

  constructor(private readonly touched: ReadonlySet<Definition>) {}

  wire(type: Type): Type {
    const { definition } = type;
    if (!this.touched.has(definition)) return type;
    let known = this.types.get(definition);
    if (known === undefined) {
      known = this.written(definition);
      this.types.set(definition, known);
    }
    return known;
  }

  private written(definition: Definition): Type {
    switch (definition.kind) {
      case "adapted":
        return this.wire(definition.of);
      case "option":
      case "list":
      case "set":
      case "ref":
        return new Type({ ...definition, of: this.wire(definition.of) });
      case "map":
        return new Type({ ...definition, key: this.wire(definition.key), value: this.wire(definition.value) });
      case "tuple":
        return new Type({ ...definition, of: definition.of.map((part) => this.wire(part)) });
      case "struct":
        return this.writtenStruct(definition);
      case "union":
        // A member that is adapted itself is refused where the schema is made.
        return new Type({ ...definition, members: definition.members.map((member) => (member.definition.kind === "adapted" ? member : this.wire(member))) });
      case "recursive":
        return new Type({ kind: "recursive", of: () => this.wire(definition.of()) });
      default:
        return new Type(definition);
    }
  }

  /** Without its class, whose setters must see the program's values only. Defaults are converted like other values. */
  private writtenStruct(definition: StructDefinition): Type {
    const fields = definition.fields.map((field) => {
      const { fallback } = field;
      const type = this.wire(field.type);
      if (fallback === undefined || type === field.type) return { ...field, type };
      return { ...field, type, fallback: madeOf(fallback, (value) => whole(this.make(field.type, "encode"), value, Infinity)) };
    });
    return new StructType(definition.name, { ...definition, fields, prototype: undefined });
  }

  /** Returns the conversion to the other type; for a type without adapted parts, the identity. */
  make(type: Type, way: Way): Make {
    const { definition } = type;
    if (!this.touched.has(definition)) return (value) => value;
    const known = this.made[way].get(definition);
    if (known !== undefined) return known;
    const made: { make?: Make } = {};
    const enter: Make = (value, context) => made.make!(value, context);
    this.made[way].set(definition, enter);
    made.make = way === "encode" ? this.encode(definition) : this.decode(definition);
    return enter;
  }

  private encode(definition: Definition): Make {
    switch (definition.kind) {
      case "adapted": {
        const inner = this.make(definition.of, "encode");
        const { encode } = definition;
        return (value, context) => inner(encode(value), context);
      }
      case "list": {
        const inner = this.make(definition.of, "encode");
        return (value, context) => (Array.isArray(value) ? elements(inner, value, new Array(value.length), context) : value);
      }
      case "set": {
        const inner = this.make(definition.of, "encode");
        return (value, context) => (isSet(value) && answers(() => value.size) ? keys(inner, value, context) : value);
      }
      case "tuple": {
        const parts = definition.of.map((part) => this.make(part, "encode"));
        return (value, context) => (Array.isArray(value) ? tuple(parts, value, [...(value as unknown[])], context) : value);
      }
      case "struct": {
        const fields = this.fields(definition, "encode");
        // Copying this object creates all fields at once: adding them one by one took a third more time.
        const empty: Record<string, unknown> = {};
        for (const { name, everywhere } of fields) if (!everywhere) empty[name] = undefined;
        return (value, context) => (isObject(value) ? struct(fields, value, { ...empty }, context) : value);
      }
      case "union":
        return this.union(definition, "encode");
      default:
        return this.either(definition, "encode");
    }
  }

  private decode(definition: Definition): Make {
    switch (definition.kind) {
      case "adapted": {
        const inner = this.make(definition.of, "decode");
        const { decode } = definition;
        return (value, context) => {
          if ((context.cells -= CONVERSION_CELLS) < 0) throw new SamewireError("limit_items", "the program's own types take more memory than limits.cells: raise it for data that you trust");
          return decode(inner(value, context));
        };
      }
      case "list": {
        const inner = this.make(definition.of, "decode");
        return (value, context) => elements(inner, value as unknown[], value as unknown[], context);
      }
      case "set": {
        const inner = this.make(definition.of, "decode");
        return (value, context) => keys(inner, value as Set<unknown>, context);
      }
      case "tuple": {
        const parts = definition.of.map((part) => this.make(part, "decode"));
        return (value, context) => tuple(parts, value as unknown[], value as unknown[], context);
      }
      case "struct": {
        const { prototype } = definition;
        const fields = this.fields(definition, "decode").filter(({ make }) => make !== undefined || prototype !== undefined);
        return (value, context) => struct(fields, value as object, prototype === undefined ? (value as object) : (Object.create(prototype) as object), context);
      }
      case "union":
        return this.union(definition, "decode");
      default:
        return this.either(definition, "decode");
    }
  }

  /** The conversions that are alike in both directions. */
  private either(definition: Definition, way: Way): Make {
    switch (definition.kind) {
      case "option": {
        const inner = this.make(definition.of, way);
        return (value, context) => (value === null || value === undefined ? value : inner(value, context));
      }
      case "map": {
        const key = this.touched.has(definition.key.definition) ? this.make(definition.key, way) : undefined;
        const inner = this.make(definition.value, way);
        return (value, context) => (isMap(value) && answers(() => value.size) ? entries(key, inner, value, context) : value);
      }
      case "ref": {
        const inner = this.make(definition.of, way);
        return (value, context) => shared(inner, value, context);
      }
      case "recursive":
        return this.make(definition.of(), way);
      default:
        return (value) => value;
    }
  }

  private fields(definition: StructDefinition, way: Way): FieldMake[] {
    return definition.fields.map(({ name, type }) => ({
      name,
      step: pathField(name),
      everywhere: isEverywhere(name),
      make: this.touched.has(type.definition) ? this.make(type, way) : undefined,
    }));
  }

  private union(definition: Extract<Definition, { kind: "union" }>, way: Way): Make {
    const discriminator = definition.discriminator ?? "type";
    const members = new Map(definition.members.map((member) => [member.definition.kind === "struct" ? member.definition.name : "", this.make(member, way)]));
    return (value, context) => {
      if (!isObject(value)) return value;
      const name = get(value, discriminator) as string;
      const made = members.get(name)?.(value, context) ?? value;
      if (made !== value && isObject(made)) put(made, discriminator, name);
      return made;
    };
  }
}

interface FieldMake {
  readonly name: string;
  readonly step: string;
  /** Whether every object inherits a property of that name. */
  readonly everywhere: boolean;
  /** Undefined where the field's value stays. */
  readonly make: Make | undefined;
}

function struct(fields: readonly FieldMake[], value: object, into: object, context: Context): object {
  const from = value as Readonly<Record<string, unknown>>;
  const to = into as Record<string, unknown>;
  for (let i = 0; i < fields.length; i++) {
    const { name, step, everywhere, make } = fields[i]!;
    let part = everywhere ? own(value, name) : from[name];
    if (make !== undefined) {
      context.steps.push(step);
      part = make(part, context);
      context.steps.pop();
    }
    if (everywhere) put(into, name, part);
    else to[name] = part;
  }
  return into;
}

function elements(make: Make, values: ArrayLike<unknown>, into: unknown[], context: Context): unknown[] {
  const count = values.length;
  const at = context.steps.push(0) - 1;
  for (let i = 0; i < count; i++) {
    context.steps[at] = i;
    into[i] = make(values[i], context);
  }
  context.steps.pop();
  return into;
}

function tuple(parts: readonly Make[], values: readonly unknown[], into: unknown[], context: Context): unknown[] {
  const count = Math.min(parts.length, values.length);
  for (let i = 0; i < count; i++) {
    context.steps.push(i);
    into[i] = parts[i]!(values[i], context);
    context.steps.pop();
  }
  return into;
}

function keys(make: Make, values: ReadonlySet<unknown>, context: Context): Set<unknown> {
  const all = elements(make, [...values], [], context);
  const made = new Set(all);
  if (made.size !== all.length) lost(made.size, all.length);
  return made;
}

function entries(key: Make | undefined, make: Make, map: ReadonlyMap<unknown, unknown>, context: Context): Map<unknown, unknown> {
  const made = new Map<unknown, unknown>();
  const at = context.steps.push(0, "") - 2;
  let i = 0;
  for (const [given, value] of map) {
    context.steps[at] = i++;
    context.steps[at + 1] = ".key";
    const name = key === undefined ? given : key(given, context);
    context.steps[at + 1] = ".value";
    made.set(name, make(value, context));
  }
  context.steps.length = at;
  if (made.size !== i) lost(made.size, i);
  return made;
}

/** Converts a shared object once, so that it stays shared. */
function shared(make: Make, value: unknown, context: Context): unknown {
  let known = context.shared.get(make);
  if (known === undefined) context.shared.set(make, (known = new Map()));
  if (known.has(value)) return known.get(value);
  const made = make(value, context);
  known.set(value, made);
  return made;
}

/** Converts a whole value. A SamewireError of the program's functions gets the path if it has none. */
function whole(make: Make, value: unknown, cells: number): unknown {
  const context: Context = { steps: [], shared: new Map(), cells };
  try {
    return make(value, context);
  } catch (error) {
    if (!(error instanceof SamewireError) || error.path !== undefined || error.at !== undefined) throw error;
    const path = context.steps.map((step) => (typeof step === "number" ? `[${step}]` : step)).join("");
    throw new SamewireError(error.code, error.message.slice(`${error.code}: `.length), { path: `$${path}` });
  }
}

/** The adapters of a type; undefined if nothing in it is made by {@link Type.as}. */
export function adaptersOf(type: Type): Adapters | undefined {
  const found = touched(type);
  if (found.size === 0) return undefined;
  const adapting = new Adapting(found);
  const encode = adapting.make(type, "encode");
  const decode = adapting.make(type, "decode");
  return {
    wire: adapting.wire(type),
    encode: (value) => whole(encode, value, Infinity),
    decode: (value, cells) => whole(decode, value, cells + FREE_CELLS),
  };
}
