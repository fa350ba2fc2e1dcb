// The last stage: prints the stations of a record file. Usage: report.mjs FILE
import { createReadStream } from "node:fs";
import * as pack from "samewire/pack";

const Station = pack.codec(
  pack.struct("Station", { name: pack.string, trips: pack.i32, minutes: pack.i64AsNumber, busiest: pack.i32 }),
);

for await (const station of pack.readRecords(createReadStream(process.argv[2]), Station)) {
  const mean = (station.minutes / station.trips).toFixed(1);
  console.log(`${station.name}: ${station.trips} trips of ${mean} minutes, most at ${station.busiest}:00`);
}
