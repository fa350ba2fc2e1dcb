import { test } from "node:test";
import { Random } from "../pack/corpus.js";
import { attackCallsToTheEnd } from "./attack-client.js";
import { attackMessages } from "./attack-messages.js";

for (const [name, seeds, repeated] of [["", 1_200, false], [", with retries and hedges", 240, true]] as const) {
  test(`every call ends once, with any bytes from the server, and no event follows${name}`, async () => {
    for (let seed = 0; seed < seeds; seed += 1) {
      try {
        await attackCallsToTheEnd(seed, repeated);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
}

test("random messages and texts of gRPC's own are read or refused, whole as in pieces", () => {
  const random = new Random(20_261_123);
  for (let input = 0; input < 2_000; input += 1) {
    const { what, run } = attackMessages(random);
    try {
      run();
    } catch (error) {
      throw new Error(what, { cause: error });
    }
  }
});
