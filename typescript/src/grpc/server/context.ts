import type { Encodings } from "../protocol/compression.js";
import type { QueueBudget } from "../http2/queue-budget.js";
import type { InflateTurns } from "../transport/inflate-turns.js";
import type { Routes } from "./routes.js";
import type { ReplyTable } from "./reply-fields.js";
import type { ServerInterceptor } from "./intercepting.js";
import type { ServerSettings } from "./settings.js";
import type { Counters } from "../protocol/statistics.js";

/** What all calls of one listener share. */
export interface ServerContext {
  readonly routes: Routes;
  readonly settings: ServerSettings;
  readonly encodings: Encodings;
  readonly replies: ReplyTable;
  /** From the innermost to the outermost. Without any, unary calls take the fast path. */
  readonly interceptors: readonly ServerInterceptor[];
  /** Of connections that have ended. */
  readonly counters: Counters;
  /** Which long message is decompressed next. */
  readonly inflateTurns: InflateTurns;
  /** Bounds the requests of all connections that no handler has yet. */
  readonly requestBudget: QueueBudget;
}
