import { ProtobufWriter } from "./protobuf.js";

/** Types of fields, as `google.protobuf.FieldDescriptorProto.Type` numbers them. */
const TYPES = { double: 1, int64: 3, uint64: 4, int32: 5, bool: 8, string: 9, message: 11, bytes: 12, enum: 14 } as const;

/** One field: `type` is the absolute name of a message or enum for those. */
export interface FieldDescriptor {
  readonly name: string;
  readonly number: number;
  readonly kind: keyof typeof TYPES;
  readonly type?: string;
  readonly repeated?: boolean;
  /** It belongs to the message's only `oneof`. */
  readonly choice?: boolean;
}

export interface EnumDescriptor {
  readonly name: string;
  /** From 0 upwards. */
  readonly values: readonly string[];
}

export interface MessageDescriptor {
  readonly name: string;
  readonly fields: readonly FieldDescriptor[];
  readonly nested?: readonly MessageDescriptor[];
  readonly enums?: readonly EnumDescriptor[];
  readonly choice?: string;
  /** It is the entry type of a map. */
  readonly mapEntry?: boolean;
}

export interface MethodDescriptor {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly clientStreaming?: boolean;
  readonly serverStreaming?: boolean;
}

/**
 * A proto3 file with one service or none, in terms of this module. Imports are left to reflection, which finds them by
 * the types.
 */
export interface FileDescriptor {
  readonly name: string;
  readonly package: string;
  readonly messages: readonly MessageDescriptor[];
  readonly service?: { readonly name: string; readonly methods: readonly MethodDescriptor[] };
}

/** The bytes of a `google.protobuf.FileDescriptorProto`. */
export function encodeFileDescriptor(file: FileDescriptor): Buffer {
  const out = new ProtobufWriter().string(1, file.name).string(2, file.package);
  for (const message of file.messages) out.message(4, encodeMessage(message));
  if (file.service !== undefined) out.message(6, encodeService(file.service));
  return out.string(12, "proto3").finish();
}

function encodeService({ name, methods }: NonNullable<FileDescriptor["service"]>): ProtobufWriter {
  const service = new ProtobufWriter().string(1, name);
  for (const method of methods) {
    service.message(
      2,
      new ProtobufWriter()
        .string(1, method.name)
        .string(2, method.input)
        .string(3, method.output)
        .int(5, method.clientStreaming ?? false)
        .int(6, method.serverStreaming ?? false),
    );
  }
  return service;
}

function encodeMessage(message: MessageDescriptor): ProtobufWriter {
  const out = new ProtobufWriter().string(1, message.name);
  for (const field of message.fields) out.message(2, encodeField(field));
  for (const nested of message.nested ?? []) out.message(3, encodeMessage(nested));
  for (const each of message.enums ?? []) out.message(4, encodeEnum(each));
  if (message.mapEntry === true) out.message(7, new ProtobufWriter().int(7, true));
  if (message.choice !== undefined) out.message(8, new ProtobufWriter().string(1, message.choice));
  return out;
}

function encodeField(field: FieldDescriptor): ProtobufWriter {
  const out = new ProtobufWriter()
    .string(1, field.name)
    .int(3, field.number)
    .int(4, field.repeated === true ? 3 : 1)
    .int(5, TYPES[field.kind])
    .string(6, field.type ?? "");
  // The only oneof has the index 0, which must be written: a field without index belongs to none.
  return field.choice === true ? out.present(9) : out;
}

function encodeEnum({ name, values }: EnumDescriptor): ProtobufWriter {
  const out = new ProtobufWriter().string(1, name);
  values.forEach((value, number) => out.message(2, number === 0 ? new ProtobufWriter().string(1, value).present(2) : new ProtobufWriter().string(1, value).int(2, number)));
  return out;
}
