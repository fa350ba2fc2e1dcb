import type { PackageDefinition, ProtobufTypeDefinition, ServiceDefinition } from "../protocol/method.js";
import { makeClientConstructor } from "./make-client.js";
import type { ServiceClientConstructor } from "./make-client.js";

/** Packages as nested objects; at the leaves constructors of clients, and message types. */
export interface GrpcObject {
  [name: string]: GrpcObject | ServiceClientConstructor | ProtobufTypeDefinition;
}

/** Names that would reach an object's prototype. */
const RESERVED: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

function isType(definition: ServiceDefinition | ProtobufTypeDefinition): definition is ProtobufTypeDefinition {
  return "format" in definition;
}

/** Returns a package definition of `@grpc/proto-loader` as nested objects, by the packages in its names. */
export function loadPackageDefinition(packageDefinition: PackageDefinition): GrpcObject {
  const root: GrpcObject = {};
  for (const [fullName, definition] of Object.entries(packageDefinition)) {
    const parts = fullName.split(".");
    if (parts.some((part) => RESERVED.has(part))) continue;
    const name = parts.pop()!;
    let inner = root;
    for (const part of parts) inner = (inner[part] ??= {}) as GrpcObject;
    inner[name] = isType(definition) ? definition : makeClientConstructor(definition, name);
  }
  return root;
}
