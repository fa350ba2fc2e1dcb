import { DecompressedTooLong } from "../protocol/compression.js";
import { SERVER_RECEIVES } from "../protocol/limit-remedies.js";
import { Reading } from "../protocol/message-reader.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import type { CallOutput } from "./call-output.js";

/** Returns the status for input that the message reader refused. */
export function readingStatus(reading: Reading, announced: number, limit: number): PartialStatusObject {
  if (reading === Reading.TooLong) {
    return { code: Status.RESOURCE_EXHAUSTED, details: `Received message larger than max (${announced} vs ${limit}): ${SERVER_RECEIVES}` };
  }
  return { code: Status.INTERNAL, details: "Received a message whose compression flag is neither 0 nor 1" };
}

/** Decompresses a message of the request. @throws a status object */
export function inflated(call: CallOutput, message: Buffer): Buffer | Promise<Buffer> {
  const { encoding } = call.admission;
  const { encodings, settings, inflateTurns } = call.owner.context;
  if (encoding === "identity") throw refusal(Status.INTERNAL, "Received a compressed message without grpc-encoding");
  const codec = encodings.get(encoding);
  if (codec === undefined) throw refusal(Status.UNIMPLEMENTED, `Received message compressed with unsupported encoding "${encoding}"`);
  try {
    const result = inflateTurns.inflate(call.owner, call, codec, message, settings.maxReceiveBytes);
    return Buffer.isBuffer(result) ? result : result.catch((error: unknown) => Promise.reject(inflateStatus(error, settings.maxReceiveBytes)));
  } catch (error) {
    throw inflateStatus(error, settings.maxReceiveBytes);
  }
}

/** A status as an error, so that it can be thrown and rejected with. */
export class Refusal extends Error {
  readonly code: Status;

  constructor(code: Status, details: string) {
    super(details);
    this.name = "Refusal";
    this.code = code;
  }
}

function refusal(code: Status, details: string): Refusal {
  return new Refusal(code, details);
}

function inflateStatus(error: unknown, limit: number): Refusal {
  return error instanceof DecompressedTooLong
    ? refusal(Status.RESOURCE_EXHAUSTED, `Received message that decompresses to a size larger than ${limit}: ${SERVER_RECEIVES}`)
    : refusal(Status.INTERNAL, "Failed to decompress message");
}
