/** A message as bytes, without gRPC's prefix. */
export type Serialize<T> = (value: T) => Buffer;

/** A message from bytes, which it may keep. */
export type Deserialize<T> = (bytes: Buffer) => T;

/** A method as a client sees it; the definitions of `@grpc/proto-loader` have this shape. */
export interface ClientMethodDefinition<Request, Response> {
  path: string;
  requestStream: boolean;
  responseStream: boolean;
  requestSerialize: Serialize<Request>;
  responseDeserialize: Deserialize<Response>;
  originalName?: string;
}

/** A method as a server sees it. */
export interface ServerMethodDefinition<Request, Response> {
  path: string;
  requestStream: boolean;
  responseStream: boolean;
  responseSerialize: Serialize<Response>;
  requestDeserialize: Deserialize<Request>;
  originalName?: string;
}

export interface MethodDefinition<Request, Response>
  extends ClientMethodDefinition<Request, Response>,
    ServerMethodDefinition<Request, Response> {}

/** The methods of a service by their names. */
// Definitions are written with many message types in one object: only `any` takes them all, as in grpc-js.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ServiceDefinition<Implementation = Record<string, any>> = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly [Name in keyof Implementation]: MethodDefinition<any, any>;
};

/** A message type of a package definition, with the descriptors that it is made from. */
export interface ProtobufTypeDefinition {
  format: string;
  type: object;
  fileDescriptorProtos: Buffer[];
}

/** What `@grpc/proto-loader` returns for proto files: services, messages and enums by their full names. */
export type PackageDefinition = Record<string, ServiceDefinition | ProtobufTypeDefinition>;
