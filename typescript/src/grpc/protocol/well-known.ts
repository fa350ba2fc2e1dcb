import type { FieldDescriptor, FileDescriptor, MessageDescriptor } from "./descriptor-writer.js";

/* Files of protobuf's own, as far as gRPC's services use them. */

function file(name: string, ...messages: MessageDescriptor[]): FileDescriptor {
  return { name: `google/protobuf/${name}.proto`, package: "google.protobuf", messages };
}

const TIME: FieldDescriptor[] = [{ name: "seconds", number: 1, kind: "int64" }, { name: "nanos", number: 2, kind: "int32" }];

export const TIMESTAMP_FILE = file("timestamp", { name: "Timestamp", fields: TIME });
export const DURATION_FILE = file("duration", { name: "Duration", fields: TIME });
export const WRAPPERS_FILE = file("wrappers", { name: "Int64Value", fields: [{ name: "value", number: 1, kind: "int64" }] });
