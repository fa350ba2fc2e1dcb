import { buffer, method, type AnyMethod, type TypedMethod } from "./definition.js";

/* Message types and schemas are the caller's: protobuf-es is not a dependency of this package. */
/* eslint-disable @typescript-eslint/no-explicit-any */

/** A service descriptor of protobuf-es 2 (`DescService`), as far as it is needed here. */
export interface ServiceDescriptor {
  readonly typeName: string;
  readonly methods: readonly {
    readonly name: string;
    readonly localName: string;
    readonly methodKind: "unary" | "server_streaming" | "client_streaming" | "bidi_streaming";
    readonly input: any;
    readonly output: any;
  }[];
}

/** protobuf-es's functions of these names. */
export interface ProtobufEs {
  readonly create: (schema: any, init?: any) => any;
  readonly toBinary: (schema: any, message: any) => Uint8Array;
  readonly fromBinary: (schema: any, bytes: Uint8Array) => any;
}

/** The types of a service's methods by their local names: the type argument of `fromProtobufEs`. */
export type MethodTypes = Record<string, { request: unknown; response: unknown; requestStream?: boolean; responseStream?: boolean }>;

/** The methods of a descriptor, with the types that were given. */
export type FromProtobufEs<T extends MethodTypes> = {
  readonly [Name in keyof T]: TypedMethod<
    T[Name]["request"],
    T[Name]["response"],
    T[Name]["requestStream"] extends true ? true : false,
    T[Name]["responseStream"] extends true ? true : false
  >;
};

/** Messages made by `create` have their type's name. */
function isMessage(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$typeName" in value;
}

/**
 * Takes a service of protobuf-es 2: `fromProtobufEs<{ echo: { request: Echo; response: Echo } }>(EchoService, { create,
 * toBinary, fromBinary })`. Messages to send may be plain objects: `create` completes them.
 */
export function fromProtobufEs<T extends MethodTypes>(service: ServiceDescriptor, { create, toBinary, fromBinary }: ProtobufEs): FromProtobufEs<T> {
  const codec = (schema: any) => ({
    serialize: (message: any) => buffer(toBinary(schema, isMessage(message) ? message : create(schema, message))),
    deserialize: (bytes: Buffer): any => fromBinary(schema, bytes),
  });
  const methods: Record<string, AnyMethod> = {};
  for (const { name, localName, methodKind, input, output } of service.methods) {
    const request = methodKind === "client_streaming" || methodKind === "bidi_streaming";
    const response = methodKind === "server_streaming" || methodKind === "bidi_streaming";
    methods[localName] = { ...method(`/${service.typeName}/${name}`, { request, response }, codec(input), codec(output)), originalName: name };
  }
  return methods as FromProtobufEs<T>;
}
