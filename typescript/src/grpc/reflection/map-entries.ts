import { ProtobufReader, ProtobufWriter, protobufBytes, protobufString } from "../protocol/protobuf.js";
import type { ProtobufField } from "../protocol/protobuf.js";

/** The name that protobuf requires for the entry type of a map field: `BookTitleEntry` for `book_title`. */
function entryName(fieldName: string): string {
  return `${fieldName.replace(/(?:^|_+)(.)/g, (_, letter: string) => letter.toUpperCase()).replaceAll("_", "")}Entry`;
}

function text(bytes: Uint8Array, number: number): string {
  for (const field of new ProtobufReader(bytes)) if (field.number === number) return protobufString(field);
  return "";
}

/** Whether a nested type is the entry type of a map: `options.map_entry`. */
function isMapEntry(message: Uint8Array): boolean {
  for (const field of new ProtobufReader(message)) {
    if (field.number !== 7) continue;
    for (const option of new ProtobufReader(protobufBytes(field))) if (option.number === 7 && option.value === 1) return true;
  }
  return false;
}

/** A message with one of its texts replaced. */
function withText(message: Uint8Array, number: number, value: string): ProtobufWriter {
  const out = new ProtobufWriter();
  for (const field of new ProtobufReader(message)) {
    if (field.number === number) out.string(number, value);
    else out.copy(field);
  }
  return out;
}

/**
 * Returns a file's descriptor with the names of map entries that protobuf requires. protobufjs, and so proto-loader,
 * names them after the field alone, which Go's descriptors, and so grpcurl, refuse.
 */
export function withMapEntryNames(file: Uint8Array): Uint8Array {
  const out = new ProtobufWriter();
  for (const field of new ProtobufReader(file)) {
    if (field.number === 4) out.message(4, renamed(protobufBytes(field)));
    else out.copy(field);
  }
  return out.finish();
}

function renamed(message: Uint8Array): ProtobufWriter {
  const fields = [...new ProtobufReader(message)];
  const names = entryNames(fields);
  const out = new ProtobufWriter();
  for (const field of fields) {
    if (field.number === 2) {
      const bytes = protobufBytes(field);
      const name = names.get(lastPart(text(bytes, 6)));
      if (name === undefined) out.copy(field);
      else out.message(2, withText(bytes, 6, name));
    } else if (field.number === 3) {
      const bytes = protobufBytes(field);
      const name = isMapEntry(bytes) ? names.get(text(bytes, 1)) : undefined;
      out.message(3, name === undefined ? renamed(bytes) : withText(bytes, 1, name));
    } else {
      out.copy(field);
    }
  }
  return out;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** New names of a message's entry types by the old ones, where they differ. */
function entryNames(fields: readonly ProtobufField[]): Map<string, string> {
  const names = new Map<string, string>();
  const entries = new Set(fields.filter(({ number }) => number === 3).map(protobufBytes).filter(isMapEntry).map((bytes) => text(bytes, 1)));
  for (const field of fields) {
    if (field.number !== 2) continue;
    const bytes = protobufBytes(field);
    const type = lastPart(text(bytes, 6));
    const name = entryName(text(bytes, 1));
    if (entries.has(type) && type !== name) names.set(type, name);
  }
  return names;
}
