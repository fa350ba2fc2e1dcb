/** gRPC for Node under the names of `@grpc/grpc-js`. */
export * from "./face/client-names.js";
export * from "./face/server-names.js";
