import { MessageBacklog } from "../protocol/message-backlog.js";

/**
 * Messages of a response that wait: those that the caller has not asked for, and those behind one that is being
 * decompressed. They stay compressed, and their bytes stay unacknowledged, so that the windows bound them. Most
 * attempts have none, and make no such object.
 */
export class WaitingMessages {
  readonly backlog = new MessageBacklog();
  delivering = false;
  inflating = false;
  /** Bytes of DATA that belong to no message of the backlog, not acknowledged because the caller did not wait for more. */
  debt = 0;
  /** Reports how the attempt ended; runs after the messages that came before. */
  conclusion: (() => void) | null = null;

  /** Whether the call has had all messages that came. */
  get idle(): boolean {
    return !this.inflating && this.backlog.size === 0;
  }
}
