/**
 * `core`: what every part of the library shares: the error and its codes, limits, length-prefixed frames
 * (`spec/errors.md`, `spec/limits.md`).
 *
 * ```ts
 * import { SamewireError, limits } from "samewire/core";
 * ```
 *
 * @packageDocumentation
 */
export { SamewireError } from "./error.js";
export type { ErrorCode } from "./error.js";
export { FrameScanner, writeFrame } from "./frame.js";
export { DEFAULT_LIMITS, limits } from "./limits.js";
export type { Limits } from "./limits.js";
export { Output } from "./output.js";
