import type { FieldDescriptor, FileDescriptor, MessageDescriptor } from "./descriptor-writer.js";
import { ProtobufReader, ProtobufWriter, protobufBytes, protobufDouble, protobufNumber, protobufString, type ProtobufField } from "./protobuf.js";

/** A message in the form that proto-loader gives it with `keepCase, longs: String, enums: String, defaults, oneofs`. */
export type PlainMessage = Record<string, unknown>;

/** The messages of a proto file. */
export type MessageSet = Pick<FileDescriptor, "package" | "messages">;

/**
 * A codec for the rare messages of gRPC's own services. It walks the descriptors
 * for every message. Values of other types than the descriptor's are converted if they can be.
 */
export class MessageCodec {
  readonly #messages = new Map<string, MessageDescriptor>();
  readonly #enums = new Map<string, readonly string[]>();

  constructor(...files: MessageSet[]) {
    for (const file of files) for (const message of file.messages) this.#add(`.${file.package}`, message);
  }

  #add(scope: string, message: MessageDescriptor): void {
    const name = `${scope}.${message.name}`;
    this.#messages.set(name, message);
    for (const each of message.enums ?? []) this.#enums.set(`${name}.${each.name}`, each.values);
    for (const nested of message.nested ?? []) this.#add(name, nested);
  }

  #descriptor(type: string): MessageDescriptor {
    const descriptor = this.#messages.get(type);
    if (descriptor === undefined) throw new Error(`there is no message ${type}`);
    return descriptor;
  }

  /** @throws Error for a type that the files do not have */
  encode(type: string, value: PlainMessage): Buffer {
    const out = new ProtobufWriter();
    for (const field of this.#descriptor(type).fields) {
      const given = value[field.name];
      if (given === undefined || given === null) continue;
      for (const each of field.repeated === true ? (given as unknown[]) : [given]) this.#write(out, field, each);
    }
    return out.finish();
  }

  #write(out: ProtobufWriter, field: FieldDescriptor, value: unknown): void {
    const { number, kind } = field;
    switch (kind) {
      case "message":
        out.bytes(number, this.encode(field.type!, value as PlainMessage));
        break;
      case "string":
        out.string(number, String(value));
        break;
      case "bytes":
        out.bytes(number, value as Uint8Array);
        break;
      case "enum":
        out.int(number, typeof value === "number" ? value : Math.max(this.#enums.get(field.type!)!.indexOf(String(value)), 0));
        break;
      case "double":
        out.double(number, Number(value));
        break;
      default:
        out.int(number, Number(value));
    }
  }

  /** @throws ProtobufError for bytes that are not a message; Error for a type that the files do not have */
  decode(type: string, bytes: Uint8Array): PlainMessage {
    const descriptor = this.#descriptor(type);
    const message: PlainMessage = {};
    const fields = new Map<number, FieldDescriptor>();
    for (const field of descriptor.fields) {
      fields.set(field.number, field);
      if (field.choice !== true) message[field.name] = field.repeated === true ? [] : this.#absent(field);
    }
    for (const read of new ProtobufReader(bytes)) {
      const field = fields.get(read.number);
      if (field === undefined) continue;
      const value = this.#read(field, read);
      if (field.repeated === true) (message[field.name] as unknown[]).push(value);
      else message[field.name] = value;
      if (field.choice === true && descriptor.choice !== undefined) message[descriptor.choice] = field.name;
    }
    return message;
  }

  #read(field: FieldDescriptor, read: ProtobufField): unknown {
    switch (field.kind) {
      case "message":
        return this.decode(field.type!, protobufBytes(read));
      case "string":
        return protobufString(read);
      case "bytes":
        return Buffer.from(protobufBytes(read));
      case "enum":
        return this.#enums.get(field.type!)![protobufNumber(read)] ?? protobufNumber(read);
      case "double":
        return protobufDouble(read);
      case "int64":
      case "uint64":
        return String(protobufNumber(read));
      case "bool":
        return protobufNumber(read) !== 0;
      default:
        return protobufNumber(read);
    }
  }

  #absent(field: FieldDescriptor): unknown {
    switch (field.kind) {
      case "message":
        return null;
      case "string":
        return "";
      case "bytes":
        return Buffer.alloc(0);
      case "enum":
        return this.#enums.get(field.type!)![0];
      case "int64":
      case "uint64":
        return "0";
      case "bool":
        return false;
      default:
        return 0;
    }
  }
}
