import { test } from "node:test";
import { Random } from "../pack/corpus.js";
import { attackConnection, attackDecoder } from "./attack.js";

for (const [name, attack, inputs] of [["frames", attackConnection, 1_500], ["header blocks", attackDecoder, 3_000]] as const) {
  test(`random ${name}, whole and in pieces: the same events, one end, bounded cost`, () => {
    const random = new Random(20_261_121);
    for (let i = 0; i < inputs; i++) {
      const { what, run } = attack(random);
      try {
        run();
      } catch (error) {
        throw new Error(`input ${i}: ${what}`, { cause: error });
      }
    }
  });
}
