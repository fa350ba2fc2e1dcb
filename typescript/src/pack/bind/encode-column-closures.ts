import { isBytes, isDate, isMap, isSet } from "../../core/realm.js";
import type { Weights } from "../schema/cells.js";
import { BITS, isNumeric, isSigned, overflowsF32 } from "../schema/numeric.js";
import type { Converters, EnumNode, ListNode, MapNode, ScalarNode, SchemaNode, SetNode, StructNode, TupleNode } from "../schema/tree.js";
import { bailOut } from "../wire/bail-out.js";
import { writeBits } from "../wire/columns/bits.js";
import { writeDoubles, writeSingles } from "../wire/columns/double-writer.js";
import { MARK } from "../wire/columns/form.js";
import { writeExact, writeInts, writeLongs } from "../wire/columns/integer-writer.js";
import { doubles, ints, longs, withScratch } from "../wire/columns/scratch.js";
import { writeBytes, writeTexts } from "../wire/columns/text-writer.js";
import { writeMilliseconds, writeTimes } from "../wire/columns/time-writer.js";
import { isTyped } from "../wire/typed-arrays.js";
import { DATE_MAX, DATE_MIN, SECONDS_MAX, SECONDS_MIN, TIME_MAX } from "../wire/time.js";
import { TOKEN_BYTES } from "../wire/writer.js";
import type { Writer } from "../wire/writer.js";
import { convertedKeys, convertedList, convertedSet, encoderOf } from "../wire/converters.js";
import { distinctKeys, getter, mapSorter, sortedKeys, type Encode } from "./encode-rules.js";

const NONE: Converters = [];

/** Writes a column of the values, at least one. May move the buffer. */
type WriteColumn = (w: Writer, p: number, values: readonly unknown[], depth: number) => number;
/** Writes a columnar list of the first `count` elements of an array, or a columnar map of that many keys and values. */
export type WriteColumns = (w: Writer, p: number, count: number, depth: number, values: readonly unknown[], keys: readonly unknown[]) => number;

/**
 * Encodes lists and maps as columns (columns.md) without generating code. Each part of a value is read once: a
 * program's accessors may return another value the second time.
 */
export class EncodeColumnClosures {
  private readonly structs = new Map<StructNode, WriteColumn>();

  /** @param slot returns the encoder of a slot, which reserves its own bytes */
  constructor(
    private readonly slot: (node: SchemaNode) => Encode,
    private readonly weights: Weights,
    private readonly sortKeys: boolean,
  ) {}

  list(node: ListNode): WriteColumns {
    const elements = this.column(node.of, node.converters);
    const cells = this.weights.element(node);
    return (w, p, count, d, values) => withScratch(() => elements(w, counted(w, p, count, cells), firstOf(values, count), d));
  }

  /** The keys are converted already. */
  map(node: MapNode): WriteColumns {
    const keyColumn = this.column(node.key, NONE);
    const valueColumn = this.column(node.value, node.valueConverters);
    const cells = this.weights.element(node);
    return (w, p, count, d, values, keys) =>
      withScratch(() => valueColumn(w, keyColumn(w, counted(w, p, count, cells), firstOf(keys, count), d), firstOf(values, count), d));
  }

  /** A column that may be empty: it has no bytes then. */
  private column(node: SchemaNode, converters: Converters): WriteColumn {
    const write = this.filled(node);
    const encode = encoderOf(converters);
    if (encode === undefined) return (w, p, values, d) => (values.length === 0 ? p : write(w, p, values, d));
    return (w, p, values, d) => (values.length === 0 ? p : write(w, p, convertedList(encode, values, values.length), d));
  }

  private filled(node: SchemaNode): WriteColumn {
    switch (node.kind) {
      case "option": {
        const inner = this.column(node.of, node.converters);
        const cells = this.weights.present(node.of);
        return (w, p, values, d) => {
          p = flags(w, p, values, (value) => value !== null && value !== undefined);
          const present = values.filter((value) => value !== null && value !== undefined);
          w.charge(present.length * cells);
          return inner(w, p, present, d);
        };
      }
      case "enum":
        return this.enum(node);
      case "list":
        return this.lists(node);
      case "set":
        return this.sets(node);
      case "map":
        return this.maps(node);
      case "tuple":
        return this.tuple(node);
      case "struct":
        return node.recursive ? this.slots(node) : this.struct(node);
      case "union":
      case "ref":
        return this.slots(node);
      default:
        return this.scalars(node);
    }
  }

  private slots(node: SchemaNode): WriteColumn {
    const write = this.slot(node);
    return (w, p, values, d) => {
      for (const value of values) p = write(w, value, p, d);
      return p;
    };
  }

  private tuple({ of, converters }: TupleNode): WriteColumn {
    const parts = of.map((part, i) => this.column(part, converters[i]!));
    return (w, p, values, d) => {
      for (const value of values) if (!Array.isArray(value) || value.length !== parts.length) bailOut();
      parts.forEach((write, part) => {
        p = write(w, p, values.map((value) => (value as unknown[])[part]), d);
      });
      return p;
    };
  }

  private struct(node: StructNode): WriteColumn {
    const known = this.structs.get(node);
    if (known !== undefined) return known;
    const fields = node.fields.map((field) => ({ get: getter(field), write: this.column(field.node, NONE) }));
    const write: WriteColumn = (w, p, values, d) => {
      for (const value of values) if (typeof value !== "object" || value === null) bailOut();
      for (const { get, write: field } of fields) p = field(w, p, values.map((value) => get(value as object)), d);
      return p;
    };
    this.structs.set(node, write);
    return write;
  }

  private enum({ symbols }: EnumNode): WriteColumn {
    const indexes = new Map<unknown, number>(symbols.map((symbol, i) => [symbol, i]));
    return (w, p, values) => {
      const found = ints.take(values.length);
      values.forEach((value, i) => {
        found[i] = indexes.get(value) ?? bailOut();
      });
      return writeInts(w, p, "u32", found, values.length);
    };
  }

  private lists(node: ListNode): WriteColumn {
    const elements = this.column(node.of, node.converters);
    const { kind } = node.of;
    const cells = this.weights.element(node);
    const valid = node.typed && isNumeric(kind) ? (value: unknown) => isTyped(kind, value) : Array.isArray;
    return (w, p, values, d) => {
      const flat: unknown[] = [];
      p = counts(w, p, values.map((value) => {
        if (!valid(value)) bailOut();
        return claimed(w, flat, value as ArrayLike<unknown>, cells);
      }));
      return elements(w, p, flat, d);
    };
  }

  private sets(node: SetNode): WriteColumn {
    const elements = this.column(node.of, NONE);
    const cells = this.weights.element(node);
    const sorted = sortedKeys(node.of);
    const encode = encoderOf(node.converters);
    return (w, p, values, d) => {
      const flat: unknown[] = [];
      p = counts(w, p, values.map((value) => {
        if (!isSet(value)) bailOut();
        return claimed(w, flat, sorted(encode === undefined ? value : convertedSet(encode, value)), cells);
      }));
      return elements(w, p, flat, d);
    };
  }

  private maps(node: MapNode): WriteColumn {
    const keyColumn = this.column(node.key, NONE);
    const valueColumn = this.column(node.value, node.valueConverters);
    const distinct = distinctKeys(node.key);
    const cells = this.weights.element(node);
    const encode = encoderOf(node.keyConverters);
    const sort = this.sortKeys ? mapSorter(node.key) : undefined;
    return (w, p, values, d) => {
      const keys: unknown[] = [];
      const held: unknown[] = [];
      p = counts(w, p, values.map((given) => {
        if (!isMap(given)) bailOut();
        const converted = encode === undefined ? given : convertedKeys(encode, given);
        const value = sort === undefined ? converted : sort(converted);
        const count = claimed(w, keys, distinct(value), cells);
        return append(held, [...value.values()]) === count ? count : bailOut();
      }));
      return valueColumn(w, keyColumn(w, p, keys, d), held, d);
    };
  }

  private scalars(node: ScalarNode): WriteColumn {
    const { kind, native } = node;
    if (native === "date") {
      return (w, p, values) => {
        const milliseconds = doubles.take(values.length);
        values.forEach((value, i) => {
          const time = isDate(value) ? value.getTime() : bailOut();
          milliseconds[i] = time >= SECONDS_MIN * 1_000 && time < (SECONDS_MAX + 1) * 1_000 ? time : bailOut();
        });
        return writeMilliseconds(w, p, milliseconds, values.length);
      };
    }
    switch (kind) {
      case "bool":
        return (w, p, values) => flags(w, p, values, (value) => value === true || (value === false ? false : bailOut()));
      case "i8":
      case "i16":
      case "i32":
      case "u8":
      case "u16":
      case "u32": {
        const least = isSigned(kind) ? -(2 ** (BITS[kind] - 1)) : 0;
        const most = least + 2 ** BITS[kind] - 1;
        return (w, p, values) => writeInts(w, p, kind, wholeNumbers(ints.take(values.length), values, least, most), values.length);
      }
      case "date":
        return (w, p, values) => writeInts(w, p, "i32", wholeNumbers(ints.take(values.length), values, DATE_MIN, DATE_MAX), values.length);
      case "time":
        return (w, p, values) => writeExact(w, p, "u64", wholeNumbers(doubles.take(values.length), values, 0, TIME_MAX), values.length);
      case "i64":
      case "u64": {
        const fit = kind === "i64" ? (value: bigint) => BigInt.asIntN(64, value) : (value: bigint) => BigInt.asUintN(64, value);
        return (w, p, values) => {
          const numbers = longs.take(values.length);
          values.forEach((value, i) => {
            numbers[i] = typeof value === "bigint" && fit(value) === value ? value : bailOut();
          });
          return writeLongs(w, p, kind, numbers, values.length);
        };
      }
      case "timestamp":
      case "duration":
        return (w, p, values) => {
          for (const value of values) if (typeof value !== "bigint") bailOut();
          return writeTimes(w, p, values as readonly bigint[], kind === "timestamp", values.length);
        };
      case "f32":
      case "f64": {
        const write = kind === "f64" ? writeDoubles : writeSingles;
        return (w, p, values) => {
          const numbers = doubles.take(values.length);
          values.forEach((value, i) => {
            numbers[i] = typeof value === "number" && !(kind === "f32" && overflowsF32(value)) ? value : bailOut();
          });
          return write(w, p, numbers, values.length);
        };
      }
      case "string":
        return (w, p, values) => {
          for (const value of values) if (typeof value !== "string") bailOut();
          return writeTexts(w, p, values as readonly string[], values.length, node.dedupSlot);
        };
      case "bytes":
        return (w, p, values) => {
          const lengths = ints.take(values.length);
          values.forEach((value, i) => {
            lengths[i] = isBytes(value) ? value.length : bailOut();
          });
          return writeBytes(w, p, values as readonly Uint8Array[], lengths, values.length);
        };
      default:
        return this.slots(node);
    }
  }
}

/** The first elements of an array, read once each. */
function firstOf(values: readonly unknown[], count: number): unknown[] {
  const first = new Array<unknown>(count);
  for (let i = 0; i < count; i++) first[i] = values[i];
  return first;
}

/** Appends values; returns how many they are. */
function append(to: unknown[], values: ArrayLike<unknown>): number {
  const count = values.length;
  for (let i = 0; i < count; i++) to.push(values[i]);
  return count;
}

/** Appends the elements of a list or set, or the keys of a map, and charges them with it; returns how many they are. */
function claimed(w: Writer, to: unknown[], values: ArrayLike<unknown>, cells: number): number {
  w.claim(values.length, cells);
  return append(to, values);
}

function counted(w: Writer, p: number, count: number, cells: number): number {
  w.claim(count, cells);
  w.ensure(p, TOKEN_BYTES);
  return w.varint(p, count + MARK);
}

function counts(w: Writer, p: number, found: readonly number[]): number {
  const numbers = ints.take(found.length);
  numbers.set(found);
  return writeInts(w, p, "u32", numbers, found.length);
}

function flags(w: Writer, p: number, values: readonly unknown[], isSet: (value: unknown) => boolean): number {
  const bits = ints.take(values.length);
  values.forEach((value, i) => {
    bits[i] = isSet(value) ? 1 : 0;
  });
  return writeBits(w, p, bits, values.length);
}

function wholeNumbers<T extends Int32Array | Float64Array>(numbers: T, values: readonly unknown[], least: number, most: number): T {
  values.forEach((value, i) => {
    numbers[i] = Number.isInteger(value) && (value as number) >= least && (value as number) <= most ? (value as number) : bailOut();
  });
  return numbers;
}
