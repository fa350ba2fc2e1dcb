import { isNumeric } from "../schema/numeric.js";
import type { Converters, ScalarNode, SchemaNode, StructNode } from "../schema/tree.js";
import type { Numeric } from "../schema/type.js";
import type { Decimal } from "../schema/value.js";
import { leastColumnar, MARK } from "../wire/columns/form.js";
import { hasFlag } from "../wire/flags.js";
import type { MessageBytes } from "../wire/message-bytes.js";
import type { Profile } from "../wire/writer.js";
import { Conversions } from "./conversions.js";
import { fieldOf, sortedKeys } from "./encode-rules.js";

const NONE: Converters = [];

/** The writers of those parts of a message that not every type has. */
export interface WriterParts {
  /** Where there are lists, sets or maps. */
  readonly column?: (writer: ValueWriter, node: SchemaNode, values: readonly unknown[]) => void;
  readonly numbers?: (out: MessageBytes, kind: Numeric, values: ArrayLike<number | bigint>) => void;
  /** Where there is an `any`. */
  readonly any?: (writer: ValueWriter, value: unknown, dedupSlot: number) => void;
}

/** Writes values that `ValueWalker` has accepted, by walking over their type: no code is made for a type. */
export class ValueWriter {
  private readonly shared = new Map<string, Map<unknown, number>>();
  private sharedCount = 0;

  constructor(
    readonly out: MessageBytes,
    private readonly profile: Profile,
    private readonly parts: WriterParts,
    private readonly conversions = new Conversions(),
  ) {}

  /** Converts a value of the program. */
  converted(converters: Converters, value: unknown): unknown {
    return this.conversions.of(converters, value);
  }

  /** The value of a field that is written. */
  field(value: unknown, { name, converters }: StructNode["fields"][number]): unknown {
    return this.converted(converters, fieldOf(value as object, name));
  }

  /** The keys that are written of a set, in their order. */
  setKeys(node: Extract<SchemaNode, { kind: "set" }>, value: unknown): unknown[] {
    return sortedKeys(node.of)(new Set(Array.from(value as Set<unknown>, (key) => this.converted(node.converters, key))));
  }

  /** A row of different slots. */
  row(nodes: readonly SchemaNode[], values: readonly unknown[]): void {
    this.out.bits(nodes.flatMap((node, i) => (hasFlag(node) ? [isSet(node, values[i])] : [])));
    nodes.forEach((node, i) => { this.flagged(node, values[i]); });
  }

  private flagged(node: SchemaNode, value: unknown): void {
    if (node.kind === "option" ? isSet(node, value) : node.kind !== "bool") this.slot(node, value);
  }

  /** A row of slots of one type. */
  private each(node: SchemaNode, values: readonly unknown[]): void {
    if (isNumeric(node.kind)) {
      this.parts.numbers!(this.out, node.kind, values as number[]);
      return;
    }
    if (hasFlag(node)) this.out.bits(values.map((value) => isSet(node, value)));
    for (const value of values) this.flagged(node, value);
  }

  slot(node: SchemaNode, value: unknown): void {
    const { out } = this;
    switch (node.kind) {
      case "option":
        this.slot(node.of, this.converted(node.converters, value));
        break;
      case "enum":
        out.varint(node.symbols.indexOf(value as string));
        break;
      case "list": {
        if (node.typed) {
          const { length } = value as ArrayLike<number>;
          out.varint(length);
          this.parts.numbers!(out, node.of.kind as Numeric, value as ArrayLike<number>);
          break;
        }
        const values = (value as unknown[]).map((item) => this.converted(node.converters, item));
        const columnar = values.length >= leastColumnar(node, this.profile);
        out.varint(values.length + (columnar ? MARK : 0));
        if (columnar) this.parts.column!(this, node.of, values);
        else this.each(node.of, values);
        break;
      }
      case "set": {
        const keys = this.setKeys(node, value);
        out.varint(keys.length);
        this.each(node.of, keys);
        break;
      }
      case "map": {
        const map = value as Map<unknown, unknown>;
        const keys = Array.from(map.keys(), (key) => this.converted(node.keyConverters, key));
        const values = Array.from(map.values(), (item) => this.converted(node.valueConverters, item));
        const columnar = keys.length >= leastColumnar(node, this.profile);
        out.varint(keys.length + (columnar ? MARK : 0));
        if (columnar) {
          this.parts.column!(this, node.key, keys);
          this.parts.column!(this, node.value, values);
        } else {
          this.each(node.key, keys);
          this.each(node.value, values);
        }
        break;
      }
      case "tuple":
        this.row(node.of, node.of.map((_, i) => this.converted(node.converters[i] ?? NONE, (value as unknown[])[i])));
        break;
      case "struct":
        this.row(node.fields.map((field) => field.node), node.fields.map((field) => this.field(value, field)));
        break;
      case "union": {
        const index = node.members.findIndex((member) => member.name === (value as Record<string, unknown>)[node.discriminator]);
        out.varint(index);
        this.slot(node.members[index]!, value);
        break;
      }
      case "ref": {
        const object = this.converted(node.converters, value);
        const { name } = node.of;
        const numbers = this.shared.get(name) ?? new Map<unknown, number>();
        this.shared.set(name, numbers);
        const number = numbers.get(object) ?? -1;
        out.varint(number + 1);
        if (number >= 0) break;
        this.slot(node.of, object);
        numbers.set(object, this.sharedCount++);
        break;
      }
      default:
        this.scalar(node, value);
    }
  }

  scalar({ kind, native, dedupSlot }: ScalarNode, value: unknown): void {
    const { out } = this;
    if (isNumeric(kind)) {
      out.number(kind, value as number);
      return;
    }
    switch (kind) {
      case "bool":
        out.byte(value === true ? 1 : 0);
        break;
      case "string":
        out.text(value as string, dedupSlot);
        break;
      case "bytes":
        out.varint((value as Uint8Array).length);
        out.bytes(value as Uint8Array);
        break;
      case "uuid":
        out.uuid(value as string);
        break;
      case "date":
        out.number("i32", value as number);
        break;
      case "time":
        out.varint(value as number);
        break;
      case "bigint":
        out.bigint(value as bigint);
        break;
      case "decimal":
        out.number("i32", (value as Decimal).scale);
        out.bigint((value as Decimal).unscaled);
        break;
      case "any":
        this.parts.any!(this, value, dedupSlot);
        break;
      default:
        out.instant(native === "date" ? nanosecondsOf(value as Date) : (value as bigint));
    }
  }
}

/** Whether the flag of a slot is set: for true, or a value that is present. */
function isSet(node: SchemaNode, value: unknown): boolean {
  return node.kind === "bool" ? value === true : value !== null && value !== undefined;
}

/** The instant of a `Date`, in nanoseconds. */
export function nanosecondsOf(date: Date): bigint {
  return BigInt(date.getTime()) * 1_000_000n;
}
