/** Loaded before tests: their property tests have the same values in each run. */
import fc from "fast-check";

fc.configureGlobal({ seed: 1 });
