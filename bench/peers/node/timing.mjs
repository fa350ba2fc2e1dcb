// Cost of one operation in nanoseconds, sampled by mitata after a warm-up that ends when the figures hold still. Node and browsers.
// mitata's loop is told how many runs make a sample and is given our clock, which notes CPU time beside wall time.

import { measure } from "mitata";

/** Samples at the start, in which V8 compiles mitata's loop; dropped. */
const COLD = 2;
const HEAP_SAMPLES = 16;
/** Runs of the warm-up go here, so that no optimiser drops them. */
export let sink;

const node = typeof process !== "undefined";
const wallClock = () => performance.now() * 1e6;
const cpuOfProcess = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
};
/** A page asks the program that started the browser; the page's thread waits. */
const cpuOfPage = () => {
  const request = new globalThis.XMLHttpRequest();
  request.open("GET", "/cpu", false);
  request.send();
  return Number(request.responseText);
};
/** Nanoseconds. */
const cpu = node ? cpuOfProcess : cpuOfPage;
/** What the clock itself uses between two of its answers: nothing in Node, some tenths of a millisecond in a page. */
const CLOCK_COST = node ? 0 : costOf(cpuOfPage);

function costOf(clock) {
  const costs = Array.from({ length: 30 }, () => {
    const before = clock();
    return clock() - before;
  });
  return costs.sort((a, b) => a - b)[costs.length >> 1];
}

/** mitata calls this at the start and at the end of every sample; the wall clock is read within. */
function notingClock() {
  const times = [];
  const clock = () => {
    const end = times.length % 2 ? wallClock() : 0;
    const used = cpu();
    const now = end || wallClock();
    times.push([used, now]);
    return now;
  };
  return { times, clock };
}

/** How many runs last `seconds`, found while warming up. */
function warmUp(operation, argument, plan) {
  const target = Math.max(plan.sample, 0.02) * 1e9;
  let count = 1;
  let spent = 0;
  let last = 0;
  for (;;) {
    const used = cpu();
    const wall = wallClock();
    for (let i = 0; i < count; i++) sink = operation(argument);
    const whole = wallClock() - wall;
    const each = (cpu() - used - CLOCK_COST) / count;
    spent += each * count;
    if (whole < target / 2) count = Math.max(count + 1, Math.trunc(count * Math.min(10, target / Math.max(whole, 1))));
    else if (spent > plan.warm * 1e9 || (spent > plan.warm * 3e8 && Math.abs(each - last) < 0.03 * each)) return Math.max(1, (count * plan.sample * 1e9) / target);
    last = each;
  }
}

async function sampled(benchmark, { runs, samples, heap = null }) {
  const unroll = runs < 4 ? 1 : 4;
  const rounded = Math.max(unroll, Math.round(runs / unroll) * unroll);
  const { times, clock } = notingClock();
  const stats = await measure(benchmark, {
    ...{ now: clock, heap, gc: heap ? globalThis.gc : false },
    // All calls in batches of this size, so many of them, and no other end.
    ...{ batch_samples: rounded, batch_unroll: unroll, warmup_threshold: Infinity, batch_threshold: Infinity },
    ...{ min_samples: samples, max_samples: samples, min_cpu_time: 0, samples_threshold: Infinity },
  });
  const cost = { cpu: [], wall: [] };
  for (let i = 0; i + 1 < times.length; i += 2) {
    cost.cpu.push(Math.max(0, times[i + 1][0] - times[i][0] - CLOCK_COST) / rounded);
    cost.wall.push((times[i + 1][1] - times[i][1]) / rounded);
  }
  return { cost, stats };
}

/** Bytes of the heap, and of the memory of arrays outside it. */
function heapBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same argument again and again. `plan` is { warm, samples, sample }, seconds; `heap` bytes of an operation, null if unknown. */
export async function repeated(operation, argument, plan) {
  const runs = warmUp(operation, argument, plan);
  const { cost } = await sampled(() => operation(argument), { runs, samples: COLD + plan.samples });
  const [cpuSamples, wallSamples] = [cost.cpu.slice(COLD), cost.wall.slice(COLD)];
  let heap = null;
  if (node && globalThis.gc) {
    // Half a millisecond allocates less than the young generation has room for, so that no collection falls into a sample.
    const few = (runs * 5e-4) / plan.sample;
    const { stats } = await sampled(() => operation(argument), { runs: few, samples: HEAP_SAMPLES, heap: heapBytes });
    heap = stats.heap.total / stats.heap._;
  }
  return { unit: "ns/op", cpu: cpuSamples, wall: wallSamples, allocs: null, heap };
}

/** Every argument is used once, so that its texts have no cached hash; `build` makes one, off the clock. */
export async function fresh(operation, build, copies, plan) {
  const warm = wallClock();
  let [spent, batches] = [0, 0];
  while (spent < plan.warm * 5e8) {
    const values = Array.from({ length: copies }, build);
    const started = wallClock();
    for (const value of values) sink = operation(value);
    spent += (wallClock() - started) * 2;
    batches++;
    if (wallClock() - warm > plan.warm * 2e9) break;
  }
  const each = Math.max(1, Math.round((plan.sample * 1e9) / 4 / (spent / 2 / batches)));
  const benchmark = function* () {
    yield { 0: build, bench: (value) => operation(value) };
  };
  const { cost } = await sampled(benchmark, { runs: copies, samples: COLD + each * plan.samples });
  const mean = (figures) => figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  const groups = (figures) => Array.from({ length: plan.samples }, (_, index) => mean(figures.slice(COLD + index * each, COLD + (index + 1) * each)));
  return { unit: "ns/op", cpu: groups(cost.cpu), wall: groups(cost.wall), allocs: null, heap: null };
}

/** One run, the very first: what a program pays before its first message. */
export async function once(operation) {
  const wall = wallClock();
  const used = cpu();
  await operation();
  return { unit: "ns/op", cpu: [cpu() - used], wall: [wallClock() - wall], allocs: null, heap: null };
}
