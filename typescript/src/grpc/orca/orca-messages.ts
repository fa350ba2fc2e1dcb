import { encodeFileDescriptor, type FieldDescriptor, type MessageDescriptor } from "../protocol/descriptor-writer.js";
import type { MethodDefinition } from "../protocol/method.js";
import { ProtobufReader, ProtobufWriter, protobufBytes, protobufNumber } from "../protocol/protobuf.js";
import { decodeLoadReport, encodeLoadReport, type LoadReport } from "./load-report.js";

/** The interval at which a client wants load reports. */
export interface LoadReportRequest {
  /** Milliseconds; the server's own choice when absent. */
  reportInterval?: number;
}

function encodeRequest({ reportInterval }: LoadReportRequest): Buffer {
  const out = new ProtobufWriter();
  if (reportInterval === undefined) return out.finish();
  const seconds = Math.floor(reportInterval / 1_000);
  return out.message(1, new ProtobufWriter().int(1, seconds).int(2, Math.floor((reportInterval - seconds * 1_000) * 1e6))).finish();
}

/** A client may name request costs: all are reported, as in grpc-js. */
function decodeRequest(bytes: Uint8Array): LoadReportRequest {
  const request: LoadReportRequest = {};
  for (const field of new ProtobufReader(bytes)) {
    if (field.number !== 1) continue;
    request.reportInterval = 0;
    for (const part of new ProtobufReader(protobufBytes(field))) {
      if (part.number === 1) request.reportInterval += protobufNumber(part) * 1_000;
      else if (part.number === 2) request.reportInterval += protobufNumber(part) / 1e6;
    }
  }
  return request;
}

const streamCoreMetrics: MethodDefinition<LoadReportRequest, LoadReport> = {
  path: "/xds.service.orca.v3.OpenRcaService/StreamCoreMetrics",
  requestStream: false,
  responseStream: true,
  requestSerialize: encodeRequest,
  requestDeserialize: decodeRequest,
  responseSerialize: encodeLoadReport,
  responseDeserialize: decodeLoadReport,
  originalName: "streamCoreMetrics",
};

/** The service `xds.service.orca.v3.OpenRcaService`, for servers and clients. */
export const orcaService = { StreamCoreMetrics: streamCoreMetrics };

const DATA = ".xds.data.orca.v3";
const SERVICE = ".xds.service.orca.v3";
const REPORT = `${DATA}.OrcaLoadReport`;

const MAPS: readonly [name: string, number: number, entry: string][] = [
  ["request_cost", 4, "RequestCostEntry"],
  ["utilization", 5, "UtilizationEntry"],
  ["named_metrics", 8, "NamedMetricsEntry"],
];

const double = (name: string, number: number): FieldDescriptor => ({ name, number, kind: "double" });

const report: MessageDescriptor = {
  name: "OrcaLoadReport",
  fields: [
    double("cpu_utilization", 1),
    double("mem_utilization", 2),
    { name: "rps", number: 3, kind: "uint64" },
    double("rps_fractional", 6),
    double("eps", 7),
    double("application_utilization", 9),
    ...MAPS.map(([name, number, entry]): FieldDescriptor => ({ name, number, kind: "message", type: `${REPORT}.${entry}`, repeated: true })),
  ],
  nested: MAPS.map(([, , name]): MessageDescriptor => ({ name, mapEntry: true, fields: [{ name: "key", number: 1, kind: "string" }, double("value", 2)] })),
};

/** The service's descriptors, for reflection. */
export function orcaDescriptors(): Buffer[] {
  return [
    encodeFileDescriptor({ name: "xds/data/orca/v3/orca_load_report.proto", package: DATA.slice(1), messages: [report] }),
    encodeFileDescriptor({
      name: "xds/service/orca/v3/orca.proto",
      package: SERVICE.slice(1),
      messages: [
        {
          name: "OrcaLoadReportRequest",
          fields: [
            { name: "report_interval", number: 1, kind: "message", type: ".google.protobuf.Duration" },
            { name: "request_cost_names", number: 2, kind: "string", repeated: true },
          ],
        },
      ],
      service: { name: "OpenRcaService", methods: [{ name: "StreamCoreMetrics", input: `${SERVICE}.OrcaLoadReportRequest`, output: REPORT, serverStreaming: true }] },
    }),
  ];
}
