import { SamewireError } from "../../core/error.js";

/** Throws for keys that became equal, of which all but one would be lost. */
export function lost(made: number, given: number): never {
  throw new SamewireError("type_mismatch", `the functions of as() made ${made} different keys of ${given}: one would be lost`);
}
