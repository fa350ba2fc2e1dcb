/**
 * The parts, each by its name. In Node `grpc` is one of them; elsewhere there are no sockets for it.
 *
 * ```ts
 * import { grpc, pack } from "samewire";
 * ```
 *
 * @packageDocumentation
 */
export * as core from "./core/index.js";
export * as grpc from "./grpc/index.js";
export * as pack from "./pack/index.js";
