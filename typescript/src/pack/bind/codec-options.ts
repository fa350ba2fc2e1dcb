import { described } from "../../core/described.js";
import { SamewireError } from "../../core/error.js";
import type { Profile } from "../wire/writer.js";

const PROFILES: readonly unknown[] = ["compact", "fast"];
const TIMES: readonly unknown[] = ["exact", "truncate"];

/**
 * Checks the options of a codec, and returns its profile. All but the profile, the limits and the times are flags.
 *
 * @param known the names of all options
 * @throws SamewireError `misuse` for a wrong value, and for an unknown option: in JavaScript a misspelt one would do nothing.
 */
export function profileOf(options: { readonly profile?: Profile }, known: readonly string[]): Profile {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) throw new SamewireError("misuse", `expected an object of the options of a codec, got ${described(given)}`);
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (!known.includes(name)) throw new SamewireError("misuse", `there is no option ${name} of a codec, only ${known.join(", ")}`);
    if (value === undefined || name === "limits" || name === "profile") continue;
    if (name === "times") {
      if (!TIMES.includes(value)) throw new SamewireError("misuse", `times is ${TIMES.map((times) => JSON.stringify(times)).join(" or ")}, not ${described(value)}`);
    } else if (typeof value !== "boolean") {
      throw new SamewireError("misuse", `the option ${name} is true or false, not ${described(value)}`);
    }
  }
  const profile = options.profile ?? "compact";
  if (!PROFILES.includes(profile)) throw new SamewireError("misuse", `the profile is "compact" or "fast", not ${described(profile)}`);
  return profile;
}
