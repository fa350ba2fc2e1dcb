import { isMap, isSet } from "../../core/realm.js";
import type { Limits } from "../../core/limits.js";
import { OBJECT_CELLS, type Weights } from "../schema/cells.js";
import { BITS, isNumeric } from "../schema/numeric.js";
import { parts } from "../schema/tree.js";
import type { Converters, EnumNode, ListNode, MapNode, OptionNode, RefNode, ScalarNode, SetNode, SchemaNode, SchemaTree, StructNode, UnionNode } from "../schema/tree.js";
import type { Numeric } from "../schema/type.js";
import { writeAny } from "../wire/any-writer.js";
import { bailOut } from "../wire/bail-out.js";
import { DEDUP_MISSES } from "../wire/dedup-table.js";
import { width } from "../wire/columns/form.js";
import { hasFlag } from "../wire/flags.js";
import { gather, gatherBigints, gatherNumbers, writeRow } from "../wire/numeric-row-writer.js";
import { isTyped } from "../wire/typed-arrays.js";
import { PIECE, TOKEN_BYTES, type Profile } from "../wire/writer.js";
import { convertedKeys, convertedList, convertedSet, encoderOf, sharedEncoderOf } from "../wire/converters.js";
import type { WriteColumns } from "./encode-column-closures.js";
import { EncodeColumnSource, MOST_COLUMNS } from "./encode-column-source.js";
import { EncodeClosures } from "./encode-closures.js";
import { distinctKeys, fixedBytes, isEverywhere, mapSorter, own, sortedKeys, type Encode } from "./encode-rules.js";
import { literal, Source } from "./source.js";

const NONE: Converters = [];
/** Enums of up to this many symbols use a `switch`, larger ones a `Map`. */
const SWITCH_SYMBOLS = 16;

/**
 * Generates the code that encodes one type: straight-line code over local variables `b` (the buffer), `p` (the
 * position) and `t` (the text so far). Bytes are reserved once for a run of slots of bounded size. A value that does
 * not fit its type bails out.
 *
 * The function of a struct returns the text and stores the position in the writer. The other way round takes an eighth
 * longer for a tree: storing a new string in an old object takes a write barrier, storing a number does not.
 */
class EncodeSource {
  private readonly functions = new Map<StructNode, string>();
  private readonly uses = new Map<StructNode, number>();
  private readonly bailOut: string;
  /** Bytes that are still reserved at this point of the code. */
  private room = 0;

  private readonly closures: EncodeClosures;

  /**
   * @param countsItems whether items are counted besides cells
   * @param code where the code is put
   */
  constructor(
    private readonly profile: Profile,
    private readonly weights: Weights,
    private readonly countsItems: boolean,
    private readonly sortKeys: boolean,
    private readonly code = new Source(),
  ) {
    this.bailOut = code.constant(bailOut);
    this.closures = new EncodeClosures(profile, weights, sortKeys);
  }

  compile({ root, converters }: SchemaTree): Encode {
    this.count(root);
    this.line("function root(w, value, p, d) { let t = w.t;");
    this.body(() => { this.row([root], [converters.length === 0 ? "value" : this.let(this.converted(converters, "value"))]); });
    this.line("w.t = t; return p; }");
    return this.code.compile("root") as Encode;
  }

  /** Returns the name of a function that writes a column of slots (columns.md section 2): `(w, values, p, d, m)`. */
  slots(node: SchemaNode): string {
    const name = this.code.name("s");
    this.count(node);
    this.code.defer(() => {
      this.line(`function ${name}(w, values, p, d, m) { let t = w.t;`);
      this.body(() => {
        this.line("for (let i = 0; i < m; i++) {");
        this.row([node], [this.let("values[i]")]);
        this.line("}");
      });
      this.line("w.t = t; return p; }");
    });
    return name;
  }

  private count(node: SchemaNode): void {
    if (node.kind === "struct") {
      const uses = this.uses.get(node) ?? 0;
      this.uses.set(node, uses + 1);
      if (uses > 0) return;
    }
    for (const part of parts(node)) this.count(part);
  }

  private line(text: string): void {
    this.code.line(text);
  }

  private let(value: string): string {
    const name = this.code.name("v");
    this.line(`let ${name} = ${value};`);
    return name;
  }

  /** The expression of the converted value. */
  private converted(converters: Converters, value: string): string {
    const encode = encoderOf(converters);
    return encode === undefined ? value : `${this.code.constant(encode)}(${value})`;
  }

  /** The body of a function. */
  private body(write: () => void): void {
    this.line("const max = w.max, misses = w.misses; let b = w.b;");
    this.room = 0;
    write();
  }

  private refuse(condition: string): void {
    this.line(`if (${condition}) ${this.bailOut}();`);
  }

  /** Reserves `size` bytes. */
  private ensure(size: number | string): void {
    this.line(`if (p + ${size} > b.length) { w.t = t; w.ensure(p, ${size}); b = w.b; }`);
  }

  /** A call that returns the new position and may move the buffer. */
  private moving(call: string): void {
    this.line(`p = ${call}; b = w.b;`);
    this.room = 0;
  }

  /** A call that may move the buffer and that reads and writes text. */
  private texting(call: string): void {
    this.line("w.t = t;");
    this.moving(call);
    this.line("t = w.t;");
  }

  private objectCheck(value: string): void {
    this.refuse(`typeof ${value} !== "object" || ${value} === null`);
  }

  /** A row of different slots. */
  private row(nodes: readonly SchemaNode[], values: readonly string[]): void {
    const flagged = nodes.flatMap((node, i) => (hasFlag(node) ? [{ node, value: values[i]! }] : []));
    const flagBytes = (flagged.length + 7) >> 3;
    if (flagBytes > 0) {
      this.reserve(nodes, 0, flagBytes);
      for (let i = 0; i < flagged.length; i += 8) {
        const bits = flagged.slice(i, i + 8).map(({ node, value }, bit) => `(${this.flag(node, value)} ? ${1 << bit} : 0)`);
        this.line(`b[p++] = ${bits.join(" | ")};`);
      }
    }
    nodes.forEach((node, i) => {
      if (node.kind === "bool") return;
      const size = fixedBytes(node);
      if (size === undefined) this.room = 0;
      else if (this.room < size) this.reserve(nodes, i, 0);
      if (size !== undefined) this.room -= size;
      if (node.kind === "option") this.optional(node, values[i]!);
      else this.slot(node, values[i]!);
    });
  }

  /** Reserves `extra` bytes and those of the run of slots of bounded size that begins at `from`. */
  private reserve(nodes: readonly SchemaNode[], from: number, extra: number): void {
    let size = extra;
    for (let i = from; i < nodes.length; i++) {
      const bytes = fixedBytes(nodes[i]!);
      if (bytes === undefined) break;
      size += bytes;
    }
    this.ensure(size);
    this.room = size - extra;
  }

  private flag(node: SchemaNode, value: string): string {
    if (node.kind === "option") return `${value} !== null && ${value} !== undefined`;
    return `${value} === true || (${value} !== false && ${this.bailOut}())`;
  }

  private optional(node: OptionNode, value: string): void {
    this.line(`if (${value} !== null && ${value} !== undefined) {`);
    const { room } = this;
    this.present(node, value);
    this.line("}");
    this.room = Math.min(room, this.room);
  }

  /** The value inside an option, or one that has no option. */
  private present(node: SchemaNode, value: string): void {
    if (node.kind !== "option") this.slot(node, value);
    else this.entered(node.of, node.converters.length === 0 ? value : this.let(this.converted(node.converters, value)));
  }

  /** A value that may not lie inline: a struct or tuple is charged when it is entered. */
  private entered(node: SchemaNode, value: string): void {
    const cells = this.weights.present(node);
    if (cells > 0) this.refuse(`(w.cells -= ${cells}) < 0`);
    this.slot(node, value);
  }

  /** One slot. If it is bounded, its bytes are reserved. */
  private slot(node: SchemaNode, value: string): void {
    switch (node.kind) {
      case "option":
        this.optional(node, value);
        break;
      case "enum":
        this.enum(node, value);
        break;
      case "list":
        this.list(node, value);
        break;
      case "set":
        this.set(node, value);
        break;
      case "map":
        this.map(node, value);
        break;
      case "tuple":
        this.refuse(`!Array.isArray(${value}) || ${value}.length !== ${node.of.length}`);
        this.row(node.of, node.of.map((_, i) => this.let(this.converted(node.converters[i]!, `${value}[${i}]`))));
        break;
      case "struct":
        this.struct(node, value);
        break;
      case "union":
        this.union(node, value);
        break;
      case "ref":
        this.ref(node, value);
        break;
      default:
        this.scalar(node, value);
    }
  }

  private scalar(node: ScalarNode, value: string): void {
    const { kind } = node;
    switch (kind) {
      case "u8":
        this.refuse(`(${value} & 255) !== ${value}`);
        this.line(`b[p++] = ${value};`);
        break;
      case "i8":
        this.refuse(`(${value} << 24) >> 24 !== ${value}`);
        this.line(`b[p++] = ${value};`);
        break;
      case "u16":
      case "u32":
        this.refuse(kind === "u16" ? `(${value} & 65535) !== ${value}` : `${value} >>> 0 !== ${value}`);
        this.varint(value);
        break;
      case "i16":
      case "i32":
        this.refuse(kind === "i16" ? `(${value} << 16) >> 16 !== ${value}` : `(${value} | 0) !== ${value}`);
        this.varint(this.let(`((${value} << 1) ^ (${value} >> 31)) >>> 0`));
        break;
      case "string":
        this.string(value, node.dedupSlot);
        break;
      case "any":
        this.texting(`${this.code.constant(writeAny)}(w, p, ${value}, ${node.dedupSlot}, d)`);
        break;
      case "bytes":
      case "bigint":
      case "decimal":
        this.moving(`w.${kind}(p, ${value})`);
        break;
      default:
        this.line(`p = w.${node.native === "date" ? "jsDate" : kind}(p, ${value});`);
    }
  }

  /** A varint of up to 32 bits: one and two bytes inline. */
  private varint(value: string): void {
    this.line(`if (${value} < 128) b[p++] = ${value};`);
    this.line(`else if (${value} < 16384) { b[p++] = ${value} & 127 | 128; b[p++] = ${value} >> 7; }`);
    this.line(`else p = w.varint(p, ${value});`);
  }

  /** A text: of up to 95 characters, assumed to be Latin-1, inline. */
  private string(value: string, dedupSlot: number): void {
    this.refuse(`typeof ${value} !== "string"`);
    const length = this.let(`${value}.length`);
    if (this.profile === "fast") {
      this.line(`if (${length} < max[${dedupSlot}]) { b[p++] = ${length}; t += ${value}; if (t.length > ${PIECE}) t = w.moveText(t); }`);
    } else {
      const number = this.code.name("v");
      this.line(`if (${length} < max[${dedupSlot}]) { let ${number} = -1;`);
      this.line(`if (${length} > 1) { if (misses[${dedupSlot}] < ${DEDUP_MISSES}) ${number} = w.find(${value}, ${length}, ${dedupSlot}); else w.number++; }`);
      this.line(`if (${number} < 0) { b[p++] = ${length}; t += ${value}; if (t.length > ${PIECE}) t = w.moveText(t); }`);
      this.line(`else if (${number} < 96) b[p++] = ${number} + 128; else p = w.reference(p, ${number}); }`);
    }
    const end = this.code.name("v");
    this.line(`else { const ${end} = max[${dedupSlot}] === 0 ? w.checked(p, ${value}, ${length}, ${dedupSlot}) : -1;`);
    this.line(`if (${end} >= 0) p = ${end}; else { p = w.latinToken(p, ${length}); t += ${value}; if (t.length > ${PIECE}) t = w.moveText(t); } }`);
  }

  private enum(node: EnumNode, value: string): void {
    const index = this.let("0");
    if (node.symbols.length <= SWITCH_SYMBOLS) {
      const cases = node.symbols.map((symbol, i) => `case ${literal(symbol)}: ${index} = ${i}; break;`);
      this.line(`switch (${value}) { ${cases.join(" ")} default: ${this.bailOut}(); }`);
    } else {
      const indices = this.code.constant(new Map(node.symbols.map((symbol, i) => [symbol, i])));
      this.line(`${index} = ${indices}.get(${value}); if (${index} === undefined) ${this.bailOut}();`);
    }
    this.varint(index);
  }

  private list(node: ListNode, value: string): void {
    const { kind } = node.of;
    if (node.typed && isNumeric(kind)) {
      this.refuse(`!${this.code.constant(isTyped)}(${literal(kind)}, ${value})`);
      this.rowOf(kind, value, this.counted(node, `${value}.length`));
      return;
    }
    this.refuse(`!Array.isArray(${value})`);
    const length = this.let(`${value}.length`);
    this.either(node, length, value, "[]", () => {
      this.each(node.of, node.converters, value, this.counted(node, length));
    });
  }

  /** A list, or the keys and values of a map, as rows, or as columns if it is long. */
  private either(node: ListNode | MapNode, count: string, values: string, keys: string, rows: () => void): void {
    const columns = this.columns(node);
    if (columns === undefined) {
      rows();
      return;
    }
    this.line(`if (${count} >= ${columns.least}) {`);
    this.texting(`${this.code.constant(columns.write)}(w, p, ${count}, d, ${values}, ${keys})`);
    this.line("} else {");
    rows();
    this.line("}");
    this.room = 0;
  }

  /** Writes the count of a list, set or map and charges it; returns the variable that holds it. */
  private counted(node: ListNode | SetNode | MapNode, value: string): string {
    const count = this.let(value);
    const cells = this.weights.element(node);
    const items = this.countsItems ? `(w.items -= ${count}) < 0 || ` : "";
    this.refuse(`${items}(w.cells -= ${OBJECT_CELLS} + ${cells === 1 ? count : `${count} * ${cells}`}) < 0`);
    this.ensure(TOKEN_BYTES);
    this.varint(count);
    this.room = 0;
    return count;
  }

  private rowOf(kind: Numeric, row: string, count: string): void {
    this.moving(`${this.code.constant(writeRow)}(w, p, ${literal(kind)}, ${row}, ${count})`);
  }

  /**
   * A numeric row from an array. The loop is inline, so that the engine specializes it for the elements of this list.
   */
  private numbers(kind: Numeric, array: string, count: string): void {
    if (kind === "i64" || kind === "u64") {
      this.rowOf(kind, `${this.code.constant(gatherBigints)}(w, ${literal(kind)}, ${array}, ${count})`, count);
      return;
    }
    if (BITS[kind] === 32 && kind !== "f32") {
      const row = this.let(`${this.code.constant(gather)}(w, ${literal(kind)}, ${count})`);
      const i = this.code.name("i");
      const fits = kind === "i32" ? `(x | 0) !== x` : `x >>> 0 !== x`;
      this.line(`for (let ${i} = 0; ${i} < ${count}; ${i}++) { const x = ${array}[${i}]; if (${fits}) ${this.bailOut}(); ${row}[${i}] = x; }`);
      this.rowOf(kind, row, count);
      return;
    }
    if (kind === "f64") {
      const row = this.let(`${this.code.constant(gather)}(w, "f64", ${count})`);
      const i = this.code.name("i");
      this.line(`for (let ${i} = 0; ${i} < ${count}; ${i}++) { const x = ${array}[${i}]; if (typeof x !== "number") ${this.bailOut}(); ${row}[${i}] = x; }`);
      this.rowOf(kind, row, count);
      return;
    }
    this.rowOf(kind, `${this.code.constant(gatherNumbers)}(w, ${literal(kind)}, ${array}, ${count})`, count);
  }

  /** A row of slots of one type, from an array. */
  private each(node: SchemaNode, converters: Converters, array: string, count: string): void {
    const { kind } = node;
    if (isNumeric(kind)) {
      const encode = encoderOf(converters);
      const numbers = encode === undefined ? array : this.let(`${this.code.constant(convertedList)}(${this.code.constant(encode)}, ${array}, ${count})`);
      this.numbers(kind, numbers, count);
      return;
    }
    const i = this.code.name("i");
    const bits = this.code.name("f");
    const flags = this.code.name("f");
    if (hasFlag(node)) {
      this.line(`if (p + ((${count} + 7) >>> 3) > b.length) { w.t = t; w.ensureAll(p, (${count} + 7) >>> 3); b = w.b; }`);
      this.line(`const ${flags} = p; p += (${count} + 7) >>> 3; let ${bits} = 0;`);
    }
    this.line(`for (let ${i} = 0; ${i} < ${count}; ${i}++) {`);
    this.room = 0;
    if (hasFlag(node)) this.line(`if ((${i} & 7) === 0) ${bits} = 0;`);
    // Read once: an accessor may return another value the next time.
    const value = this.let(this.converted(converters, `${array}[${i}]`));
    const size = kind === "bool" ? 0 : (fixedBytes(node) ?? 0);
    if (size > 0) this.ensure(size);
    this.room = size;
    if (hasFlag(node)) this.line(`if (${this.flag(node, value)}) { ${bits} |= 1 << (${i} & 7);`);
    if (kind !== "bool") this.present(node, value);
    if (hasFlag(node)) this.line(`} b[${flags} + (${i} >> 3)] = ${bits};`);
    this.line("}");
    // An accessor of one element removed another, which was written as null.
    if (kind === "option") this.refuse(`${array}.length < ${count}`);
    this.room = 0;
  }

  /** As {@link EncodeClosures.columns}, generated unless there are too many columns. */
  private columns(node: ListNode | MapNode): ReturnType<EncodeClosures["columns"]> {
    const closed = this.closures.columns(node);
    if (closed === undefined || width(node) > MOST_COLUMNS) return closed;
    let made: WriteColumns | undefined;
    const make = (): WriteColumns => {
      const code = new Source();
      const slots = new EncodeSource(this.profile, this.weights, this.countsItems, this.sortKeys, code);
      const source = new EncodeColumnSource(code, (slot) => slots.slots(slot), this.weights, this.sortKeys);
      return node.kind === "list" ? source.list(node) : source.map(node);
    };
    return { least: closed.least, write: (w, p, count, d, values, keys) => (made ??= make())(w, p, count, d, values, keys) };
  }

  private set(node: SetNode, value: string): void {
    this.refuse(`!${this.code.constant(isSet)}(${value})`);
    const encode = encoderOf(node.converters);
    const set = encode === undefined ? value : `${this.code.constant(convertedSet)}(${this.code.constant(encode)}, ${value})`;
    const sorted = this.let(`${this.code.constant(sortedKeys(node.of))}(${set})`);
    this.each(node.of, NONE, sorted, this.counted(node, `${sorted}.length`));
  }

  private map(node: MapNode, given: string): void {
    this.refuse(`!${this.code.constant(isMap)}(${given})`);
    const encode = encoderOf(node.keyConverters);
    const converted = encode === undefined ? given : this.let(`${this.code.constant(convertedKeys)}(${this.code.constant(encode)}, ${given})`);
    const value = this.sortKeys ? this.let(`${this.code.constant(mapSorter(node.key))}(${converted})`) : converted;
    const keys = this.let(`${this.code.constant(distinctKeys(node.key))}(${value})`);
    const values = this.let(`[...${value}.values()]`);
    const length = this.let(`${keys}.length`);
    this.refuse(`${values}.length !== ${length}`);
    this.either(node, length, values, keys, () => {
      const count = this.counted(node, length);
      this.each(node.key, NONE, keys, count);
      this.each(node.value, node.valueConverters, values, count);
    });
  }

  private struct(node: StructNode, value: string): void {
    if (!node.recursive && this.uses.get(node) === 1) {
      this.fields(node, value);
      return;
    }
    this.line(`t = ${this.structFunction(node)}(w, ${value}, p, d, t); p = w.p; b = w.b;`);
    this.room = 0;
  }

  private structFunction(node: StructNode): string {
    let name = this.functions.get(node);
    if (name === undefined) {
      name = this.code.name("f");
      this.functions.set(node, name);
      this.code.defer(() => {
        this.line(`function ${name!}(w, value, p, d, t) {`);
        this.body(() => {
          if (node.recursive) this.refuse(`++d > w.maxDepth || (w.cells -= ${this.weights.row(node)}) < 0`);
          this.fields(node, "value");
        });
        this.line("w.p = p; return t; }");
      });
    }
    return name;
  }

  private fields(node: StructNode, value: string): void {
    this.objectCheck(value);
    this.row(
      node.fields.map((field) => field.node),
      node.fields.map(({ name, converters }) =>
        this.let(this.converted(converters, isEverywhere(name) ? `${this.code.constant(own)}(${value}, ${literal(name)})` : `${value}[${literal(name)}]`)),
      ),
    );
  }

  private union(node: UnionNode, value: string): void {
    this.objectCheck(value);
    this.line(`switch (${value}[${literal(node.discriminator)}]) {`);
    node.members.forEach((member, i) => {
      this.line(`case ${literal(member.name)}: {`);
      this.ensure(TOKEN_BYTES);
      this.varint(this.let(String(i)));
      this.room = 0;
      this.entered(member, value);
      this.line("break; }");
    });
    this.line(`default: ${this.bailOut}(); }`);
    this.room = 0;
  }

  private ref(node: RefNode, given: string): void {
    const name = literal(node.of.name);
    const encode = sharedEncoderOf(node.converters);
    const value = encode === undefined ? given : this.let(`${this.code.constant(encode)}(w, ${given})`);
    this.objectCheck(value);
    const number = this.let(`w.referTo(${value}, ${name})`);
    this.ensure(TOKEN_BYTES);
    this.varint(number);
    this.line(`if (${number} === 0) {`);
    this.room = 0;
    this.entered(node.of, value);
    this.line(`w.share(${value}, ${name}); }`);
    this.room = 0;
  }
}

/**
 * Generates and compiles the encoder of a type, which the cells of the root have been charged for. Needs a platform that
 * allows code from strings.
 *
 * @param limits as of {@link generateDecode}: items are counted only if their limit is lower than that of cells
 */
export function generateEncode(tree: SchemaTree, profile: Profile, weights: Weights, limits: Limits, sortKeys: boolean): Encode {
  return new EncodeSource(profile, weights, limits.items < limits.cells, sortKeys).compile(tree);
}
