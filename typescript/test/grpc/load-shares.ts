import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { credentials, makeClientConstructor, type requestCallback } from "../../src/grpc/index.js";
import { pause } from "./peers.js";
import { notes, type Note } from "./serving.js";

/** Two servers of `notes`: at which ports, and how many calls each has handled so far. */
interface Loaded {
  readonly ports: readonly number[];
  readonly handled: readonly number[];
}

/**
 * Calls go by the loads that two servers tell, 0.9 and 0.1 at first: one in ten to the busy one, also after they have
 * changed places, by the policy itself and within outlier detection.
 *
 * @param swap lets the servers change places
 */
export async function followsLoads(context: TestContext, { ports, handled }: Loaded, policy: object, swap: () => void): Promise<void> {
  const Client = makeClientConstructor(notes, "notes.Notes");
  const target = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(",")}`;
  for (const chosen of [policy, { outlier_detection: { failurePercentageEjection: {}, childPolicy: [policy] } }]) {
    const options = { "grpc.service_config": JSON.stringify({ loadBalancingConfig: [chosen] }) };
    const client = new Client(target, credentials.createInsecure(), options) as unknown as { Unary(note: Note, done: requestCallback<Note>): void; close(): void };
    context.after(() => { client.close(); });
    const ask = async (): Promise<number[]> => {
      const before = [...handled];
      for (let call = 0; call < 100; call += 1) await new Promise((resolve) => { client.Unary({ text: "x" }, resolve); });
      return handled.map((count, at) => count - before[at]!);
    };
    for (const right of [10, 90]) {
      let shares: number[] = [];
      for (let round = 0; round < 100 && shares[0] !== right; round += 1) {
        shares = await ask();
        await pause(20);
      }
      assert.deepEqual(shares, [right, 100 - right]);
      swap();
    }
  }
}
