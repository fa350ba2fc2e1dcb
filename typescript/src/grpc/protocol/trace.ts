import { LogVerbosity, isTraced, trace } from "../logging.js";

/** An event of a channel or of one of its addresses (channelz, ChannelTraceEvent). */
export interface TraceEvent {
  readonly text: string;
  readonly warning: boolean;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Events that are kept: older ones are forgotten. */
const KEPT = 32;

/** The last events of a channel or address, for channelz; also written to the log, if the environment asks for it. */
export class Trace {
  readonly #tracer: string;
  readonly created = Date.now();
  /** Events so far, those too that have been forgotten. */
  logged = 0;
  readonly events: TraceEvent[] = [];

  /** @param tracer grpc-js's name of what is traced */
  constructor(tracer: string) {
    this.#tracer = tracer;
  }

  /** @param subject what the log says that it is about */
  add(text: string, warning = false, subject = ""): void {
    if (isTraced(this.#tracer)) trace(LogVerbosity.DEBUG, this.#tracer, `${subject} ${text}`);
    this.logged += 1;
    this.events.push({ text, warning, time: Date.now() });
    if (this.events.length > KEPT) this.events.shift();
  }
}
