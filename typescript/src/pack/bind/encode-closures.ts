import { isMap, isSet } from "../../core/realm.js";
import type { Weights } from "../schema/cells.js";
import { isNumeric } from "../schema/numeric.js";
import type { Converters, EnumNode, ListNode, MapNode, OptionNode, RefNode, ScalarNode, SetNode, SchemaNode, SchemaTree, StructNode, TupleNode, UnionNode } from "../schema/tree.js";
import type { AnyValue } from "../schema/value.js";
import { writeAny } from "../wire/any-writer.js";
import { bailOut } from "../wire/bail-out.js";
import { leastColumnar } from "../wire/columns/form.js";
import { hasFlag } from "../wire/flags.js";
import { gatherBigints, gatherNumbers, writeRow } from "../wire/numeric-row-writer.js";
import { isTyped } from "../wire/typed-arrays.js";
import { TOKEN_BYTES } from "../wire/writer.js";
import type { Profile, Writer } from "../wire/writer.js";
import { convertedKeys, convertedList, convertedSet, encoderOf, sharedEncoderOf } from "../wire/converters.js";
import { EncodeColumnClosures, type WriteColumns } from "./encode-column-closures.js";
import { distinctKeys, fixedBytes, getter, mapSorter, sortedKeys, type Encode } from "./encode-rules.js";

const NONE: Converters = [];

/** Writes the first `count` elements of an array, whose length may have changed since. */
type EncodeEach = (w: Writer, values: readonly unknown[], count: number, p: number, d: number) => number;

/**
 * Encodes a type without generating code, by a closure for each type: for platforms whose content security policy
 * forbids code from strings. Writes the same bytes, and throws the same errors, as generated code, a few times slower.
 */
export class EncodeClosures {
  private readonly structs = new Map<StructNode, Encode>();
  private readonly columnClosures: EncodeColumnClosures;

  constructor(
    private readonly profile: Profile,
    private readonly weights: Weights,
    private readonly sortKeys: boolean,
  ) {
    this.columnClosures = new EncodeColumnClosures((node) => this.roomy(node), weights, sortKeys);
  }

  /** The writer of columns of a list or map, and from how many elements on it is used; undefined if it never is. */
  columns(node: ListNode | MapNode): { readonly least: number; readonly write: WriteColumns } | undefined {
    const least = leastColumnar(node, this.profile);
    if (least === Infinity) return undefined;
    // Made when columns are first written.
    let made: WriteColumns | undefined;
    const make = (): WriteColumns => (node.kind === "list" ? this.columnClosures.list(node) : this.columnClosures.map(node));
    return { least, write: (w, p, count, d, values, keys) => (made ??= make())(w, p, count, d, values, keys) };
  }

  /** A row of different slots. */
  row(nodes: readonly SchemaNode[]): (w: Writer, values: readonly unknown[], p: number, d: number) => number {
    const slots = nodes.map((node) => (node.kind === "bool" ? undefined : node.kind === "option" ? this.present(node) : this.roomy(node)));
    const flagged = nodes.flatMap((node, i) => (hasFlag(node) ? [{ i, flag: flagOf(node) }] : []));
    const flagBytes = (flagged.length + 7) >> 3;
    const optional = nodes.map((node) => node.kind === "option");
    return (w, values, p, d) => {
      if (flagBytes > 0) {
        w.ensure(p, flagBytes);
        w.b.fill(0, p, p + flagBytes);
        flagged.forEach(({ i, flag }, bit) => {
          if (flag(values[i])) w.b[p + (bit >> 3)]! |= 1 << (bit & 7);
        });
        p += flagBytes;
      }
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i];
        const value = values[i];
        if (slot === undefined || (optional[i]! && (value === null || value === undefined))) continue;
        p = slot(w, value, p, d);
      }
      return p;
    };
  }

  /** A slot that reserves its own bytes. */
  roomy(node: SchemaNode): Encode {
    const slot = this.slot(node);
    const size = node.kind === "bool" ? 1 : fixedBytes(node);
    if (size === undefined) return slot;
    return (w, value, p, d) => {
      w.ensure(p, size);
      return slot(w, value, p, d);
    };
  }

  /** The value inside an option, which reserves its own bytes. */
  private present(node: OptionNode): Encode {
    return converting(node.converters, this.charged(node.of, this.roomy(node.of)));
  }

  /** Returns the encoder of a struct or tuple that may not lie inline: it is charged when it is entered. */
  private charged(node: SchemaNode, write: Encode): Encode {
    const cells = this.weights.present(node);
    if (cells === 0) return write;
    return (w, value, p, d) => {
      w.charge(cells);
      return write(w, value, p, d);
    };
  }

  /** A row of slots of one type. */
  private each(node: SchemaNode, converters: Converters): EncodeEach {
    const { kind } = node;
    const encode = encoderOf(converters);
    if (isNumeric(kind)) {
      if (encode !== undefined) {
        const plain = this.each(node, NONE);
        return (w, values, count, p, d) => plain(w, convertedList(encode, values, count), count, p, d);
      }
      if (kind === "i64" || kind === "u64") return (w, values, count, p) => writeRow(w, p, kind, gatherBigints(w, kind, values, count), count);
      return (w, values, count, p) => writeRow(w, p, kind, gatherNumbers(w, kind, values, count), count);
    }
    const flag = hasFlag(node) ? flagOf(node) : undefined;
    const slot = node.kind === "bool" ? undefined : node.kind === "option" ? this.present(node) : this.roomy(node);
    const optional = kind === "option";
    return (w, values, count, p, d) => {
      const flags = p;
      if (flag !== undefined) {
        const flagBytes = (count + 7) >>> 3;
        w.ensureAll(p, flagBytes);
        w.b.fill(0, p, p + flagBytes);
        p += flagBytes;
      }
      for (let i = 0; i < count; i++) {
        // Read once: an accessor may return another value the next time.
        const value = encode === undefined ? values[i] : encode(values[i]);
        if (flag !== undefined) {
          if (!flag(value)) continue;
          w.b[flags + (i >> 3)]! |= 1 << (i & 7);
        }
        if (slot !== undefined) p = slot(w, value, p, d);
      }
      // An accessor of one element removed another, which was written as null.
      if (optional && values.length < count) bailOut();
      return p;
    };
  }

  private slot(node: SchemaNode): Encode {
    switch (node.kind) {
      case "option":
        return this.present(node);
      case "enum":
        return this.enum(node);
      case "list":
        return this.list(node);
      case "set":
        return this.set(node);
      case "map":
        return this.map(node);
      case "tuple":
        return this.tuple(node);
      case "struct":
        return this.struct(node);
      case "union":
        return this.union(node);
      case "ref":
        return this.ref(node);
      default:
        return this.scalar(node);
    }
  }

  private scalar({ kind, dedupSlot, native }: ScalarNode): Encode {
    if (kind === "string") return (w, value, p) => w.text(p, value as string, dedupSlot);
    if (kind === "any") return (w, value, p, d) => writeAny(w, p, value as AnyValue, dedupSlot, d);
    if (native === "date") return (w, value, p) => w.jsDate(p, value as Date);
    return (w, value, p) => w[kind](p, value as never);
  }

  private enum({ symbols }: EnumNode): Encode {
    const indices = new Map<unknown, number>(symbols.map((symbol, i) => [symbol, i]));
    return (w, value, p) => w.varint(p, indices.get(value) ?? bailOut());
  }

  private list(node: ListNode): Encode {
    const { kind } = node.of;
    const cells = this.weights.element(node);
    if (node.typed && isNumeric(kind)) {
      return (w, value, p) => {
        if (!isTyped(kind, value)) bailOut();
        return writeRow(w, claimed(w, p, value.length, cells), kind, value, value.length);
      };
    }
    const each = this.each(node.of, node.converters);
    const columns = this.columns(node);
    return (w, value, p, d) => {
      if (!Array.isArray(value)) bailOut();
      const count = value.length;
      if (columns !== undefined && count >= columns.least) return columns.write(w, p, count, d, value, []);
      return each(w, value, count, claimed(w, p, count, cells), d);
    };
  }

  private set(node: SetNode): Encode {
    const sorted = sortedKeys(node.of);
    const cells = this.weights.element(node);
    const each = this.each(node.of, NONE);
    const encode = encoderOf(node.converters);
    return (w, value, p, d) => {
      if (!isSet(value)) bailOut();
      const keys = sorted(encode === undefined ? value : convertedSet(encode, value));
      return each(w, keys, keys.length, claimed(w, p, keys.length, cells), d);
    };
  }

  private map(node: MapNode): Encode {
    const distinct = distinctKeys(node.key);
    const cells = this.weights.element(node);
    const keys = this.each(node.key, NONE);
    const values = this.each(node.value, node.valueConverters);
    const columns = this.columns(node);
    const encode = encoderOf(node.keyConverters);
    const sort = this.sortKeys ? mapSorter(node.key) : undefined;
    return (w, of, p, d) => {
      if (!isMap(of)) bailOut();
      const converted = encode === undefined ? of : convertedKeys(encode, of);
      const value = sort === undefined ? converted : sort(converted);
      const given = distinct(value);
      const held = [...value.values()];
      const count = given.length;
      if (held.length !== count) bailOut();
      if (columns !== undefined && count >= columns.least) return columns.write(w, p, count, d, held, given);
      return values(w, held, count, keys(w, given, count, claimed(w, p, count, cells), d), d);
    };
  }

  private tuple({ of, converters }: TupleNode): Encode {
    const row = this.row(of);
    const encodes = converters.map(encoderOf);
    const plain = encodes.every((encode) => encode === undefined);
    return (w, value, p, d) => {
      if (!Array.isArray(value) || value.length !== encodes.length) bailOut();
      const given: readonly unknown[] = value;
      return row(w, plain ? given : encodes.map((encode, i) => (encode === undefined ? given[i] : encode(given[i]))), p, d);
    };
  }

  private struct(node: StructNode): Encode {
    const known = this.structs.get(node);
    if (known !== undefined) return known;
    let write: Encode = bailOut;
    const cells = node.recursive ? this.weights.row(node) : 0;
    const enter: Encode = node.recursive
      ? (w, value, p, d) => {
          if (d >= w.maxDepth) bailOut();
          w.charge(cells);
          return write(w, value, p, d + 1);
        }
      : (w, value, p, d) => write(w, value, p, d);
    this.structs.set(node, enter);
    write = this.fields(node);
    return enter;
  }

  private fields(node: StructNode): Encode {
    const row = this.row(node.fields.map((field) => field.node));
    const gets = node.fields.map(getter);
    return (w, value, p, d) => {
      if (typeof value !== "object" || value === null) bailOut();
      const values = new Array<unknown>(gets.length);
      for (let i = 0; i < gets.length; i++) values[i] = gets[i]!(value);
      return row(w, values, p, d);
    };
  }

  private union(node: UnionNode): Encode {
    const members = new Map<unknown, { index: number; write: Encode }>(
      node.members.map((member, index) => [member.name, { index, write: this.charged(member, this.struct(member)) }]),
    );
    return (w, value, p, d) => {
      if (typeof value !== "object" || value === null) bailOut();
      const member = members.get((value as Record<string, unknown>)[node.discriminator]) ?? bailOut();
      return member.write(w, value, counted(w, p, member.index), d);
    };
  }

  private ref(node: RefNode): Encode {
    const write = this.charged(node.of, this.struct(node.of));
    const { name } = node.of;
    const encode = sharedEncoderOf(node.converters);
    return (w, given, p, d) => {
      const value = encode === undefined ? given : encode(w, given);
      if (typeof value !== "object" || value === null) bailOut();
      const number = w.referTo(value, name);
      p = counted(w, p, number);
      if (number > 0) return p;
      p = write(w, value, p, d);
      w.share(value, name);
      return p;
    };
  }
}

/** Returns an encoder that converts the value first. */
function converting(converters: Converters, write: Encode): Encode {
  const encode = encoderOf(converters);
  return encode === undefined ? write : (w, value, p, d) => write(w, encode(value), p, d);
}

/** Whether the flag of a slot is set. */
function flagOf(node: SchemaNode): (value: unknown) => boolean {
  if (node.kind === "option") return (value) => value !== null && value !== undefined;
  return (value) => (value === true ? true : value === false ? false : bailOut());
}

/** Reserves bytes for an index or a number, and writes it. */
function counted(w: Writer, p: number, count: number): number {
  w.ensure(p, TOKEN_BYTES);
  return w.varint(p, count);
}

/** Writes the count of a list, set or map of elements of so many cells. */
function claimed(w: Writer, p: number, count: number, cells: number): number {
  w.claim(count, cells);
  return counted(w, p, count);
}

/** The encoder of a type as closures. The cells of the root have been charged. */
export function closeEncode({ root, converters }: SchemaTree, profile: Profile, weights: Weights, sortKeys: boolean): Encode {
  const row = new EncodeClosures(profile, weights, sortKeys).row([root]);
  return converting(converters, (w, value, p, d) => row(w, [value], p, d));
}
