import { HeaderFields } from "../http2/index.js";
import type { MessageEncoding } from "../protocol/compression.js";
import type { MethodConfig } from "./method-config.js";

/** What calls of one method on one channel share. */
export interface Method {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly authority: string;
  readonly config: MethodConfig;
  /** The request's head without the fields of one call alone. */
  readonly fields: HeaderFields;
  /** Compresses requests; null for plain ones. */
  readonly encoding: MessageEncoding | null;
  /** Longest message in bytes, sent and received (decompressed). */
  readonly maxSend: number;
  readonly maxReceive: number;
}

/** The constant part of a request's head (gRPC over HTTP/2, "Request-Headers"). */
export function requestFields(head: {
  readonly path: string;
  readonly authority: string;
  readonly scheme: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly accept: string;
  readonly encoding: MessageEncoding | null;
}): HeaderFields {
  const fields: [string, string][] = [
    [":method", "POST"],
    [":scheme", head.scheme],
    [":path", head.path],
    [":authority", head.authority],
    ["te", "trailers"],
    ["content-type", head.contentType],
    ["user-agent", head.userAgent],
    ["grpc-accept-encoding", head.accept],
  ];
  if (head.encoding !== null) fields.push(["grpc-encoding", head.encoding.name]);
  return new HeaderFields(fields);
}
