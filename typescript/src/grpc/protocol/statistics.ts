/** Counters of a connection, or of all connections of a server or an address, for channelz. */
export interface Statistics {
  readonly callsStarted: number;
  /** Calls that ended with OK. */
  readonly callsSucceeded: number;
  /** Calls that ended with any other status, or were refused. */
  readonly callsFailed: number;
  /** Streams that ended by a reset or with their connection; their calls may have succeeded. */
  readonly streamsReset: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
  readonly keepAlivesSent: number;
}

/** Counters behind `Statistics`. */
export class Counters implements Statistics {
  callsStarted = 0;
  callsSucceeded = 0;
  callsFailed = 0;
  streamsReset = 0;
  messagesSent = 0;
  messagesReceived = 0;
  keepAlivesSent = 0;

  add(other: Statistics): void {
    this.callsStarted += other.callsStarted;
    this.callsSucceeded += other.callsSucceeded;
    this.callsFailed += other.callsFailed;
    this.streamsReset += other.streamsReset;
    this.messagesSent += other.messagesSent;
    this.messagesReceived += other.messagesReceived;
    this.keepAlivesSent += other.keepAlivesSent;
  }

  /** A copy that stays as it is. */
  snapshot(): Statistics {
    const { callsStarted, callsSucceeded, callsFailed, streamsReset, messagesSent, messagesReceived, keepAlivesSent } = this;
    return Object.freeze({ callsStarted, callsSucceeded, callsFailed, streamsReset, messagesSent, messagesReceived, keepAlivesSent });
  }
}
