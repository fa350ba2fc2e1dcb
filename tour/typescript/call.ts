/**
 * The hop over gRPC: what came is served as typed values, fetched by a client over loopback, and encoded again: once as pack
 * messages, and once as protobuf.
 *
 * usage: node call.js WORK INCOMING (the language whose messages it takes)
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Server, ServerCredentials, createClient, createServer, credentials } from "samewire/grpc";
import type { ServiceError, sendUnaryData } from "samewire/grpc";
import { packService } from "samewire/grpc/pack";
import * as pack from "samewire/pack";
import { protobufService } from "./protobuf-service.js";
import type { Message } from "./protobuf.js";
import { roots } from "./types/all.js";

const ANY_LENGTH = { "grpc.max_receive_message_length": -1 };

async function carry(type: pack.Type, arrived: Uint8Array): Promise<Uint8Array> {
  const codec = pack.codec(type);
  const Tour = packService("samewire.Tour", { Fetch: { request: pack.bool, response: type } });
  const server = createServer().add(Tour, { Fetch: () => Promise.resolve(codec.decode(arrived)) });
  const port = await server.serve("127.0.0.1:0");
  const client = createClient(Tour, `127.0.0.1:${port}`, ANY_LENGTH);
  try {
    return codec.encode(await client.Fetch(true, { timeout: 60_000 }));
  } finally {
    await client[Symbol.asyncDispose]();
    await server.close(1_000);
  }
}

/** The same as a program does it that was written for grpc-js and proto-loader. */
async function carryProtobuf(type: pack.Type, arrived: Uint8Array, folder: string): Promise<Uint8Array> {
  const codec = pack.codec(type);
  const { Client, to, from } = protobufService(type, folder);
  const server = new Server();
  server.addService(Client.service, {
    Fetch: (_call: unknown, callback: sendUnaryData<Message>) => { callback(null, to(codec.decode(arrived))); },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => { if (error) reject(error); else resolve(bound); });
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), ANY_LENGTH);
  const fetch = (client["Fetch"] as (ask: Message, callback: (error: ServiceError | null, root?: Message) => void) => void).bind(client);
  try {
    return codec.encode(from(await new Promise<Message>((resolve, reject) => { fetch({}, (error, root) => { if (error) reject(error); else resolve(root!); }); })));
  } finally {
    client.close();
    server.forceShutdown();
  }
}

const [work, incoming] = process.argv.slice(2);
const { sets } = JSON.parse(readFileSync(`${work}/tour.json`, "utf8")) as { readonly sets: readonly { readonly id: string }[] };
for (const { id } of sets) {
  const type = (roots as Record<string, pack.Type>)[id];
  if (type === undefined) throw new Error(`${id} has no type`);
  const folder = `${work}/${id}`;
  const arrived = new Uint8Array(readFileSync(`${folder}/${incoming}.pack`));
  writeFileSync(`${folder}/grpc.pack`, await carry(type, arrived));
  writeFileSync(`${folder}/grpc-protobuf.pack`, await carryProtobuf(type, arrived, folder));
}
