import { test } from "node:test";
import { Random } from "../pack/corpus.js";
import { attackAll, attackUnary } from "./attack-server.js";

test("random unary requests: every call that begins ends once", () => {
  const random = new Random(20_261_122);
  for (let input = 0; input < 800; input += 1) {
    const { what, run } = attackUnary(random);
    try {
      run();
    } catch (error) {
      throw new Error(what, { cause: error });
    }
  }
});

test("random requests of every kind: every call that begins ends once", async () => {
  for (let seed = 0; seed < 400; seed += 1) {
    try {
      await attackAll(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});
