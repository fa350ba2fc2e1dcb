// `node main.mjs list` names the peers; `… PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]` times one of them.
// Output is one JSON object a line.

import { readFile } from "node:fs/promises";
import { parse } from "./arguments.mjs";
import { report } from "./measure.mjs";
import { fileOf, list, version } from "./peers.mjs";
import { workload } from "./workload.mjs";

const print = (line) => console.log(JSON.stringify(line));

if (process.argv[2] === "list") print(await list());
else {
  const { name, shape, plan, own } = parse(process.argv.slice(2));
  const ops = ["encode", "into", "fresh", "decode"];
  const load = async () => (await import(fileOf(name))).rows[name];
  const read = async (file) => new Uint8Array(await readFile(file));
  for await (const line of report(load, version, await workload(shape, own, read), plan, ops)) print(line);
}
