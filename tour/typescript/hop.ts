/**
 * The hop through TypeScript: decodes what came to typed objects, encodes them again, and times it beside JSON and msgpackr.
 *
 * usage: node hop.js WORK INCOMING (the language whose messages it takes)
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Packr } from "msgpackr";
import * as pack from "samewire/pack";
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

function way<T>(name: string, ours: boolean, value: T, encode: (value: T) => Uint8Array, decode: (data: Uint8Array) => unknown): Way {
  const data = encode(value).slice();
  return { name, ours, data, encode: () => encode(value), decode: () => decode(data) };
}

const text = new TextEncoder();
const plainText = new TextDecoder();

function ways<T>(type: pack.Type<T>, incoming: Uint8Array, json: Uint8Array): Way[] {
  const compact = pack.codec(type);
  const fast = pack.codec(type, { profile: "fast" });
  const value = compact.decode(incoming);
  const plain: unknown = JSON.parse(plainText.decode(json));
  const packr = new Packr({ structures: [] });
  return [
    way("Samewire compact", true, value, (each) => compact.encode(each), (data) => compact.decode(data)),
    way("Samewire fast", true, value, (each) => fast.encode(each), (data) => fast.decode(data)),
    way("JSON", false, plain, (each) => text.encode(JSON.stringify(each)), (data) => JSON.parse(plainText.decode(data)) as unknown),
    // A Buffer is what msgpackr writes and reads fastest.
    way("msgpackr records", false, plain, (each) => packr.pack(each), (data) => packr.unpack(Buffer.from(data.buffer, data.byteOffset, data.byteLength)) as unknown),
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
    const found = ways(type, arrived, readFileSync(`${folder}/plain.json`));
    writeFileSync(`${folder}/typescript.pack`, found[0]!.data);
    const encodes = found.map((each) => operation(each.encode));
    const decodes = found.map((each) => operation(each.decode));
    measure([...encodes, ...decodes], plan.warm, plan.rounds, plan.round);
    sets[id] = found.map((each, index) => {
      const file = `typescript-${index}.bin`;
      writeFileSync(`${folder}/${file}`, each.data);
      return { name: each.name, ours: each.ours, file, encode: encodes[index]!.cpu, decode: decodes[index]!.cpu };
    });
  }
  writeFileSync(`${work}/typescript.json`, JSON.stringify({ runtime: `Node ${process.versions.node}`, sets }) + "\n");
}

main(process.argv[2]!, process.argv[3]!);
