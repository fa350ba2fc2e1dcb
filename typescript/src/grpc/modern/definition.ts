import type { Deserialize, MethodDefinition, Serialize } from "../protocol/method.js";

/** Metadata that both sides exchange in the first call of a method, to find a mismatch before a message is misread. */
export interface SchemaCheck {
  /** Metadata of the first request. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Returns what is wrong with the metadata of a request, or null. */
  refuse(value: (name: string) => string | undefined): string | null;
}

/** A method with its types: a `MethodDefinition` that knows which sides are streams. */
export interface TypedMethod<Request, Response, RequestStream extends boolean, ResponseStream extends boolean>
  extends MethodDefinition<Request, Response> {
  requestStream: RequestStream;
  responseStream: ResponseStream;
  /** `application/grpc` when absent. */
  contentType?: string;
  schemaCheck?: SchemaCheck;
}

// Methods of many message types in one object: only `any` takes them all.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyMethod = MethodDefinition<any, any> & { contentType?: string; schemaCheck?: SchemaCheck };

/**
 * A service by the names of its methods: what `@grpc/proto-loader` and ts-proto (`outputServices=grpc-js`) make as it
 * is, others through `fromGeneric`, `fromProtobufEs` and `packService`.
 */
export type Definition = Readonly<Record<string, AnyMethod>>;

/** The type a method's handler gets and its caller gives. */
export type RequestOf<M> = M extends { requestSerialize: (value: infer T) => unknown } ? T : never;
export type ResponseOf<M> = M extends { responseDeserialize: (bytes: Buffer) => infer T } ? T : never;

/** A service of ts-proto or nice-grpc (`outputServices=generic-definitions`). */
export interface GenericDefinition {
  readonly fullName: string;
  readonly methods: Readonly<Record<string, GenericMethod>>;
}

interface GenericMethod {
  readonly name: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestType: GenericType;
  readonly responseType: GenericType;
}

/** A message type of ts-proto; `any` takes every message. */
interface GenericType {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  encode(message: any): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  fromPartial?(partial: any): unknown;
}

type MessageOf<T> = T extends { decode(bytes: Uint8Array): infer Message } ? Message : never;

/** The methods of a generic definition, with their types. */
export type FromGeneric<D extends GenericDefinition> = {
  readonly [Name in keyof D["methods"]]: TypedMethod<
    MessageOf<D["methods"][Name]["requestType"]>,
    MessageOf<D["methods"][Name]["responseType"]>,
    D["methods"][Name]["requestStream"],
    D["methods"][Name]["responseStream"]
  >;
};

/** Takes a service of ts-proto's generic definitions. */
export function fromGeneric<D extends GenericDefinition>(definition: D): FromGeneric<D> {
  const methods: Record<string, AnyMethod> = {};
  for (const [name, { name: wireName, requestStream, responseStream, requestType, responseType }] of Object.entries(definition.methods)) {
    methods[name] = {
      path: `/${definition.fullName}/${wireName}`,
      requestStream,
      responseStream,
      requestSerialize: (message) => buffer(requestType.encode(message).finish()),
      requestDeserialize: (bytes) => requestType.decode(bytes),
      responseSerialize: (message) => buffer(responseType.encode(message).finish()),
      responseDeserialize: (bytes) => responseType.decode(bytes),
      originalName: wireName,
    };
  }
  return methods as FromGeneric<D>;
}

/** Returns the bytes as a Buffer, which shares their memory. */
export function buffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A method whose messages are encoded and decoded by the same pair of functions on both sides. */
export function method<Request, Response, RequestStream extends boolean, ResponseStream extends boolean>(
  path: string,
  streams: { readonly request: RequestStream; readonly response: ResponseStream },
  request: { readonly serialize: Serialize<Request>; readonly deserialize: Deserialize<Request> },
  response: { readonly serialize: Serialize<Response>; readonly deserialize: Deserialize<Response> },
): TypedMethod<Request, Response, RequestStream, ResponseStream> {
  return {
    path,
    requestStream: streams.request,
    responseStream: streams.response,
    requestSerialize: request.serialize,
    requestDeserialize: request.deserialize,
    responseSerialize: response.serialize,
    responseDeserialize: response.deserialize,
  };
}
