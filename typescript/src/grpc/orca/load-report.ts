import type { Metadata } from "../protocol/metadata.js";
import { ProtobufReader, ProtobufWriter, protobufBytes, protobufDouble, protobufString } from "../protocol/protobuf.js";
import { trailerMessage } from "../protocol/trailer-message.js";

/** The trailer that carries the report of one call (gRFC A51). */
export const LOAD_REPORT = "endpoint-load-metrics-bin";

/** A server's load (`xds.data.orca.v3.OrcaLoadReport`). Missing values were not measured. */
export interface LoadReport {
  /** As a share of the capacity; above 1 beyond a soft limit. */
  cpuUtilization?: number;
  memUtilization?: number;
  applicationUtilization?: number;
  /** Queries and errors a second. */
  qps?: number;
  eps?: number;
  /** The costs of the call, under the application's names. */
  requestCost?: Map<string, number>;
  /** Other resources by name, of what there is. */
  utilization?: Map<string, number>;
  namedMetrics?: Map<string, number>;
}

const NUMBERS = [["cpuUtilization", 1], ["memUtilization", 2], ["qps", 6], ["eps", 7], ["applicationUtilization", 9]] as const;
const MAPS = [["requestCost", 4], ["utilization", 5], ["namedMetrics", 8]] as const;

/** The protobuf bytes of a report. */
export function encodeLoadReport(report: LoadReport): Buffer {
  const out = new ProtobufWriter();
  for (const [name, field] of NUMBERS) out.double(field, report[name] ?? 0);
  for (const [name, field] of MAPS) {
    for (const [key, value] of report[name] ?? []) out.message(field, new ProtobufWriter().string(1, key).double(2, value));
  }
  return out.finish();
}

/** @throws ProtobufError for bytes that are not a report */
export function decodeLoadReport(bytes: Uint8Array): LoadReport {
  const report: LoadReport = {};
  for (const field of new ProtobufReader(bytes)) {
    const number = NUMBERS.find(([, each]) => each === field.number);
    const map = MAPS.find(([, each]) => each === field.number);
    if (number !== undefined) report[number[0]] = protobufDouble(field);
    else if (map !== undefined) (report[map[0]] ??= new Map()).set(...decodeEntry(protobufBytes(field)));
  }
  return report;
}

function decodeEntry(bytes: Uint8Array): [string, number] {
  let key = "";
  let value = 0;
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) key = protobufString(field);
    else if (field.number === 2) value = protobufDouble(field);
  }
  return [key, value];
}

/** Returns the report in the trailers of a call; null if it is missing or invalid. */
export function loadReport(trailers: Metadata): LoadReport | null {
  return trailerMessage(trailers, LOAD_REPORT, decodeLoadReport);
}
