import { pathField } from "../../core/path.js";
import { byUnits, schemaName } from "./name.js";
import type { FieldNode, SchemaNode, StructNode } from "./tree.js";

/** The first place, in the order of one schema, where another is not the same (`spec/pack.md` section 13). */
export class Difference {
  constructor(
    /** The place, like `$.books[].year`. */
    readonly path: string,
    /** What stands there in this schema: a type without its parts, or `symbol b`, `member B`, `place 0`, `nothing`. */
    readonly here: string,
    /** What stands there in the other schema. */
    readonly there: string,
  ) {}

  /** As in `$.books[].year: i32 here, i64 there`. */
  toString(): string {
    return `${this.path}: ${this.here} here, ${this.there} there`;
  }
}

const NOTHING = "nothing";

/** A type without its parts. */
function label(node: SchemaNode): string {
  if (node.kind === "tuple") return `tuple of ${node.of.length}`;
  return "name" in node ? `${node.kind} ${schemaName(node.name)}` : node.kind;
}

/** Of two different names at one place of two sorted lists, only one side has the lesser. */
function lone(what: string, here: string | undefined, there: string | undefined, path: string): Difference | undefined {
  if (here === there) return undefined;
  const ours = there === undefined || (here !== undefined && byUnits(here, there) < 0);
  const name = `${what} ${schemaName((ours ? here : there)!)}`;
  return new Difference(path, ours ? name : NOTHING, ours ? NOTHING : name);
}

/** Two fields of different names at one place, or one is missing. A missing field is reported before a moved one. */
function misplaced(here: readonly FieldNode[], there: readonly FieldNode[], place: number, path: string): Difference {
  const has = (fields: readonly FieldNode[], { name }: FieldNode): boolean => fields.some((field) => field.name === name);
  const [ours, theirs] = [here[place], there[place]];
  if (ours !== undefined && !has(there, ours)) return new Difference(path + pathField(ours.name), label(ours.node), NOTHING);
  if (theirs !== undefined && !has(here, theirs)) return new Difference(path + pathField(theirs.name), NOTHING, label(theirs.node));
  const elsewhere = there.findIndex((field) => field.name === ours!.name);
  return new Difference(path + pathField(ours!.name), `place ${place}`, `place ${elsewhere}`);
}

/** Recursion is no deeper than the first schema's canonical text nests, since structs are met in its order. */
class Comparison {
  /** Names of structs compared or being compared: each side has one struct of a name. */
  private readonly met = new Set<string>();

  between(here: SchemaNode, there: SchemaNode, path: string): Difference | undefined {
    const [ours, theirs] = [label(here), label(there)];
    if (ours !== theirs) return new Difference(path, ours, theirs);
    switch (here.kind) {
      case "option":
      case "ref":
        return this.between(here.of, (there as typeof here).of, path);
      case "list":
      case "set":
        return this.between(here.of, (there as typeof here).of, `${path}[]`);
      case "map": {
        const { key, value } = there as typeof here;
        return this.between(here.key, key, `${path}[].key`) ?? this.between(here.value, value, `${path}[].value`);
      }
      case "tuple":
        return first(here.of.length, (i) => this.between(here.of[i]!, (there as typeof here).of[i]!, `${path}[${i}]`));
      case "enum": {
        const { symbols } = there as typeof here;
        return first(Math.max(here.symbols.length, symbols.length), (i) => lone("symbol", here.symbols[i], symbols[i], path));
      }
      case "union": {
        const { members } = there as typeof here;
        return first(Math.max(here.members.length, members.length), (i) => {
          const [mine, other] = [here.members[i], members[i]];
          return lone("member", mine?.name, other?.name, path) ?? this.between(mine!, other!, path);
        });
      }
      case "struct":
        return this.fields(here, there as StructNode, path);
      default:
        return undefined;
    }
  }

  private fields(here: StructNode, there: StructNode, path: string): Difference | undefined {
    if (this.met.has(here.name)) return undefined;
    this.met.add(here.name);
    return first(Math.max(here.fields.length, there.fields.length), (place) => {
      const [ours, theirs] = [here.fields[place], there.fields[place]];
      if (ours === undefined || ours.name !== theirs?.name) return misplaced(here.fields, there.fields, place, path);
      return this.between(ours.node, theirs.node, path + pathField(ours.name));
    });
  }
}

/** The first difference among `count` places. */
function first(count: number, find: (i: number) => Difference | undefined): Difference | undefined {
  for (let i = 0; i < count; i++) {
    const found = find(i);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first place, in the order of `here`, where `there` is not the same; undefined if there is none. */
export function difference(here: SchemaNode, there: SchemaNode): Difference | undefined {
  return new Comparison().between(here, there, "$");
}
