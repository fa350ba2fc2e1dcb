import { clock } from "../../transport/clock.js";
import { HeaderFields } from "../http2/index.js";
import type { Metadata } from "../protocol/metadata.js";
import { formatTimeout } from "../protocol/timeout.js";

/**
 * The header fields of one attempt of a call beside those of its method; undefined for none.
 *
 * @param end the deadline in the clock's milliseconds; Infinity for none
 * @param previous attempts before this one
 * @param metadata what the caller sends
 * @param generated call credentials: they stay out of compression tables
 * @throws Error for metadata that cannot be sent
 */
export function attemptFields(end: number, previous: number, metadata: Metadata | null, generated: Metadata | null): HeaderFields | undefined {
  if (end === Infinity && metadata === null && generated === null && previous === 0) return undefined;
  const list: string[] = [];
  if (end !== Infinity) list.push("grpc-timeout", formatTimeout(end - clock.now()));
  if (previous > 0) list.push("grpc-previous-rpc-attempts", String(previous));
  metadata?.appendFields(list);
  generated?.appendFields(list);
  if (list.length === 0) return undefined;
  const pairs: [string, string][] = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([list[at]!, list[at + 1]!]);
  return new HeaderFields(pairs, generated === null ? "once" : "secret");
}
