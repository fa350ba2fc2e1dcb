import { parts } from "./tree.js";
import type { ListNode, MapNode, SchemaNode, SetNode, StructNode, TupleNode } from "./tree.js";

/** The greatest weight. */
const MOST = 0x7fff_ffff;
/** Cells of a struct, a tuple or a container besides its slots. */
export const OBJECT_CELLS = 3;
/** Cells of an object of a class of the program, up to 300 bytes (`spec/limits.md`). */
export const CONVERSION_CELLS = 5;
/** Objects of the first 64 KiB are free, so that small messages meet the same limit in every language. */
export const FREE_CELLS = 65_536 / 60;
/** Cells of a key of a set or a map besides its slot. */
const KEY_CELLS = 2;
/** V8 makes a hash table of an object with more properties, which takes up to 72 bytes for each. */
const FAST_PROPERTIES = 1_020;
/** Slot weights of the types that take more than one cell. */
const WIDE: ReadonlyMap<string, number> = new Map([
  ["string", 2], ["bigint", 2], ["uuid", 2], ["duration", 2], ["any", 2], ["decimal", 3], ["timestamp", 3], ["bytes", 6],
]);

/**
 * Cells inside an `any`: of an element of a list, an entry of a map, a number of a numeric list; and of bytes and of
 * a decimal besides their slot.
 */
export const ANY_CELLS = { list: 2, map: 6, numbers: 1, bytes: 4, decimal: 1 } as const;

/**
 * The cells of memory that values take, by the writer's types (section 8). To a struct are added the fields of
 * the reader's struct of the same name that may take their default.
 */
export class Weights {
  private readonly rows = new Map<StructNode | TupleNode, number>();
  private readonly readers = new Map<string, StructNode>();

  /** @param reader the reader's type; a writer gives its own */
  constructor(reader: SchemaNode) {
    const met = new Set<SchemaNode>([reader]);
    // A set also yields what is added during the loop.
    for (const node of met) {
      if (node.kind === "struct") this.readers.set(node.name, node);
      for (const part of parts(node)) met.add(part);
    }
  }

  /** Cells of a value of the type in its slot. */
  slot(node: SchemaNode): number {
    switch (node.kind) {
      case "option":
        return node.of.kind === "struct" || node.of.kind === "tuple" ? 1 : this.slot(node.of);
      case "tuple":
        return this.row(node);
      case "struct":
        return node.recursive ? 1 : this.row(node);
      default:
        return WIDE.get(node.kind) ?? 1;
    }
  }

  /** Cells of an element of a set, or of the key of a map's entry. */
  key(node: SchemaNode): number {
    return KEY_CELLS + this.slot(node);
  }

  /** Cells of an element of a list or set, or of an entry of a map. */
  element(node: ListNode | SetNode | MapNode): number {
    if (node.kind === "map") return this.key(node.key) + this.slot(node.value);
    return node.kind === "set" ? this.key(node.of) : this.slot(node.of);
  }

  /**
   * Cells charged, besides the slot, for the present value of an option, a member of a union and a new struct of a ref.
   * A recursive struct is charged when it is entered.
   */
  present(node: SchemaNode): number {
    return node.kind === "tuple" || (node.kind === "struct" && !node.recursive) ? this.row(node) : 0;
  }

  /** Cells of a struct or tuple with all its slots: charged inline, or when it is entered. */
  row(node: StructNode | TupleNode): number {
    const known = this.rows.get(node);
    if (known !== undefined) return known;
    const slots = node.kind === "struct" ? [...parts(node), ...this.added(node)] : parts(node);
    let sum = OBJECT_CELLS + (node.kind === "struct" && slots.length > FAST_PROPERTIES ? slots.length : 0);
    for (const part of slots) sum += this.slot(part);
    const row = Math.min(sum, MOST);
    this.rows.set(node, row);
    return row;
  }

  /** The types of the reader's fields that may take their default: the writer lacks them, or has an option. */
  private added(writer: StructNode): readonly SchemaNode[] {
    const reader = this.readers.get(writer.name);
    if (reader === undefined || reader === writer) return [];
    const known = new Map(writer.fields.map((field) => [field.name, field.node.kind]));
    const added = reader.fields.filter(({ name, node, fallback }) => {
      const kind = known.get(name);
      return kind === undefined || (kind === "option" && node.kind !== "option" && fallback !== undefined);
    });
    return added.map((field) => field.node);
  }
}
