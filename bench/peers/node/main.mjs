// `node main.mjs list` names the peers; `… PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]` times one of them.
// Output is one JSON object a line.

import { parse, workload } from "./arguments.mjs";
import { report } from "./measure.mjs";
import { fileOf, list, version } from "./peers.mjs";

const print = (line) => console.log(JSON.stringify(line));

if (process.argv[2] === "list") print(await list());
else {
  const { name, shape, plan, own } = await parse(process.argv.slice(2));
  const ops = ["encode", "into", "fresh", "decode"];
  const load = async () => (await import(fileOf(name))).rows[name];
  for await (const line of report(load, version, await workload(shape, own), plan, ops)) print(line);
}
