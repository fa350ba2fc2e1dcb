// Messages of one library's client: `node client.mjs LIBRARY PORT EXCHANGE` makes as many as each line of stdin says,
// {"count": N}, with "timed" notes what each took, with "rate" begins so many a second. It prints
// {"cpu": ns, "wall": ns, "percentiles": {NAME: ns} or null}, or {"trouble": why, "status": "cannot"} and ends; the end of stdin ends it.

import { createInterface } from "node:readline";
import { CLIENTS } from "./clients.mjs";
import { EXCHANGES, atRate } from "./exchanges.mjs";
import { Latencies } from "./latencies.mjs";

const [library, port, name] = process.argv.slice(2);
const client = await CLIENTS[library](port);

for await (const line of createInterface({ input: process.stdin })) {
  const { count, timed, rate } = JSON.parse(line);
  const latencies = timed ? new Latencies(count) : null;
  const note = timed ? (time) => latencies.add(time) : null;
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  try {
    await (rate ? atRate(client, count, rate, note) : EXCHANGES[name].exchange(client, count, note));
  } catch (error) {
    console.log(JSON.stringify({ trouble: error.message, status: error.status }));
    break;
  }
  const wall = Number(process.hrtime.bigint() - start);
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ cpu: (user + system) * 1e3, wall, percentiles: timed ? latencies.told() : null }));
}
process.exit();
