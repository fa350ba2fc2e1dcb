import { encodeFileDescriptor } from "../protocol/descriptor-writer.js";
import type { MethodDefinition } from "../protocol/method.js";
import { ProtobufReader, ProtobufWriter, protobufBytes, protobufNumber, protobufString } from "../protocol/protobuf.js";

/** The field of `ServerReflectionRequest.message_request` that is set, and its value. */
export type Question =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "symbol"; readonly name: string }
  | { readonly kind: "extension"; readonly type: string; readonly number: number }
  | { readonly kind: "extensions"; readonly type: string }
  | { readonly kind: "services" }
  | { readonly kind: "none" };

export interface ReflectionRequest {
  readonly host: string;
  readonly question: Question;
  /** The request's bytes: the response repeats them. */
  readonly bytes: Uint8Array;
}

/** The field of `ServerReflectionResponse.message_response` that is set, and its value. */
export type Answer =
  | { readonly kind: "files"; readonly files: readonly Uint8Array[] }
  | { readonly kind: "extensions"; readonly type: string; readonly numbers: readonly number[] }
  | { readonly kind: "services"; readonly names: readonly string[] }
  | { readonly kind: "error"; readonly code: number; readonly text: string };

export interface ReflectionResponse {
  readonly request: ReflectionRequest;
  readonly answer: Answer;
}

/** Reads a `ServerReflectionRequest`. If several fields are set, the last counts, as protobuf requires. */
export function decodeReflectionRequest(bytes: Uint8Array): ReflectionRequest {
  let host = "";
  let question: Question = { kind: "none" };
  for (const field of new ProtobufReader(bytes)) {
    switch (field.number) {
      case 1:
        host = protobufString(field);
        break;
      case 3:
        question = { kind: "file", name: protobufString(field) };
        break;
      case 4:
        question = { kind: "symbol", name: protobufString(field) };
        break;
      case 5:
        question = decodeExtension(protobufBytes(field));
        break;
      case 6:
        question = { kind: "extensions", type: protobufString(field) };
        break;
      case 7:
        question = { kind: "services" };
        break;
    }
  }
  return { host, question, bytes };
}

function decodeExtension(bytes: Uint8Array): Question {
  let type = "";
  let number = 0;
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) type = protobufString(field);
    else if (field.number === 2) number = protobufNumber(field);
  }
  return { kind: "extension", type, number };
}

/** Writes a `ServerReflectionResponse`. */
export function encodeReflectionResponse({ request, answer }: ReflectionResponse): Buffer {
  const out = new ProtobufWriter().string(1, request.host).bytes(2, request.bytes);
  const inner = new ProtobufWriter();
  switch (answer.kind) {
    case "files":
      for (const file of answer.files) inner.bytes(1, file);
      return out.message(4, inner).finish();
    case "extensions":
      inner.string(1, answer.type);
      for (const number of answer.numbers) inner.int(2, number);
      return out.message(5, inner).finish();
    case "services":
      for (const name of answer.names) inner.message(1, new ProtobufWriter().string(1, name));
      return out.message(6, inner).finish();
    case "error":
      return out.message(7, inner.int(1, answer.code).string(2, answer.text)).finish();
  }
}

/** The versions of the service; their messages are the same. */
export const REFLECTION_PACKAGES = ["grpc.reflection.v1", "grpc.reflection.v1alpha"] as const;

/** The method of one version, for servers. */
export function reflectionService(packageName: string): { ServerReflectionInfo: MethodDefinition<ReflectionRequest, ReflectionResponse> } {
  const serverOnly = (): never => {
    throw new Error("the reflection service has no client here");
  };
  return {
    ServerReflectionInfo: {
      path: `/${packageName}.ServerReflection/ServerReflectionInfo`,
      requestStream: true,
      responseStream: true,
      requestSerialize: serverOnly,
      requestDeserialize: decodeReflectionRequest,
      responseSerialize: encodeReflectionResponse,
      responseDeserialize: serverOnly,
    },
  };
}

/** The descriptor of one version, for reflection about itself. */
export function reflectionDescriptor(packageName: string): Buffer {
  const own = (name: string): string => `.${packageName}.${name}`;
  const text = (name: string, number: number) => ({ name, number, kind: "string" as const });
  const choice = (name: string, number: number, type: string) => ({ name, number, kind: "message" as const, type: own(type), choice: true });
  return encodeFileDescriptor({
    name: `${packageName.replaceAll(".", "/")}/reflection.proto`,
    package: packageName,
    messages: [
      {
        name: "ServerReflectionRequest",
        choice: "message_request",
        fields: [
          text("host", 1),
          { ...text("file_by_filename", 3), choice: true },
          { ...text("file_containing_symbol", 4), choice: true },
          choice("file_containing_extension", 5, "ExtensionRequest"),
          { ...text("all_extension_numbers_of_type", 6), choice: true },
          { ...text("list_services", 7), choice: true },
        ],
      },
      { name: "ExtensionRequest", fields: [text("containing_type", 1), { name: "extension_number", number: 2, kind: "int32" }] },
      {
        name: "ServerReflectionResponse",
        choice: "message_response",
        fields: [
          text("valid_host", 1),
          { name: "original_request", number: 2, kind: "message", type: own("ServerReflectionRequest") },
          choice("file_descriptor_response", 4, "FileDescriptorResponse"),
          choice("all_extension_numbers_response", 5, "ExtensionNumberResponse"),
          choice("list_services_response", 6, "ListServiceResponse"),
          choice("error_response", 7, "ErrorResponse"),
        ],
      },
      { name: "FileDescriptorResponse", fields: [{ name: "file_descriptor_proto", number: 1, kind: "bytes", repeated: true }] },
      { name: "ExtensionNumberResponse", fields: [text("base_type_name", 1), { name: "extension_number", number: 2, kind: "int32", repeated: true }] },
      { name: "ListServiceResponse", fields: [{ name: "service", number: 1, kind: "message", type: own("ServiceResponse"), repeated: true }] },
      { name: "ServiceResponse", fields: [text("name", 1)] },
      { name: "ErrorResponse", fields: [{ name: "error_code", number: 1, kind: "int32" }, text("error_message", 2)] },
    ],
    service: {
      name: "ServerReflection",
      methods: [{ name: "ServerReflectionInfo", input: own("ServerReflectionRequest"), output: own("ServerReflectionResponse"), clientStreaming: true, serverStreaming: true }],
    },
  });
}
