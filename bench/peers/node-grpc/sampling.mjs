// How long a peer warms up, and how many messages make a sample.

/** A sample of load is that many times as long as one of a codec: what runs has to come into its stride. */
const STRETCH = 10;
/** Share of the warm-up that a program needs that is compiled before it runs. */
const COMPILED = 0.25;

/** How many messages take that long, in multiples of those that are open at once: all of them end together. */
const countFor = (seconds, wall, multiple) => Math.max(1, Math.round((seconds * 1e9) / wall / multiple)) * multiple;

/** Has `once(count)` run until it is warm; answers how many messages make a sample. */
export async function warmedUp(once, { first, multiple }, compiles, plan) {
  const warm = compiles ? plan.warm : plan.warm * COMPILED;
  let last = await once(first);
  for (const end = performance.now() + warm * 1e3; performance.now() < end; ) last = await once(countFor(warm / 4, last.wall, multiple));
  return countFor(plan.sample * STRETCH, last.wall, multiple);
}

/** That many samples of so many messages. */
export async function samplesOf(once, count, { samples }) {
  const taken = [];
  while (taken.length < samples) taken.push(await once(count));
  return taken;
}

/** The row of what a message costs. */
export const costs = (samples) => ({ op: "call", unit: "ns/op", cpu: samples.map(({ cpu }) => cpu), wall: samples.map(({ wall }) => wall) });
