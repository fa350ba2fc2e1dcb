/**
 * The same values as protobuf: a proto file out of a pack type, and the way from values to what proto-loader takes and back.
 *
 * What protobuf has no type for is mapped to what comes nearest: a missing value inside a list or a list inside a list gets a message
 * around it; 8- and 16-bit integers are sint32 or uint32; a timestamp is a message of seconds and nanoseconds, as protobuf's own is,
 * a date its days, a time of day its nanoseconds; integers of any size and uuids are texts; the entries of a map are messages, as protobuf itself has them; and `any`
 * is the bytes of a pack message, for protobuf has nothing that tells 1 from 1.0. Names become identifiers, numbered for uniqueness.
 */
import * as pack from "samewire/pack";

/** One value on its way: `to` what proto-loader takes, `from` what it gives. */
interface Carried {
  /** As it stands in the proto file. */
  readonly type: string;
  readonly to: (value: unknown) => unknown;
  readonly from: (message: unknown) => unknown;
}

interface Slot extends Carried {
  readonly label: "" | "optional " | "repeated ";
}

/** What a message of protobuf is in JavaScript. */
export type Message = Record<string, unknown>;

/** A type as protobuf has it; `Root` is its message. */
export interface Protobuf {
  /** The proto file, with the service `Tour` that fetches a `Root`. */
  readonly file: string;
  readonly to: (value: unknown) => Message;
  readonly from: (message: Message) => unknown;
}

const same = (value: unknown): unknown => value;
const plain = (type: string): Carried => ({ type, to: same, from: same });
/** 64-bit integers come as texts, so that none loses its last digits. */
const wide = (type: string, from: (text: unknown) => unknown): Carried => ({ type, to: String, from });
const big = (text: unknown): bigint => BigInt(text as string);
const anything = pack.codec(pack.any);

const BILLION = 1_000_000_000n;
/** Nanoseconds as a bigint: 64 bits of them end in the year 2262. */
const moment: Carried = {
  type: "Moment",
  to: (value) => {
    const nanos = (((value as bigint) % BILLION) + BILLION) % BILLION;
    return { seconds: String(((value as bigint) - nanos) / BILLION), nanos: Number(nanos) };
  },
  from: (message) => big((message as Message)["seconds"]) * BILLION + BigInt((message as Message)["nanos"] as number),
};

const SCALARS: Partial<Record<string, Carried>> = {
  bool: plain("bool"),
  i8: plain("sint32"),
  i16: plain("sint32"),
  i32: plain("sint32"),
  i64: wide("sint64", big),
  u8: plain("uint32"),
  u16: plain("uint32"),
  u32: plain("uint32"),
  u64: wide("uint64", big),
  bigint: wide("string", big),
  f32: plain("float"),
  f64: plain("double"),
  string: plain("string"),
  bytes: plain("bytes"),
  uuid: plain("string"),
  date: plain("sint32"),
  time: wide("uint64", Number),
  timestamp: moment,
  duration: wide("sint64", big),
  any: {
    type: "bytes",
    to: (value) => anything.encode(value as pack.AnyValue),
    from: (bytes) => anything.decode(new Uint8Array(bytes as Uint8Array)),
  },
};

const ARRAYS = {
  i8: Int8Array, i16: Int16Array, i32: Int32Array, i64: BigInt64Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array,
  f32: Float32Array, f64: Float64Array,
} as const;

/** Builds a proto file, message by message. */
class File {
  readonly #parts: string[] = [];
  readonly #known = new Map<pack.Type["definition"], Carried>();

  get text(): string {
    return this.#parts.join("\n");
  }

  /** A type where a field of a message stands: it may be missing or repeated. */
  slot(type: pack.Type): Slot {
    const { definition } = type;
    switch (definition.kind) {
      case "recursive":
        return this.slot(definition.of());
      case "option": {
        const { type: name, to, from } = this.single(definition.of);
        return { label: "optional ", type: name, to: (value) => (value === null ? undefined : to(value)), from: (value) => (value == null ? null : from(value)) };
      }
      case "list": {
        const { type: name, to, from } = this.single(definition.of);
        const array = definition.typed ? ARRAYS[definition.of.definition.kind as keyof typeof ARRAYS] : null;
        const gather = (values: unknown[]): unknown => (array === null ? values : (array as { from(values: unknown[]): unknown }).from(values));
        return { label: "repeated ", type: name, to: (value) => Array.from(value as Iterable<unknown>, to), from: (value) => gather((value as unknown[]).map(from)) };
      }
      case "map": {
        const [key, value] = [this.slot(definition.key), this.slot(definition.value)];
        const name = this.#message("Entry", [["key", key], ["value", value]]);
        return {
          label: "repeated ",
          type: name,
          to: (map) => Array.from(map as Map<unknown, unknown>, ([k, v]) => ({ key: key.to(k), value: value.to(v) })),
          from: (entries) => new Map((entries as Message[]).map((entry) => [key.from(entry["key"]), value.from(entry["value"])])),
        };
      }
      default:
        return { label: "", ...this.single(type) };
    }
  }

  /** A type where exactly one value stands: lists and the like get a message around them. */
  single(type: pack.Type): Carried {
    const { definition } = type;
    switch (definition.kind) {
      case "recursive":
        return this.single(definition.of());
      case "option":
      case "list":
      case "map": {
        const slot = this.slot(type);
        const name = this.#message("Around", [["value", slot]]);
        return { type: name, to: (value) => ({ value: slot.to(value) }), from: (message) => slot.from((message as Message)["value"]) };
      }
      case "enum": {
        const { symbols } = definition;
        const name = this.#name(definition.name);
        this.#parts.push(`enum ${name} {\n${symbols.map((symbol, at) => `  ${identifier(name.toUpperCase(), at, symbol)} = ${at};\n`).join("")}}\n`);
        return { type: name, to: (symbol) => symbols.indexOf(symbol as string), from: (number) => symbols[number as number] };
      }
      case "struct":
        return this.#struct(definition);
      default: {
        const scalar = SCALARS[definition.kind];
        if (scalar === undefined) throw new Error(`no data set of the tour has a ${definition.kind}`);
        return scalar;
      }
    }
  }

  #struct(definition: Extract<pack.Type["definition"], { kind: "struct" }>): Carried {
    const known = this.#known.get(definition);
    if (known !== undefined) return known;
    let fields: readonly { readonly name: string; readonly key: string; readonly slot: Slot }[] = [];
    const type = this.#name(definition.name);
    const carried: Carried = {
      type,
      to: (value) => Object.fromEntries(fields.map(({ name, key, slot }) => [key, slot.to((value as Message)[name])])),
      from: (message) => Object.fromEntries(fields.map(({ name, key, slot }) => [name, slot.from((message as Message)[key])])),
    };
    // Known before its fields are: one of them may be of this type.
    this.#known.set(definition, carried);
    fields = definition.fields.map(({ name, type: of }, at) => ({ name, key: identifier("f", at, name), slot: this.slot(of) }));
    this.#write(type, fields.map(({ key, slot }) => [key, slot]));
    return carried;
  }

  #names = 0;

  #name(base: string): string {
    this.#names += 1;
    return identifier("T", this.#names, base);
  }

  #message(base: string, fields: readonly (readonly [string, Slot])[]): string {
    const name = this.#name(base);
    this.#write(name, fields);
    return name;
  }

  #write(name: string, fields: readonly (readonly [string, Slot])[]): void {
    this.#parts.push(`message ${name} {\n${fields.map(([key, { label, type }], at) => `  ${label}${type} ${key} = ${at + 1};\n`).join("")}}\n`);
  }
}

/** A name that protobuf takes: the number makes it the only one of its kind, what is ASCII of the text makes it readable. */
function identifier(prefix: string, number: number, text: string): string {
  return `${prefix}${number}_${text.replace(/[^A-Za-z0-9]+/g, "_")}`;
}

const SERVICE = `message Moment {
  int64 seconds = 1;
  int32 nanos = 2;
}

message Root {
  %;
}

message Ask {}

service Tour {
  rpc Fetch(Ask) returns (Root);
}
`;

/** A pack type as protobuf. @throws Error for kinds that no data set infers to: sets, tuples, unions, references, decimals */
export function protobuf(type: pack.Type): Protobuf {
  const file = new File();
  const root = file.slot(type);
  return {
    file: `syntax = "proto3";\npackage tour;\n\n${file.text}\n${SERVICE.replace("%", () => `${root.label}${root.type} value = 1`)}`,
    to: (value) => ({ value: root.to(value) }),
    from: (message) => root.from(message["value"]),
  };
}
