import { isNumeric, isSigned } from "../schema/numeric.js";
import type { EnumPlan, ListPlan, MapPlan, OptionPlan, Place, ResolutionPlan, RefPlan, Resolution, ScalarPlan, SetPlan, StructPlan, TuplePlan, UnionPlan } from "../schema/resolution-plan.js";
import type { Converters } from "../schema/tree.js";
import { leastBytes, silentBytes } from "../wire/allocation-budget.js";
import { readAny } from "../wire/any-reader.js";
import { bailOut } from "../wire/bail-out.js";
import { isFlat, MARK } from "../wire/columns/form.js";
import { ColumnReaders, type ColumnParts, type MakeObjects, type ReadColumns } from "../wire/columns/reader.js";
import { MOST_ELEMENTS, MOST_KEYS, MOST_NUMBERS } from "../wire/engine.js";
import { hasFlag } from "../wire/flags.js";
import { asBigints, readBigints, readNumbers, readTyped, readWidened } from "../wire/numeric-row-reader.js";
import { put } from "../wire/property.js";
import type { Reader } from "../wire/reader.js";
import { asFloats, EXACT, isExact } from "../wire/widening.js";
import { decoderOf, madeKeys, madeSet, sharedDecoderOf } from "../wire/converters.js";

/** Reads the root value; `depth` counts the recursive structs and lists or maps inside `any` that are open. */
export type Decode = (r: Reader, depth: number) => unknown;
const NONE: Converters = [];

/** Receives an element and its index. */
type Take = (value: unknown, index: number) => void;

/**
 * Decodes a plan without generating code, by a closure for each type: for platforms whose content security policy
 * forbids code from strings. Returns the same values and errors as generated code, a few times slower.
 */
export class DecodeClosures implements ColumnParts {
  private readonly structs = new Map<StructPlan, Decode>();
  private readonly columns = new ColumnReaders(this);

  /** A row of different slots. */
  row(places: readonly Place[]): (r: Reader, d: number) => unknown[] {
    const slots = places.map(({ plan, converters }) => ({
      flag: hasFlag(plan), read: plan.kind === "bool" ? undefined : this.slot(plan), missing: missing(plan), decode: decoderOf(converters),
    }));
    const flags = slots.filter((slot) => slot.flag).length;
    const size = (flags + 7) >> 3;
    const silent = places.every(({ plan }) => silentBytes(plan) > 0);
    return (r, d) => {
      const start = r.p;
      this.checkFlags(r, flags);
      r.p = start + size;
      const values = new Array<unknown>(slots.length);
      let flag = 0;
      for (let i = 0; i < slots.length; i++) {
        const { flag: flagged, read, missing, decode } = slots[i]!;
        if (!flagged) {
          values[i] = read!(r, d);
        } else {
          const set = (r.b[start + (flag >> 3)]! & (1 << (flag & 7))) !== 0;
          flag++;
          values[i] = read === undefined ? set : set ? read(r, d) : missing();
        }
        if (decode !== undefined) values[i] = decode(r, values[i]);
      }
      if (silent && r.p > r.end) bailOut();
      return values;
    };
  }

  /** Bails out if flags are missing or unused ones are set. Does not move the position. */
  private checkFlags(r: Reader, count: number): void {
    if (count === 0) return;
    const last = r.b[r.p + ((count - 1) >> 3)];
    if (last === undefined || ((count & 7) !== 0 && last >> (count & 7) !== 0)) bailOut();
  }

  /** A row of slots of one type. */
  private each(plan: ResolutionPlan, converters: Converters): (r: Reader, d: number, count: number, take: Take) => void {
    const decode = decoderOf(converters);
    if (decode !== undefined) {
      const plain = this.each(plan, NONE);
      return (r, d, count, take) => { plain(r, d, count, (value, i) => { take(decode(r, value), i); }); };
    }
    if (isNumeric(plan.kind)) {
      const numbers = this.numbers(plan as ScalarPlan);
      return (r, _, count, take) => {
        const values = numbers(r, count);
        for (let i = 0; i < count; i++) take(values[i], i);
      };
    }
    const read = plan.kind === "bool" ? undefined : this.slot(plan);
    if (!hasFlag(plan)) {
      return (r, d, count, take) => {
        for (let i = 0; i < count; i++) take(read!(r, d), i);
      };
    }
    const silent = plan.kind === "option" && silentBytes(plan.of) > 0;
    return (r, d, count, take) => {
      const start = r.p;
      this.checkFlags(r, count);
      r.p = start + ((count + 7) >> 3);
      for (let i = 0; i < count; i++) {
        const set = (r.b[start + (i >> 3)]! & (1 << (i & 7))) !== 0;
        take(read === undefined ? set : set ? read(r, d) : null, i);
        if (silent && r.p > r.end) bailOut();
      }
    };
  }

  /** A struct or tuple that does not lie inline: it is charged when it is entered. */
  private entered(plan: StructPlan | TuplePlan): Decode {
    const read = this.slot(plan);
    // A recursive struct never lies inline: it charges itself.
    if (plan.kind === "struct" && plan.recursive) return read;
    const { cells } = plan;
    return (r, d) => {
      r.charge(cells);
      return read(r, d);
    };
  }

  slot(plan: ResolutionPlan): Decode {
    switch (plan.kind) {
      case "option":
        return this.present(plan);
      case "enum":
        return this.enum(plan);
      case "list":
        return this.list(plan);
      case "set":
        return this.set(plan);
      case "map":
        return this.map(plan);
      case "tuple":
        return this.row(plan.of.map((part, i) => ({ plan: part, converters: plan.converters[i]! })));
      case "struct":
        return this.struct(plan);
      case "union":
        return this.union(plan);
      case "ref":
        return this.ref(plan);
      default:
        return this.scalar(plan);
    }
  }

  /** The value inside an option. */
  private present({ of, converters }: OptionPlan): Decode {
    const read = of.kind === "struct" || of.kind === "tuple" ? this.entered(of) : this.slot(of);
    const decode = decoderOf(converters);
    return decode === undefined ? read : (r, d) => decode(r, read(r, d));
  }

  private scalar(plan: ScalarPlan): Decode {
    const { kind, as } = plan;
    if (as === "bigint") {
      const read = this.scalar({ kind, as: "plain" }) as (r: Reader, d: number) => number;
      return isSigned(kind) ? (r, d) => BigInt(read(r, d) | 0) : (r, d) => BigInt(read(r, d) >>> 0);
    }
    if (isExact(as)) {
      const read = this.scalar({ kind, as: "plain" }) as (r: Reader, d: number) => number | bigint;
      const convert = EXACT[as];
      return (r, d) => convert(read(r, d));
    }
    if (kind === "u8") return (r) => r.byte();
    if (kind === "any") return readAny;
    if (as === "date") return (r) => r.jsDate();
    return (r) => r[kind]();
  }

  private enum({ symbols }: EnumPlan): Decode {
    return (r) => symbols[r.count()] ?? bailOut();
  }

  private elements(most: number, cells: number, ...rows: ResolutionPlan[]): (r: Reader, count?: number) => number {
    return (r, count = r.u32()) => {
      return r.elements(count, rows.reduce((sum, plan) => sum + leastBytes(plan, count), 0), most, cells);
    };
  }

  private list(plan: ListPlan): Decode {
    const elements = this.elements(plan.typed === undefined ? MOST_ELEMENTS : MOST_NUMBERS, plan.cells, plan.of);
    const { typed } = plan;
    const { kind } = plan.of;
    if (isNumeric(kind) && plan.converters.length === 0) {
      if (typed !== undefined) {
        return kind === typed ? (r) => readTyped(r, kind, elements(r)) : (r) => readWidened(r, kind, elements(r), typed);
      }
      const numbers = this.numbers(plan.of as ScalarPlan);
      return (r) => numbers(r, elements(r));
    }
    const each = this.each(plan.of, plan.converters);
    const rows = (r: Reader, d: number, given?: number): unknown => {
      const count = elements(r, given);
      const list = new Array<unknown>(count);
      each(r, d, count, (value, i) => {
        list[i] = value;
      });
      return list;
    };
    return isFlat(plan.of) ? either(rows, () => this.columns.list(plan)) : rows;
  }

  private numbers({ kind, as }: ScalarPlan): (r: Reader, count: number) => unknown[] {
    if (isExact(as)) {
      const read = this.numbers({ kind, as: "plain" }) as (r: Reader, count: number) => (number | bigint)[];
      return (r, count) => asFloats(read(r, count), as);
    }
    if (kind === "i64" || kind === "u64") return (r, count) => readBigints(r, kind, count);
    const numeric = kind as Parameters<typeof readNumbers>[1];
    if (as === "bigint") return (r, count) => asBigints(readNumbers(r, numeric, count));
    return (r, count) => readNumbers(r, numeric, count);
  }

  private set(plan: SetPlan): Decode {
    const elements = this.elements(MOST_KEYS, plan.cells, plan.of);
    const each = this.each(plan.of, NONE);
    const decode = decoderOf(plan.converters);
    return (r, d) => {
      const count = elements(r);
      const set = new Set<unknown>();
      each(r, d, count, (value) => {
        set.add(value);
      });
      const keys = r.distinct(set, count);
      return decode === undefined ? keys : madeSet(r, decode, keys);
    };
  }

  private map(plan: MapPlan): Decode {
    const elements = this.elements(MOST_KEYS, plan.cells, plan.key, plan.value);
    const keys = this.each(plan.key, NONE);
    const decode = decoderOf(plan.keyConverters);
    const values = this.each(plan.value, plan.valueConverters);
    const rows = (r: Reader, d: number, given?: number): unknown => {
      const count = elements(r, given);
      const read = new Array<unknown>(count);
      keys(r, d, count, (key, i) => {
        read[i] = key;
      });
      const map = new Map<unknown, unknown>();
      values(r, d, count, (value, i) => {
        map.set(read[i], value);
      });
      const entries = r.distinct(map, count);
      return decode === undefined ? entries : madeKeys(r, decode, entries);
    };
    return isFlat(plan.value) ? either(rows, () => this.columns.map(plan)) : rows;
  }

  private struct(plan: StructPlan): Decode {
    const known = this.structs.get(plan);
    if (known !== undefined) return known;
    let read: Decode = bailOut;
    const { cells } = plan;
    const enter: Decode = (r, d) => {
      if (!plan.recursive) return read(r, d);
      if (d >= r.maxDepth) bailOut();
      r.charge(cells);
      return read(r, d + 1);
    };
    this.structs.set(plan, enter);
    read = this.object(plan);
    return enter;
  }

  private object(plan: StructPlan): Decode {
    const row = this.row(plan.slots);
    return (r, d) => {
      const values = row(r, d);
      return made(plan, (slot) => values[slot]);
    };
  }

  objects(plan: StructPlan): MakeObjects {
    return (columns, m) => Array.from({ length: m }, (_, i) => made(plan, (slot) => columns[slot]![i]));
  }

  private union(plan: UnionPlan): Decode {
    const members = plan.members.map((member) => (member.plan === undefined ? undefined : this.entered(member.plan)));
    return (r, d) => (members[r.count()] ?? bailOut)(r, d);
  }

  private ref(plan: RefPlan): Decode {
    const again = this.struct(plan.of);
    const read = this.entered(plan.of);
    const { name } = plan.of;
    const decode = sharedDecoderOf(plan.converters);
    const shared: Decode = (r, d) => {
      const number = r.u32();
      if (number > 0) return plan.role === "wanted" ? r.wanted(number, name, again, d) : r.referred(number, name);
      if (plan.role !== "skipped") return r.share(read(r, d), name);
      const begin = r.skipped();
      read(r, d);
      return r.share(begin, name);
    };
    return decode === undefined ? shared : (r, d) => decode(r, shared(r, d));
  }
}

/** Reads rows, or columns if the count says so; these are compiled when they first come. */
function either(rows: (r: Reader, d: number, count: number) => unknown, columns: () => ReadColumns): Decode {
  let read: ReadColumns | undefined;
  return (r, d) => {
    const count = r.u32();
    return count < MARK ? rows(r, d, count) : (read ??= columns())(r, d, count - MARK);
  };
}

/** Returns the value that an option reads for null. */
function missing(plan: ResolutionPlan): () => unknown {
  return (plan.kind === "option" ? plan.fallback : undefined) ?? (() => null);
}

/** An object of a struct with the values of its slots. */
function made({ fields, prototype = Object.prototype, discriminator, name }: StructPlan, value: (slot: number) => unknown): unknown {
  const object = (prototype === Object.prototype ? {} : Object.create(prototype)) as Record<string, unknown>;
  if (discriminator !== undefined) put(object, discriminator, name);
  for (const { name: field, slot, fallback } of fields) put(object, field, slot === undefined ? fallback() : value(slot));
  return object;
}

/** The decoder of a plan as closures. */
export function closeDecode(resolution: Resolution): Decode {
  const row = new DecodeClosures().row([resolution]);
  return (r, d) => row(r, d)[0];
}
