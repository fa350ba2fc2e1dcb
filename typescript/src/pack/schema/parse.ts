import { SCALAR_TYPES, enumeration, list, map, option, ref, set, tuple } from "./builder.js";
import { DIVIDE, NEST_FEWER, SCHEMA_DEPTH, SCHEMA_NODES, canonical, isTooLong } from "./canonical.js";
import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import { NAME_UNITS, SCALARS } from "./name.js";
import { isNumeric } from "./numeric.js";
import { canStandIn } from "./fallbacks.js";
import { schemaTree } from "./tree-builder.js";
import { Tokens } from "./lexer.js";
import type { Token } from "./lexer.js";
import { ScalarType, StructType, Type } from "./type.js";
import type { FieldDefinition, Scalar } from "./type.js";

const GENERICS: ReadonlySet<string> = new Set(["option", "list", "set", "ref", "map", "tuple"]);
const WORDS: ReadonlySet<string> = new Set<string>([...SCALARS, ...GENERICS, "enum", "struct", "union"]);
const DEFINING: ReadonlySet<string> = new Set(["enum", "struct", "union"]);
const KEYLESS: ReadonlySet<string> = new Set(["f32", "f64", "decimal", "bytes", "any"]);

/** A type as read, and its offset. A name is resolved once the whole text is read. */
interface Part {
  readonly type: Type;
  readonly at: number;
  readonly name?: string;
}

/** What a type must not be at its place. */
type Place = "anywhere" | "option" | "key" | "ref" | "member" | "fallback";

/**
 * Reads in two passes. The first goes left to right and reports the first syntax error, repetition or limit. A name may
 * be used before its definition, so the second pass resolves names and checks which types may stand where; it reports
 * the leftmost error.
 */
class Parser {
  private readonly tokens: Tokens;
  private nodes = 0;
  private depth = 0;
  private readonly defined = new Map<string, Type>();
  /** Names and aliases of types. */
  private readonly taken = new Set<string>();
  /** The last name of a type, and where the token behind it begins. */
  private lastName: { name: string; next: number } | undefined;
  private readonly places: { part: Part; place: Place }[] = [];

  constructor(text: string) {
    this.tokens = new Tokens(text);
  }

  whole(): Type {
    const root = this.type();
    this.places.push({ part: root, place: "anywhere" });
    const rest = this.tokens.peek();
    this.refuseBracket(rest);
    if (rest.text !== "") this.tokens.fail(rest.at, `expected the end of the text, got ${rest.text}${DEFINING.has(rest.text) ? ": a schema is one type, and others are written where they occur first" : ""}`);
    this.check();
    return root.type;
  }

  private expect(...wanted: string[]): string {
    const token = this.tokens.next();
    if (!wanted.includes(token.text)) this.refuseBracket(token);
    if (!wanted.includes(token.text)) this.tokens.fail(token.at, `expected ${wanted.join(" or ")}, got ${token.text === "" ? "the end of the text" : JSON.stringify(token.text)}`);
    return token.text;
  }

  /** Names the remedy for a type with a bracket, as `List<i32>`. */
  private refuseBracket({ text, at }: Token): void {
    if (text !== "<" || at !== this.lastName?.next) return;
    const { name } = this.lastName;
    this.tokens.fail(at, `${name} takes no <...>: ${usualWord(name) ?? "only the schema's own types do"}`);
  }

  private open(bracket: string): void {
    const { at } = this.tokens.peek();
    this.expect(bracket);
    if (++this.depth > SCHEMA_DEPTH) this.tokens.fail(at, `types are nested more than 64 deep${NEST_FEWER}`, "limit_depth");
  }

  private close(bracket: string): void {
    this.expect(bracket);
    this.depth--;
  }

  /** Reads the `,` before another part, or the bracket after the last one: behind a `,` too, if it is `}`. */
  private more(closing: string): boolean {
    if (this.expect(",", closing) === ",") {
      if (closing !== "}" || this.tokens.peek().text !== "}") return true;
      this.tokens.next();
    }
    this.depth--;
    return false;
  }

  private count(at: number): void {
    if (++this.nodes > SCHEMA_NODES) this.tokens.fail(at, `more than 65,536 types, fields and symbols${DIVIDE}`, "limit_items");
  }

  /** The name of a struct or enum. */
  private name(): { name: string; at: number } {
    const { text, at } = this.tokens.peek();
    if (WORDS.has(text)) this.tokens.fail(at, `expected a name, got ${JSON.stringify(text)}, a word of the schema's own: write it in quotes`);
    return this.label();
  }

  /** The name of a field, a symbol or an alias, which may be a keyword. */
  private label(): { name: string; at: number } {
    const token = this.tokens.next();
    const { text, at } = token;
    const quoted = text.startsWith('"');
    if (!quoted && !/^[A-Za-z_]/.test(text)) this.tokens.fail(at, `expected a name, got ${JSON.stringify(text)}`);
    const name = quoted ? this.tokens.unquote(token) : text;
    if (name.length < 1 || name.length > NAME_UNITS) this.tokens.fail(at, "a name has 1 to 255 UTF-16 code units");
    return { name, at };
  }

  /** A type, and a `?` behind it. */
  private type(): Part {
    const part = this.plainType();
    const sign = this.tokens.questionMark();
    if (sign === undefined) return part;
    this.count(sign);
    return { type: option(this.put(part, "option").type), at: part.at };
  }

  private plainType(): Part {
    const { text, at } = this.tokens.peek();
    if (text === "") this.tokens.fail(at, "the text ends where a type is expected");
    if (WORDS.has(text)) {
      this.tokens.next();
      this.count(at);
      if (GENERICS.has(text)) return { type: this.generic(text), at };
      if (text === "enum") return { type: this.enum(), at };
      if (text === "struct") return this.struct(at);
      if (text === "union") return { type: this.union(), at };
      return { type: SCALAR_TYPES[text as Scalar], at };
    }
    const { name } = this.name();
    this.count(at);
    this.lastName = { name, next: this.tokens.upcoming() };
    const type = new Type({ kind: "recursive", of: () => this.defined.get(name)! });
    return { type, at, name };
  }

  private put(part: Part, place: Place): Part {
    this.places.push({ part, place });
    return part;
  }

  private generic(word: string): Type {
    this.open("<");
    const first = this.put(this.type(), word === "option" ? "option" : word === "ref" ? "ref" : word === "set" || word === "map" ? "key" : "anywhere");
    if (word === "tuple") return this.tuple(first);
    if (word === "map") {
      this.expect(",");
      const value = this.put(this.type(), "anywhere");
      this.close(">");
      return map(first.type, value.type);
    }
    this.close(">");
    if (word === "option") return option(first.type);
    if (word === "list") return list(first.type);
    return word === "set" ? set(first.type) : ref(first.type);
  }

  private tuple(first: Part): Type {
    const types = [first.type];
    while (this.more(">")) {
      if (types.length === 255) this.tokens.fail(this.tokens.peek().at, "a tuple has no more than 255 types");
      types.push(this.put(this.type(), "anywhere").type);
    }
    return tuple(...types);
  }

  private definition(): { name: string; aliases: string[] } {
    const { name, at } = this.name();
    this.take(name, at, this.taken);
    this.defined.set(name, SCALAR_TYPES.bool);
    return { name, aliases: this.annotations(this.taken, "@alias").aliases };
  }

  /** Takes a name or alias, which no other may have. */
  private take(name: string, at: number, taken: Set<string>): void {
    if (taken.has(name)) this.tokens.fail(at, `${name} is repeated, as a name or an alias`);
    taken.add(name);
  }

  /** Reads the annotations that stand here and may, each at most once. */
  private annotations(taken: Set<string>, ...allowed: string[]): { annotated: boolean; aliases: string[] } {
    const found = new Map<string, string[]>();
    for (let word = this.tokens.peek().text; allowed.includes(word) && !found.has(word); word = this.tokens.peek().text) {
      this.tokens.next();
      found.set(word, word === "@alias" ? this.aliases(taken) : []);
    }
    return { annotated: found.has("@default"), aliases: found.get("@alias") ?? [] };
  }

  private aliases(taken: Set<string>): string[] {
    const aliases: string[] = [];
    this.expect("(");
    do {
      const { name, at } = this.label();
      this.count(at);
      this.take(name, at, taken);
      aliases.push(name);
    } while (this.expect(",", ")") === ",");
    return aliases;
  }

  private enum(): Type {
    const { name, aliases } = this.definition();
    const symbols = new Set<string>();
    let fallback: string | undefined;
    this.open("{");
    do {
      const symbol = this.label();
      this.count(symbol.at);
      if (symbols.has(symbol.name)) this.tokens.fail(symbol.at, `the symbol ${symbol.name} is repeated`);
      symbols.add(symbol.name);
      if (fallback === undefined && this.tokens.peek().text === "@fallback") {
        this.tokens.next();
        fallback = symbol.name;
      }
    } while (this.more("}"));
    const type = enumeration(name, [...symbols], { alias: aliases, ...(fallback !== undefined && { fallback }) });
    this.defined.set(name, type);
    return type;
  }

  private struct(at: number): Part {
    const { name, aliases } = this.definition();
    const fields: FieldDefinition[] = [];
    const taken = new Set<string>();
    this.open("{");
    if (this.tokens.peek().text === "}") {
      this.close("}");
    } else {
      do {
        const field = this.label();
        this.count(field.at);
        this.take(field.name, field.at, taken);
        const sign = this.tokens.peek();
        if (sign.text === "?") this.tokens.fail(sign.at, 'expected :, got "?": it stands behind the type, as in `a: i32?`');
        this.expect(":");
        const { type } = this.put(this.type(), "anywhere");
        const said = this.annotations(taken, "@default", "@alias");
        fields.push({ name: field.name, type, fallback: said.annotated ? zero(type) : undefined, ...said });
      } while (this.more("}"));
    }
    const type = new StructType(name, { kind: "struct", name, aliases, fields, prototype: undefined });
    this.defined.set(name, type);
    return { type, at, name };
  }

  private union(): Type {
    const members: Type[] = [];
    const names = new Set<string>();
    let fallback: string | undefined;
    this.open("{");
    do {
      const part = this.put(this.type(), "member");
      if (part.name !== undefined) {
        if (names.has(part.name)) this.tokens.fail(part.at, `the member ${part.name} is repeated`);
        names.add(part.name);
      }
      members.push(part.type);
      const { text, at } = this.tokens.peek();
      if (text === "@fallback" && fallback === undefined) {
        this.tokens.next();
        fallback = this.put({ ...part, at }, "fallback").name;
      }
    } while (this.more("}"));
    return new Type({ kind: "union", members, discriminator: undefined, fallback });
  }

  private check(): void {
    this.places.sort((left, right) => left.part.at - right.part.at);
    for (const { part, place } of this.places) {
      const fault = this.fault(part, place);
      if (fault !== undefined) this.tokens.fail(part.at, fault);
    }
  }

  private fault(part: Part, place: Place): string | undefined {
    const type = part.name === undefined ? part.type : this.defined.get(part.name);
    if (type === undefined) return neverDefined(part.name!);
    const definition = type.definition;
    const { kind } = definition;
    if (place === "option" && (kind === "option" || kind === "any")) return `an option cannot hold an ${kind}`;
    if (place === "key" && !isKey(type)) return `${kind} cannot be a key`;
    if (place === "ref" && kind !== "struct") return `a ref cannot hold a ${kind}`;
    if (place === "member" && kind !== "struct") return `a union cannot hold a ${kind}`;
    // What is not a struct has been refused as a member.
    if (place === "fallback") return definition.kind !== "struct" || canStandIn(definition) ? undefined : "a fallback has no fields but name: string";
    if (place !== "member" && definition.kind === "struct" && definition.fields.length === 0) {
      return "a struct without fields can stand only in a union";
    }
    return undefined;
  }
}

/** The schema's words for types that other languages call by these names. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ["str", "string"], ["text", "string"], ["String", "string"], ["char", "string"], ["varchar", "string"],
  ["byte", "i8"], ["short", "i16"], ["i128", "bigint"], ["u128", "bigint"], ["BigInteger", "bigint"],
  ["BigDecimal", "decimal"], ["numeric", "decimal"], ["binary", "bytes"], ["blob", "bytes"], ["bytearray", "bytes"],
  ["int", "i32 or i64"], ["integer", "i32 or i64"], ["Integer", "i32 or i64"], ["long", "i64"], ["Long", "i64"], ["BigInt", "i64 or bigint"],
  ["float", "f64"], ["double", "f64"], ["number", "f64"], ["Number", "f64"], ["boolean", "bool"], ["Boolean", "bool"],
  ["datetime", "timestamp"], ["Instant", "timestamp"], ["Date", "timestamp"], ["timedelta", "duration"], ["Duration", "duration"], ["UUID", "uuid"],
  ["Uint8Array", "bytes"], ["Buffer", "bytes"], ["unknown", "any"],
  ["array", "list<...>"], ["Array", "list<...>"], ["vec", "list<...>"], ["Vec", "list<...>"], ["List", "list<...>"], ["sequence", "list<...>"],
  ["dict", "map<..., ...>, or struct"], ["object", "map<..., ...>, or struct"], ["Map", "map<..., ...>, or struct"], ["Set", "set<...>"],
  ["optional", "option<...>"], ["nullable", "option<...>"],
]);

function neverDefined(name: string): string {
  const word = usualWord(name);
  return `${name} is never defined${word === undefined ? "" : `: ${word}`}`;
}

/** The schema's word for what other languages call by a name, or write in capitals. */
function usualWord(name: string): string | undefined {
  const lower = name.toLowerCase();
  const word = USUAL.get(name) ?? (lower !== name && WORDS.has(lower) ? lower : undefined);
  return word === undefined ? undefined : `the schema's word is ${word}`;
}

/** Makes the zero of a type: the default of a field that says `@default`. Undefined for types without one. */
function zero(type: Type): (() => unknown) | undefined {
  const { kind } = type.definition;
  switch (kind) {
    case "bool":
      return () => false;
    case "i64":
    case "u64":
    case "bigint":
      return () => 0n;
    case "string":
      return () => "";
    case "bytes":
      return () => new Uint8Array(0);
    case "list":
      return () => [];
    case "set":
      return () => new Set();
    case "map":
      return () => new Map();
    default:
      return isNumeric(kind) ? () => 0 : undefined;
  }
}

function isKey(type: Type): boolean {
  return type.definition.kind === "enum" || (type instanceof ScalarType && !KEYLESS.has(type.definition.kind));
}

/**
 * Returns the type of a schema text, with white space between tokens, and members and symbols in any order.
 *
 * Lists are arrays. The discriminator of a union is `type`, preceded by `$` until no member has such a field.
 *
 * @throws SamewireError `malformed`, `limit_size`, `limit_depth` or `limit_items`, with the offset in bytes; `misuse`
 *   for anything but a string.
 */
export function parse(text: string): Type {
  if (typeof (text as unknown) !== "string") throw new SamewireError("misuse", `schema text is a string, not ${described(text)}`);
  if (isTooLong(text)) throw new SamewireError("limit_size", `schema text over 1 MiB${DIVIDE}`, { at: 0 });
  const type = new Parser(text).whole();
  canonical(schemaTree(type).root);
  return type;
}
