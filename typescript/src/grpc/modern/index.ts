/** gRPC with promises, async iterables and AbortSignal. */
export { createClient } from "./client.js";
export type { CallControls, ClientOf, ClientSettings } from "./client.js";
export { fromGeneric } from "./definition.js";
export type { Definition, FromGeneric, GenericDefinition, SchemaCheck, RequestOf, ResponseOf, TypedMethod } from "./definition.js";
export { GrpcError } from "./error.js";
export type { HandlerContext } from "./handler-context.js";
export { fromProtobufEs } from "./protobuf-es.js";
export type { FromProtobufEs, MethodTypes, ProtobufEs, ServiceDescriptor } from "./protobuf-es.js";
export { createServer } from "./server.js";
export type { Handlers, ModernServer } from "./server.js";
