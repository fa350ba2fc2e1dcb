/**
 * gRPC for Node under the names of `@grpc/grpc-js`, and beside them a modern interface: `createClient`, `createServer`.
 */
export * from "./grpc-js/client-names.js";
export * from "./grpc-js/server-names.js";
export * from "./modern/index.js";
