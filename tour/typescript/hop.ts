/**
 * The hop through TypeScript: decodes what came to typed objects, encodes them again, and times it beside JSON, protobuf and msgpackr.
 *
 * usage: node hop.js WORK INCOMING (the language whose messages it takes)
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { Packr } from "msgpackr";
import * as pack from "samewire/pack";
import { protobufService } from "./protobuf-service.js";
import { measure, operation } from "./timing.js";
import { roots } from "./types/all.js";

interface Plan {
  readonly sets: readonly { readonly id: string }[];
  readonly warm: number;
  readonly rounds: number;
  readonly round: number;
}

interface Way {
  readonly name: string;
  readonly ours: boolean;
  readonly data: Uint8Array;
  readonly encode: () => unknown;
  readonly decode: () => unknown;
}

/** A peer that cannot carry the data, and why. */
interface Refusal {
  readonly name: string;
  readonly refused: string;
}

function way<T>(name: string, value: T, encode: (value: T) => Uint8Array, decode: (data: Uint8Array) => unknown): Way {
  const data = encode(value).slice();
  decode(data);
  return { name, ours: name.startsWith("Samewire"), data, encode: () => encode(value), decode: () => decode(data) };
}

function peer<T>(...of: Parameters<typeof way<T>>): Way | Refusal {
  try {
    return way(...of);
  } catch (error) {
    return { name: of[0], refused: String(error) };
  }
}

const text = new TextEncoder();
const plainText = new TextDecoder();

function ways<T>(type: pack.Type<T>, incoming: Uint8Array, json: Uint8Array, folder: string): (Way | Refusal)[] {
  const compact = pack.codec(type);
  const fast = pack.codec(type, { profile: "fast" });
  const value = compact.decode(incoming);
  const plain: unknown = JSON.parse(plainText.decode(json));
  const packr = new Packr({ structures: [] });
  const { to, fetch } = protobufService(type, folder);
  return [
    way("Samewire compact", value, (each) => compact.encode(each), (data) => compact.decode(data)),
    way("Samewire fast", value, (each) => fast.encode(each), (data) => fast.decode(data)),
    peer("JSON", plain, (each) => text.encode(JSON.stringify(each)), (data) => JSON.parse(plainText.decode(data)) as unknown),
    peer("protobuf (proto-loader)", to(value), (each) => fetch.responseSerialize(each), (data) => fetch.responseDeserialize(Buffer.from(data.buffer, data.byteOffset, data.byteLength))),
    // A Buffer is what msgpackr writes and reads fastest.
    peer("msgpackr records", plain, (each) => packr.pack(each), (data) => packr.unpack(Buffer.from(data.buffer, data.byteOffset, data.byteLength)) as unknown),
  ];
}

function main(work: string, incoming: string): void {
  const plan = JSON.parse(readFileSync(`${work}/tour.json`, "utf8")) as Plan;
  const sets: Record<string, unknown[]> = {};
  for (const { id } of plan.sets) {
    const folder = `${work}/${id}`;
    const arrived = new Uint8Array(readFileSync(`${folder}/${incoming}.pack`));
    const type = (roots as Record<string, pack.Type>)[id];
    if (type === undefined) throw new Error(`${id} has no type`);
    const found = ways(type, arrived, readFileSync(`${folder}/plain.json`), folder);
    const timed = found.map((each) => ("refused" in each ? each : { ...each, encoding: operation(each.encode), decoding: operation(each.decode) }));
    const working = timed.flatMap((each) => ("refused" in each ? [] : [each]));
    measure([...working.map((each) => each.encoding), ...working.map((each) => each.decoding)], plan.warm, plan.rounds, plan.round);
    sets[id] = timed.map((each, index) => {
      if ("refused" in each) return each;
      const file = `typescript-${index}.bin`;
      writeFileSync(`${folder}/${file}`, each.data);
      return { name: each.name, ours: each.ours, file, encode: each.encoding.cpu, decode: each.decoding.cpu };
    });
    copyFileSync(`${folder}/typescript-0.bin`, `${folder}/typescript.pack`);
  }
  writeFileSync(`${work}/typescript.json`, JSON.stringify({ runtime: `Node ${process.versions.node}`, sets }) + "\n");
}

main(process.argv[2]!, process.argv[3]!);
