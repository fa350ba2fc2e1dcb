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
  any, array, bigint, bool, bytes, date, decimal, duration, enumeration, f32, f64, field, i16, i32, i64, i64AsNumber, i8, jsDate, list, map, option,
  recursive, ref, set, string, struct, time, timestamp, tuple, u16, u32, u64, u64AsNumber, u8, union, uuid,
} from "./schema/builder.js";
export type { Alias, Fields, ObjectOf } from "./schema/builder.js";
export { Codec, codec } from "./bind/codec.js";
export type { CodecOptions, Decoder, Encoder } from "./bind/codec.js";
export { MemorySchemas, VersionedCodec } from "./bind/schema-store.js";
export type { SchemaStore } from "./bind/schema-store.js";
export type { Profile } from "./wire/writer.js";
export { Difference } from "./schema/difference.js";
export { DEFAULT_LIMITS, FrameScanner, Output, SamewireError, limits, writeFrame } from "../core/index.js";
export type { ErrorCode, Limits } from "../core/index.js";
export { parse } from "./schema/parse.js";
export { Schema } from "./schema/schema.js";
export { Field, ScalarType, StructType, Type } from "./schema/type.js";
export type { Infer, Numeric, Scalar, StructClass } from "./schema/type.js";
export { RecordDecoder, readRecords } from "./records/record-decoder.js";
export type { RecordReaderOptions } from "./records/record-decoder.js";
export { RecordEncoder, writeRecords } from "./records/record-encoder.js";
export type { RecordWriterOptions } from "./records/record-encoder.js";
export { RecordFile } from "./records/record-file.js";
export type { ByteSource } from "./records/record-file.js";
export type { Zstd } from "./records/zstd.js";
export { TableCodec, tableCodec } from "./table/table-codec.js";
export type { Columns, TableDecoder } from "./table/table-codec.js";
export { RecordTables, readTables } from "./table/record-tables.js";
export type { RecordTablesOptions } from "./table/record-tables.js";
export type {
  BaseColumn, BoolColumn, BytesColumn, Column, ColumnKinds, DateColumn, DecimalColumn, EnumColumn, InstantColumn,
  JsDateColumn, ListColumn, MapColumn, NumberColumn, SetColumn, StructColumn, TextColumn, TimeColumn, TimeUnit,
  TupleColumn, UuidColumn, ValueColumn,
} from "./table/column.js";
export { digestOf } from "./wire/header.js";
export { Decimal, Tagged, tagged } from "./schema/value.js";
export type { AnyValue, TaggedValues, TypedArrays } from "./schema/value.js";
