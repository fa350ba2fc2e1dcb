/**
 * The hop over gRPC: what came is served as typed values, fetched by a client over loopback, and encoded again.
 *
 * usage: node call.js WORK INCOMING (the language whose messages it takes)
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createClient, createServer } from "samewire/grpc";
import { packService } from "samewire/grpc/pack";
import * as pack from "samewire/pack";
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

const [work, incoming] = process.argv.slice(2);
const { sets } = JSON.parse(readFileSync(`${work}/tour.json`, "utf8")) as { readonly sets: readonly { readonly id: string }[] };
for (const { id } of sets) {
  const type = (roots as Record<string, pack.Type>)[id];
  if (type === undefined) throw new Error(`${id} has no type`);
  writeFileSync(`${work}/${id}/grpc.pack`, await carry(type, new Uint8Array(readFileSync(`${work}/${id}/${incoming}.pack`))));
}
