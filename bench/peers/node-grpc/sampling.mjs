// How long a peer warms up, and how many messages make a sample.

/** A sample of load is that many times as long as one of a codec: what runs has to come into its stride. */
const STRETCH = 6;
/** Share of the warm-up that a program needs that is compiled before it runs. */
const COMPILED = 0.25;
/** The longest warm-up comes in that many parts; it ends before where the last `STILL` differ by less than `APART`. */
const PARTS = 10, STILL = 4, APART = 0.05;
/** Share of the warm-up that has to be CPU time, so that a busy machine leaves nobody half warm; it may make a warm-up so many times as long. */
const WORKED = 0.5, LATEST = 4;

/** How many messages take that long, in multiples of those that are open at once, so that all of them end together; at least so many. */
const countFor = (seconds, wall, { multiple, least = multiple }) => Math.max(Math.ceil(least / multiple), Math.round((seconds * 1e9) / wall / multiple)) * multiple;

const still = (seen) => seen.length >= STILL && Math.max(...seen.slice(-STILL)) < Math.min(...seen.slice(-STILL)) * (1 + APART);

/** Runs `once(count)` until it is warm; returns how many messages make a sample. sizes: `first` count, `multiple` and `least` of all counts. */
export async function warmedUp(once, sizes, compiles, plan) {
  const warm = compiles ? plan.warm : plan.warm * COMPILED;
  const begun = performance.now();
  const passed = () => (performance.now() - begun) / 1e3;
  const seen = [];
  let worked = 0;
  let last = await once(sizes.first);
  while (!still(seen) && passed() < warm * LATEST && (passed() < warm || worked < warm * WORKED)) {
    const count = countFor(warm / PARTS, last.wall, sizes);
    last = await once(count);
    worked += (last.cpu * count) / 1e9;
    seen.push(last.cpu);
  }
  return countFor(plan.sample * STRETCH, last.wall, sizes);
}

/** That many samples of so many messages. */
export async function samplesOf(once, count, { samples }) {
  const taken = [];
  while (taken.length < samples) taken.push(await once(count));
  return taken;
}

/** The row of what a message costs. */
export const costs = (samples) => ({ op: "call", unit: "ns/op", cpu: samples.map(({ cpu }) => cpu), wall: samples.map(({ wall }) => wall) });
