import { Metadata } from "./metadata.js";
import { ProtobufReader, ProtobufWriter, protobufBytes, protobufNumber, protobufString } from "./protobuf.js";
import type { Status } from "./status.js";
import { trailerMessage } from "./trailer-message.js";

/** The trailer that carries a `google.rpc.Status`. */
export const STATUS_DETAILS = "grpc-status-details-bin";

/** One `google.protobuf.Any`: the full name of a message type behind a host, and the message's bytes. */
export interface StatusDetail {
  typeUrl: string;
  value: Uint8Array;
}

/** A `google.rpc.Status`. */
export interface RichStatus {
  code: Status;
  message: string;
  details: StatusDetail[];
}

/** The protobuf bytes of a `google.rpc.Status`. */
export function encodeStatusDetails(status: RichStatus): Buffer {
  const out = new ProtobufWriter().int(1, status.code).string(2, status.message);
  for (const detail of status.details) {
    out.message(3, new ProtobufWriter().string(1, detail.typeUrl).bytes(2, detail.value));
  }
  return out.finish();
}

/** @throws ProtobufError for bytes that are not a `google.rpc.Status` */
export function decodeStatusDetails(bytes: Uint8Array): RichStatus {
  const status: RichStatus = { code: 0, message: "", details: [] };
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) status.code = protobufNumber(field);
    else if (field.number === 2) status.message = protobufString(field);
    else if (field.number === 3) status.details.push(decodeAny(protobufBytes(field)));
  }
  return status;
}

function decodeAny(bytes: Uint8Array): StatusDetail {
  const detail: StatusDetail = { typeUrl: "", value: new Uint8Array(0) };
  for (const field of new ProtobufReader(bytes)) {
    if (field.number === 1) detail.typeUrl = protobufString(field);
    else if (field.number === 2) detail.value = protobufBytes(field);
  }
  return detail;
}

/** The rich status of a call's trailers, or null without one or with one that cannot be read. */
export function statusDetails(trailers: Metadata): RichStatus | null {
  return trailerMessage(trailers, STATUS_DETAILS, decodeStatusDetails);
}

/** Trailers that carry a rich status, added to `trailers` if given. */
export function withStatusDetails(status: RichStatus, trailers: Metadata = new Metadata()): Metadata {
  trailers.set(STATUS_DETAILS, encodeStatusDetails(status));
  return trailers;
}
