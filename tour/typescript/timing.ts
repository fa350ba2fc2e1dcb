/** CPU time of operations, measured in turns so that a slow moment of the machine meets all of them. */

/** One thing to time. `cpu`: nanoseconds of one run, an entry a round. */
export interface Operation {
  readonly run: () => unknown;
  count: number;
  readonly cpu: number[];
}

/** Results go here, so that no optimiser drops the work. */
export let sink: unknown;

export function operation(run: () => unknown): Operation {
  return { run, count: 1, cpu: [] };
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e3;
}

function warmUp(each: Operation, warm: number, round: number): void {
  const begun = performance.now();
  let runs = 0;
  let spent = 0;
  while (runs === 0 || spent < warm * 1e3) {
    sink = each.run();
    runs++;
    spent = performance.now() - begun;
  }
  each.count = Math.max(1, Math.round((round * 1e3) / (spent / runs)));
}

/** `warm`: seconds each is run before. `round`: seconds of one measurement. */
export function measure(operations: readonly Operation[], warm: number, rounds: number, round: number): void {
  for (const each of operations) warmUp(each, warm, round);
  for (let i = 0; i < rounds; i++) {
    for (const each of operations) {
      const before = cpu();
      for (let j = 0; j < each.count; j++) sink = each.run();
      each.cpu.push((cpu() - before) / each.count);
    }
  }
}
