import type { WalkerParts } from "../wire/walker.js";
import type { ValueWalker } from "./value-walker.js";
import type { WriterParts } from "./value-writer.js";

/** What the small codec reads and writes lists, maps and `any` by, as far as the program has made such types. */
export const parts: {
  readonly reading: WalkerParts;
  readonly writing: WriterParts;
  check: ((walker: ValueWalker, value: unknown) => void) | undefined;
} = { reading: {}, writing: {}, check: undefined };
