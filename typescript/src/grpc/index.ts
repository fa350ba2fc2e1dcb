/** gRPC for Node under the names of `@grpc/grpc-js`, and beside them a modern interface: `createClient`, `createServer`. */
export * from "./face/client-names.js";
export * from "./face/server-names.js";
export * from "./modern/index.js";
