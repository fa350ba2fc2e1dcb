/** Wire types of the Protocol Buffers encoding. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes the few protobuf messages that gRPC itself defines: health, reflection, channelz, status details. */
export class ProtobufWriter {
  #parts: Uint8Array[] = [];

  #varint(value: number): Uint8Array {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    return Uint8Array.from(bytes);
  }

  /** A field of type int32, int64, enum or bool; 0 is left out, as proto3 does. */
  int(field: number, value: number | boolean): this {
    const number = Number(value);
    if (number !== 0) this.#parts.push(this.#varint(field * 8 + VARINT), this.#varint(number));
    return this;
  }

  /** A field of type double; 0 is left out, as proto3 does. */
  double(field: number, value: number): this {
    if (value === 0) return this;
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#parts.push(this.#varint(field * 8 + FIXED64), bytes);
    return this;
  }

  /** A numeric field whose 0 is written. */
  present(field: number): this {
    this.#parts.push(this.#varint(field * 8 + VARINT), this.#varint(0));
    return this;
  }

  /** A field of type bytes or an embedded message, written even when empty. */
  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(this.#varint(field * 8 + BYTES), this.#varint(value.length), value);
    return this;
  }

  /** A field of type string; the empty one is left out, as proto3 does. */
  string(field: number, value: string): this {
    return value === "" ? this : this.bytes(field, Buffer.from(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  /** A field that was read, as it came. */
  copy(field: ProtobufField): this {
    this.#parts.push(field.wire);
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/**
 * One field of a message: its number, and its value, a number for the numeric wire types (as a signed 64-bit integer
 * where it is a varint).
 */
export interface ProtobufField {
  readonly number: number;
  readonly value: number | Uint8Array;
  /** The whole field as it came, tag and all. */
  readonly wire: Uint8Array;
}

/** Thrown for bytes that are not a protobuf message. */
export class ProtobufError extends Error {
  constructor(text: string) {
    super(text);
    this.name = "ProtobufError";
  }
}

/** Reads a message field by field, in the order of the wire. Groups are refused. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new ProtobufError("the message ends within a number");
      this.#at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError("a number has more than ten bytes");
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new ProtobufError("the message ends within a field");
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }

  /** The next field, or null at the end. */
  next(): ProtobufField | null {
    if (this.#at === this.#bytes.length) return null;
    const start = this.#at;
    const tag = Number(this.#varint());
    const number = Math.floor(tag / 8);
    if (number === 0 || tag > 0xffff_ffff) throw new ProtobufError("a field number is out of range");
    const value = this.#value(tag % 8);
    return { number, value, wire: this.#bytes.subarray(start, this.#at) };
  }

  #value(type: number): number | Uint8Array {
    switch (type) {
      case VARINT:
        return Number(BigInt.asIntN(64, this.#varint()));
      case BYTES:
        return this.#take(Number(this.#varint()));
      case FIXED32:
        return this.#take(4);
      case FIXED64:
        return this.#take(8);
      default:
        throw new ProtobufError(`wire type ${type} is unsupported`);
    }
  }

  /** All fields. */
  *[Symbol.iterator](): Generator<ProtobufField> {
    for (let field = this.next(); field !== null; field = this.next()) yield field;
  }
}

/** The text of a string field. */
export function protobufString(field: ProtobufField): string {
  if (typeof field.value === "number") throw new ProtobufError(`field ${field.number} is not a string`);
  return utf8.decode(field.value);
}

/** The bytes of a field of type bytes or an embedded message. */
export function protobufBytes(field: ProtobufField): Uint8Array {
  if (typeof field.value === "number") throw new ProtobufError(`field ${field.number} has no bytes`);
  return field.value;
}

/** The number of a field of type double. */
export function protobufDouble({ number, value, wire }: ProtobufField): number {
  // The type stands in the low bits of the tag.
  if (typeof value === "number" || (wire[0]! & 7) !== FIXED64) throw new ProtobufError(`field ${number} is not a double`);
  return new DataView(value.buffer, value.byteOffset).getFloat64(0, true);
}

/** The number of a varint field. */
export function protobufNumber(field: ProtobufField): number {
  if (typeof field.value !== "number") throw new ProtobufError(`field ${field.number} is not a number`);
  return field.value;
}
