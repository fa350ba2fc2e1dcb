import { test } from "node:test";
import type { TestContext } from "node:test";

/**
 * Registers a test that judges time, rates or a process' memory, which depend on what else the machine does. `npm test`
 * leaves it out; `npm run hard` runs these alone, one at a time.
 */
export function hardTest(name: string, body: (context: TestContext) => void | Promise<void>): void {
  if (process.env["SAMEWIRE_HARD"] === "1") void test(`hard: ${name}`, body);
}
