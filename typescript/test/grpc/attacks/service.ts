import type { MethodDefinition, ServiceDefinition } from "../../../src/grpc/index.js";

const same = (bytes: Buffer): Buffer => bytes;

function method(name: string, streams: boolean): MethodDefinition<Buffer, Buffer> {
  return { path: `/attacks.Target/${name}`, requestStream: streams, responseStream: streams, requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };
}

/** The victim's service: messages are plain bytes. */
export const service = { Reply: method("Reply", false), Ignore: method("Ignore", true), Take: method("Take", true) } satisfies ServiceDefinition;
