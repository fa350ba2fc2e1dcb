import type { WalkerParts } from "../wire/walker.js";
import type { ValueWalker } from "./value-walker.js";
import type { WriterParts } from "./value-writer.js";

/** The small codec's code for lists, maps and `any`: set when the program makes such a type. */
export const parts: {
  readonly reading: WalkerParts;
  readonly writing: WriterParts;
  check: ((walker: ValueWalker, value: unknown) => void) | undefined;
} = { reading: {}, writing: {}, check: undefined };
