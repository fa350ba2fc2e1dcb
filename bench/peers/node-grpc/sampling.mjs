// How long a peer warms up, and how many messages make a sample.

/** A sample of load is that many times as long as one of a codec: what runs has to come into its stride. */
const STRETCH = 6;
/** Share of the warm-up that a program needs that is compiled before it runs. */
const COMPILED = 0.25;
/** The longest warm-up comes in that many parts; it ends before where the last `STILL` differ by less than `APART`. */
const PARTS = 10, STILL = 4, APART = 0.05;

/** How many messages take that long, in multiples of those that are open at once, so that all of them end together; at least so many. */
const countFor = (seconds, wall, { multiple, least = multiple }) => Math.max(Math.ceil(least / multiple), Math.round((seconds * 1e9) / wall / multiple)) * multiple;

const still = (seen) => seen.length >= STILL && Math.max(...seen.slice(-STILL)) < Math.min(...seen.slice(-STILL)) * (1 + APART);

/** Has `once(count)` run until it is warm; answers how many messages make a sample. sizes: `first` count, `multiple` and `least` of all counts. */
export async function warmedUp(once, sizes, compiles, plan) {
  const warm = compiles ? plan.warm : plan.warm * COMPILED;
  const seen = [];
  let last = await once(sizes.first);
  for (const end = performance.now() + warm * 1e3; performance.now() < end && !still(seen); seen.push(last.cpu)) last = await once(countFor(warm / PARTS, last.wall, sizes));
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
