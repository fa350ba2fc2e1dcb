// What calls took, and their percentiles.

/** The percentiles that are told, by the name of their row. */
export const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99, "p99.9": 0.999 };

/** Room for so many calls, so that none is made while calls run. */
export class Latencies {
  #times;
  #count = 0;

  constructor(most) {
    this.#times = new Float64Array(most);
  }

  /** Notes one call, in milliseconds. */
  add(time) {
    this.#times[this.#count] = time;
    this.#count += 1;
  }

  /** Nanoseconds within which that share of calls ended, by the names of `PERCENTILES`. */
  told() {
    const sorted = this.#times.subarray(0, this.#count).sort();
    return Object.fromEntries(Object.entries(PERCENTILES).map(([name, share]) => [name, Math.round(sorted[Math.ceil(share * this.#count) - 1] * 1e6)]));
  }
}
