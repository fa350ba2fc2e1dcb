/** The service of a data set's proto file, as every program with grpc-js and proto-loader has it. */
import { writeFileSync } from "node:fs";
import { loadSync } from "@grpc/proto-loader";
import { loadPackageDefinition } from "samewire/grpc";
import type { MethodDefinition, ServiceClientConstructor } from "samewire/grpc";
import type * as pack from "samewire/pack";
import { protobuf, type Message, type Protobuf } from "./protobuf.js";

export interface ProtobufService extends Protobuf {
  readonly Client: ServiceClientConstructor;
  readonly fetch: MethodDefinition<Message, Message>;
}

/** @param folder where the proto file is kept */
export function protobufService(type: pack.Type, folder: string): ProtobufService {
  const made = protobuf(type);
  const path = `${folder}/tour.proto`;
  writeFileSync(path, made.file);
  const loaded = loadPackageDefinition(loadSync(path, { keepCase: true, longs: String, defaults: true })) as { tour: { Tour: ServiceClientConstructor } };
  const { Tour } = loaded.tour;
  return { ...made, Client: Tour, fetch: Tour.service["Fetch"] as MethodDefinition<Message, Message> };
}
