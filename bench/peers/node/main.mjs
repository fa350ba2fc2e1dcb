// `node main.mjs list` names the peers; `… PEER SHAPE WARM SAMPLES SAMPLE` times one of them on one shape.
// Output is one JSON object a line.

import { report } from "./measure.mjs";
import { PEERS, load } from "./peers.mjs";

const [name, shape, warm, samples, sample] = process.argv.slice(2);
if (name === "list") console.log(JSON.stringify(PEERS));
else {
  const plan = { warm: Number(warm), samples: Number(samples), sample: Number(sample) };
  for (const line of report(await load(name), shape, plan, ["encode", "into", "fresh", "decode"])) console.log(JSON.stringify(line));
}
