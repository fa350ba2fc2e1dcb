/**
 * `pack`: a typed value to compact bytes and back, the same bytes in every language (`spec/pack.md`).
 *
 * ```ts
 * import * as pack from "samewire/pack";
 * ```
 *
 * @packageDocumentation
 */
export {
  any, array, bigint, bool, bytes, date, decimal, duration, enumeration, f32, f64, field, i16, i32, i64, i8, jsDate, list, map, option,
  recursive, ref, set, string, struct, time, timestamp, tuple, u16, u32, u64, u8, union, uuid,
} from "./builder.js";
export type { Fields, ObjectOf } from "./builder.js";
export { Codec, codec } from "./codec.js";
export type { CodecOptions, Decoder, Encoder, Profile } from "./codec.js";
export { Difference } from "./difference.js";
export { PackError } from "./error.js";
export type { ErrorCode } from "./error.js";
export { FrameScanner, writeFrame } from "./frames.js";
export { DEFAULT_LIMITS, limits } from "./limits.js";
export type { Limits } from "./limits.js";
export { Output } from "./output.js";
export { parse } from "./parse.js";
export { Schema } from "./schema.js";
export { Field, ScalarType, StructType, Type } from "./type.js";
export type { Infer, Numeric, Scalar, StructClass } from "./type.js";
export { Decimal, Tagged, tagged } from "./value.js";
export type { AnyValue, TaggedValues, TypedArrays } from "./value.js";
