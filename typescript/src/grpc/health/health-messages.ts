import { encodeFileDescriptor } from "../protocol/descriptor-writer.js";
import type { MethodDefinition } from "../protocol/method.js";
import { ProtobufReader, ProtobufWriter, protobufBytes, protobufNumber, protobufString } from "../protocol/protobuf.js";

/** `grpc.health.v1.HealthCheckResponse.ServingStatus`. */
export const SERVING_STATUSES = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;
export type ServingStatus = (typeof SERVING_STATUSES)[number];

export interface HealthCheckRequest {
  service: string;
}

export interface HealthCheckResponse {
  status: ServingStatus;
}

export interface HealthListResponse {
  statuses: Record<string, HealthCheckResponse>;
}

function encodeRequest({ service }: HealthCheckRequest): Buffer {
  return new ProtobufWriter().string(1, service).finish();
}

function decodeRequest(bytes: Uint8Array): HealthCheckRequest {
  let service = "";
  for (const field of new ProtobufReader(bytes)) if (field.number === 1) service = protobufString(field);
  return { service };
}

function encodeResponse({ status }: HealthCheckResponse): Buffer {
  return new ProtobufWriter().int(1, SERVING_STATUSES.indexOf(status)).finish();
}

function decodeResponse(bytes: Uint8Array): HealthCheckResponse {
  let status: ServingStatus = "UNKNOWN";
  for (const field of new ProtobufReader(bytes)) if (field.number === 1) status = SERVING_STATUSES[protobufNumber(field)] ?? "UNKNOWN";
  return { status };
}

function encodeList({ statuses }: HealthListResponse): Buffer {
  const out = new ProtobufWriter();
  for (const [service, response] of Object.entries(statuses)) {
    out.message(1, new ProtobufWriter().string(1, service).bytes(2, encodeResponse(response)));
  }
  return out.finish();
}

function decodeList(bytes: Uint8Array): HealthListResponse {
  const statuses: Record<string, HealthCheckResponse> = {};
  for (const entry of new ProtobufReader(bytes)) {
    if (entry.number !== 1) continue;
    let service = "";
    let response: HealthCheckResponse = { status: "UNKNOWN" };
    for (const field of new ProtobufReader(protobufBytes(entry))) {
      if (field.number === 1) service = protobufString(field);
      else if (field.number === 2) response = decodeResponse(protobufBytes(field));
    }
    statuses[service] = response;
  }
  return { statuses };
}

const check: MethodDefinition<HealthCheckRequest, HealthCheckResponse> = {
  path: "/grpc.health.v1.Health/Check",
  requestStream: false,
  responseStream: false,
  requestSerialize: encodeRequest,
  requestDeserialize: decodeRequest,
  responseSerialize: encodeResponse,
  responseDeserialize: decodeResponse,
  originalName: "check",
};

const list: MethodDefinition<object, HealthListResponse> = {
  path: "/grpc.health.v1.Health/List",
  requestStream: false,
  responseStream: false,
  requestSerialize: () => Buffer.alloc(0),
  requestDeserialize: () => ({}),
  responseSerialize: encodeList,
  responseDeserialize: decodeList,
  originalName: "list",
};

/** The service `grpc.health.v1.Health`, for servers and clients. */
export const healthService = {
  Check: check,
  List: list,
  Watch: { ...check, path: "/grpc.health.v1.Health/Watch", responseStream: true, originalName: "watch" },
};

const PACKAGE = ".grpc.health.v1";

/** The service's descriptor, for reflection. */
export const healthDescriptor = encodeFileDescriptor({
  name: "grpc/health/v1/health.proto",
  package: PACKAGE.slice(1),
  messages: [
    { name: "HealthCheckRequest", fields: [{ name: "service", number: 1, kind: "string" }] },
    {
      name: "HealthCheckResponse",
      fields: [{ name: "status", number: 1, kind: "enum", type: `${PACKAGE}.HealthCheckResponse.ServingStatus` }],
      enums: [{ name: "ServingStatus", values: SERVING_STATUSES }],
    },
    { name: "HealthListRequest", fields: [] },
    {
      name: "HealthListResponse",
      fields: [{ name: "statuses", number: 1, kind: "message", type: `${PACKAGE}.HealthListResponse.StatusesEntry`, repeated: true }],
      nested: [
        {
          name: "StatusesEntry",
          mapEntry: true,
          fields: [
            { name: "key", number: 1, kind: "string" },
            { name: "value", number: 2, kind: "message", type: `${PACKAGE}.HealthCheckResponse` },
          ],
        },
      ],
    },
  ],
  service: {
    name: "Health",
    methods: [
      { name: "Check", input: `${PACKAGE}.HealthCheckRequest`, output: `${PACKAGE}.HealthCheckResponse` },
      { name: "List", input: `${PACKAGE}.HealthListRequest`, output: `${PACKAGE}.HealthListResponse` },
      { name: "Watch", input: `${PACKAGE}.HealthCheckRequest`, output: `${PACKAGE}.HealthCheckResponse`, serverStreaming: true },
    ],
  },
});
