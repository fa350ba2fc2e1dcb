import { ProtobufReader, ProtobufWriter, protobufBytes, protobufNumber, protobufString } from "../protocol/protobuf.js";

/** The parts of a proto file that reflection uses. */
export interface DescriptorFile {
  readonly name: string;
  /** The files that it imports. */
  readonly dependencies: readonly string[];
  /** Full names of everything it declares, services among them. */
  readonly symbols: readonly string[];
  readonly services: readonly string[];
  readonly extensions: readonly { readonly type: string; readonly number: number }[];
  /** Names of the types that it uses, with the scope in which a relative name is looked up. */
  readonly references: readonly { readonly scope: string; readonly name: string }[];
  readonly bytes: Uint8Array;
}

/** Collects while the descriptor is read. */
interface Findings {
  symbols: string[];
  services: string[];
  extensions: { type: string; number: number }[];
  references: { scope: string; name: string }[];
}

function join(scope: string, name: string): string {
  return scope === "" ? name : `${scope}.${name}`;
}

function nameOf(bytes: Uint8Array): string {
  for (const field of new ProtobufReader(bytes)) if (field.number === 1) return protobufString(field);
  return "";
}

/** Reads a `google.protobuf.FileDescriptorProto`. @throws ProtobufError for other bytes */
export function readDescriptorFile(bytes: Uint8Array): DescriptorFile {
  let name = "";
  let scope = "";
  const dependencies: string[] = [];
  const found: Findings = { symbols: [], services: [], extensions: [], references: [] };
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) name = protobufString(field);
    else if (field.number === 2) scope = protobufString(field);
    else if (field.number === 3) dependencies.push(protobufString(field));
  }
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 4) readMessage(protobufBytes(field), scope, found);
    else if (field.number === 5) readEnum(protobufBytes(field), scope, found);
    else if (field.number === 6) readService(protobufBytes(field), scope, found);
    else if (field.number === 7) readField(protobufBytes(field), scope, found);
  }
  return { name, dependencies, bytes, ...found };
}

function readMessage(bytes: Uint8Array, outer: string, found: Findings): void {
  const scope = join(outer, nameOf(bytes));
  found.symbols.push(scope);
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 2 || field.number === 6) readField(protobufBytes(field), scope, found);
    else if (field.number === 3) readMessage(protobufBytes(field), scope, found);
    else if (field.number === 4) readEnum(protobufBytes(field), scope, found);
    else if (field.number === 8) found.symbols.push(join(scope, nameOf(protobufBytes(field))));
  }
}

function readField(bytes: Uint8Array, scope: string, found: Findings): void {
  let number = 0;
  let extendee = "";
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) found.symbols.push(join(scope, protobufString(field)));
    else if (field.number === 2) extendee = protobufString(field);
    else if (field.number === 3) number = protobufNumber(field);
    else if (field.number === 6) found.references.push({ scope, name: protobufString(field) });
  }
  if (extendee === "") return;
  found.references.push({ scope, name: extendee });
  found.extensions.push({ type: extendee.replace(/^\./, ""), number });
}

/** The values of an enum are its siblings, not its children. */
function readEnum(bytes: Uint8Array, scope: string, found: Findings): void {
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) found.symbols.push(join(scope, protobufString(field)));
    else if (field.number === 2) found.symbols.push(join(scope, nameOf(protobufBytes(field))));
  }
}

function readService(bytes: Uint8Array, outer: string, found: Findings): void {
  const scope = join(outer, nameOf(bytes));
  found.symbols.push(scope);
  found.services.push(scope);
  for (const field of new ProtobufReader(bytes)) {
    if (field.number !== 2) continue;
    const method = protobufBytes(field);
    found.symbols.push(join(scope, nameOf(method)));
    for (const part of new ProtobufReader(method)) {
      if (part.number === 2 || part.number === 3) found.references.push({ scope, name: protobufString(part) });
    }
  }
}

/** Returns the file's bytes with more imports, at the end: repeated fields may stand anywhere. */
export function withDependencies(file: DescriptorFile, more: readonly string[]): Uint8Array {
  if (more.length === 0) return file.bytes;
  const out = new ProtobufWriter();
  for (const name of more) out.string(3, name);
  return Buffer.concat([file.bytes, out.finish()]);
}
