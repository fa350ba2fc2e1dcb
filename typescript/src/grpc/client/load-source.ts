/**
 * How a policy gets load reports: not at all, with each call, or on a stream to each server, with this many
 * milliseconds between two.
 */
export type LoadSource = "none" | "calls" | number;
