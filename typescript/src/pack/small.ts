/**
 * `pack` for small bundles: the types and the codec of `samewire/pack`, the same bytes and errors, in a tenth of the code. It
 * interprets types, so it is many times slower, and reads messages of its own schema only: no schema text, no messages of other
 * schemas, no record files.
 *
 * ```ts
 * import * as pack from "samewire/pack/small";
 * ```
 *
 * @packageDocumentation
 */
export {
  bigint, bool, bytes, date, decimal, duration, enumeration, f32, f64, field, i16, i32, i64, i64AsNumber, i8, jsDate, option, recursive, ref, string,
  struct, time, timestamp, tuple, u16, u32, u64, u64AsNumber, u8, union, uuid,
} from "./schema/builder.js";
export type { Alias, Fields, ObjectOf } from "./schema/builder.js";
export { any, array, list, map, set } from "./bind/small-parts.js";
export { Codec, codec } from "./bind/small-codec.js";
export type { CodecOptions } from "./bind/small-codec.js";
export type { Decoder, Encoder } from "./bind/codec.js";
export type { Profile } from "./wire/writer.js";
export { DEFAULT_LIMITS, SamewireError, limits } from "../core/index.js";
export type { ErrorCode, Limits } from "../core/index.js";
export { Field, ScalarType, StructType, Type } from "./schema/type.js";
export type { Infer, Numeric, Scalar, StructClass } from "./schema/type.js";
export { Decimal, Tagged, tagged } from "./schema/value.js";
export type { AnyValue, TaggedValues, TypedArrays } from "./schema/value.js";
