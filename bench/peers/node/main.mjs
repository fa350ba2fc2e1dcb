// `node main.mjs list` names the peers; `… PEER WORKLOAD --warm S --samples N --sample S` times one of them on one shape.
// Output is one JSON object a line.

import { named, parse } from "./arguments.mjs";
import { report } from "./measure.mjs";
import { PEERS, load } from "./peers.mjs";

const { name, shape, plan } = parse(process.argv.slice(2));
if (name === "list") console.log(JSON.stringify(named(PEERS)));
else {
  for (const line of report(await load(name), shape, plan, ["encode", "into", "fresh", "decode"])) console.log(JSON.stringify(line));
}
