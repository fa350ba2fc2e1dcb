/** An event of a channel or of one of its addresses (channelz, ChannelTraceEvent). */
export interface TraceEvent {
  readonly text: string;
  readonly warning: boolean;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Events that are kept: older ones are forgotten. */
const KEPT = 32;

/** The last events of a channel or address, for channelz. */
export class Trace {
  readonly created = Date.now();
  /** Events so far, those too that have been forgotten. */
  logged = 0;
  readonly events: TraceEvent[] = [];

  add(text: string, warning = false): void {
    this.logged += 1;
    this.events.push({ text, warning, time: Date.now() });
    if (this.events.length > KEPT) this.events.shift();
  }
}
