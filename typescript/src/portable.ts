/** The parts that need nothing of Node. */
export * as core from "./core/index.js";
export * as pack from "./pack/index.js";
