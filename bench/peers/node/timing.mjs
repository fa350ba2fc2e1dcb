// Cost of one operation in nanoseconds, after a warm-up that ends when the figures hold still. Node and browsers.

/** Results go here, so that no optimiser drops the work. */
export let sink;

/** `cpu` and `wall` answer nanoseconds; a browser has no CPU clock and gives its wall clock twice. */
export function clocks() {
  const wall = () => performance.now() * 1e6;
  if (typeof process === "undefined") return { cpu: wall, wall };
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1e3;
  };
  return { cpu, wall };
}

/** The same argument again and again. `plan` is { warm, samples, sample }, seconds. */
export function repeated(operation, argument, plan) {
  const clock = clocks();
  const window = (count) => {
    const wall = clock.wall();
    const cpu = clock.cpu();
    for (let i = 0; i < count; i++) sink = operation(argument);
    return [(clock.cpu() - cpu) / count, (clock.wall() - wall) / count];
  };
  const target = plan.sample * 1e9;
  let count = 1;
  let spent = 0;
  let last = 0;
  for (;;) {
    const [cpu, wall] = window(count);
    const whole = wall * count;
    spent += cpu * count;
    if (whole < target / 2) count = Math.max(count + 1, Math.trunc(count * Math.min(10, target / Math.max(whole, 1))));
    else if (spent > plan.warm * 1e9 || (spent > plan.warm * 3e8 && Math.abs(cpu - last) < 0.03 * cpu)) break;
    last = cpu;
  }
  const cost = { cpu: [], wall: [] };
  for (let i = 0; i < plan.samples; i++) {
    const [cpu, wall] = window(count);
    cost.cpu.push(cpu);
    cost.wall.push(wall);
  }
  return cost;
}

/** Every argument is used once, so that its texts have no cached hash; `build` makes one. */
export function fresh(operation, build, copies, plan) {
  const clock = clocks();
  const cost = { cpu: [], wall: [] };
  const measured = clock.wall() + plan.warm * 5e8;
  while (cost.cpu.length < plan.samples) {
    let [cpu, wall, done] = [0, 0, 0];
    while (wall < (plan.sample * 1e9) / 4) {
      const values = Array.from({ length: copies }, build);
      const started = clock.wall();
      const used = clock.cpu();
      for (const value of values) sink = operation(value);
      cpu += clock.cpu() - used;
      wall += clock.wall() - started;
      done += copies;
    }
    if (clock.wall() < measured) continue;
    cost.cpu.push(cpu / done);
    cost.wall.push(wall / done);
  }
  return cost;
}
