import type { AsyncResource } from "node:async_hooks";
import { READ_FASTER } from "../protocol/limit-remedies.js";
import { MessageBacklog } from "../protocol/message-backlog.js";
import { MessageReader, Reading } from "../protocol/message-reader.js";
import type { MessageSink } from "../protocol/message-reader.js";
import { PREFIX, copyMessage } from "../protocol/message-frame.js";
import { logRepeated, LogVerbosity } from "../logging.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import { uncaught } from "../uncaught.js";
import { callContext, enter } from "./call-context.js";
import { CallOutput } from "./call-output.js";
import { inflated, readingStatus } from "./incoming-message.js";
import type { Refusal } from "./incoming-message.js";
import type { HeadListener, InterceptingServerListener, ServerInterceptingCallInterface } from "./intercepting.js";
import { WAITING, WAITING_BYTES, WaitingReply } from "./waiting-reply.js";
import type { ReplyHolder } from "./waiting-reply.js";

function pass(listener: InterceptingServerListener, message: unknown): void {
  listener.onReceiveMessage(message);
}

/**
 * A call of any kind, message by message. Interceptors and streaming handlers drive it.
 *
 * A message is delivered when one is asked for. Until then it is buffered, and its bytes stay unacknowledged:
 * a client cannot send further ahead of a handler than the window and one message.
 */
export class StreamingCall extends CallOutput implements ServerInterceptingCallInterface, MessageSink, ReplyHolder {
  /** What the handler's stream sends to: the outermost interceptor, or this call. */
  outer: ServerInterceptingCallInterface = this;
  cutOff = false;
  /** The context of the handler and of the call's events. */
  #context: AsyncResource = callContext();
  readonly #reader = new MessageReader(this.owner.context.settings.maxReceiveBytes);
  #listener: InterceptingServerListener | null = null;
  /** Messages that were not asked for yet. Their bytes of the window are acknowledged when they are delivered. */
  readonly #waiting = new MessageBacklog();
  #wanted = false;
  #delivering = false;
  #inflating = false;
  /** Bytes of the message that is being decompressed, or waits for it. */
  #deflated = 0;
  #halfClosed = false;
  #halfClosePassed = false;
  /** Bytes of the present DATA frame that belong to no buffered message. */
  #free = 0;
  /** What is sent after the compression under way; null if there is none. */
  #behind: (() => void)[] | null = null;
  #drained: (() => void)[] = [];
  #lettingGo = false;
  /** Serialized messages that wait in the handler's stream, each with what is counted for it. */
  #kept: MessageBacklog | null = null;
  #keptBytes = 0;

  onData(bytes: Uint8Array, from: number, to: number, end: boolean): void {
    if (this.ended) {
      this.discard(to - from);
      return;
    }
    this.#free = to - from;
    const reading = this.#reader.read(bytes, from, to, this);
    this.acknowledge(this.#free);
    this.hold(this.#reader.buffered + this.#deflated);
    if (reading > Reading.Stopped) {
      const status = readingStatus(reading, this.#reader.announced, this.owner.context.settings.maxReceiveBytes);
      this.abort(status.code, status.details);
    } else if (end) {
      this.onHalfClose();
    }
  }

  onMessage(bytes: Uint8Array, from: number, to: number, compressed: boolean, isOwned: boolean): boolean {
    this.owner.counters.messagesReceived += 1;
    if (this.#wanted && !this.#delivering && !this.#inflating && this.#waiting.size === 0 && this.#listener !== null) {
      this.#delivering = true;
      this.#take(isOwned ? (bytes as Buffer) : copyMessage(bytes, from, to), compressed);
      this.#delivering = false;
      return !this.ended;
    }
    const windowBytes = Math.min(PREFIX + to - from, this.#free);
    this.#free -= windowBytes;
    this.#waiting.push(bytes, from, to, compressed, windowBytes, isOwned);
    return !this.ended;
  }

  /** The client has sent all. */
  onHalfClose(): void {
    if (this.ended) return;
    if (!this.#reader.atBoundary) {
      this.abort(Status.INTERNAL, "The request ended within a message");
      return;
    }
    this.#halfClosed = true;
    this.#deliver();
  }

  onWritable(): void {
    const drained = this.#drained;
    this.#drained = [];
    for (const callback of drained) {
      try {
        this.#context.runInAsyncScope(callback);
      } catch (thrown) {
        uncaught(thrown);
      }
    }
  }

  /** Runs what may begin the handler. */
  enter(begin: () => void): void {
    this.#context = enter(this.#context, begin);
  }

  start(listener: InterceptingServerListener | HeadListener): void {
    if (this.ended) return;
    this.#listener = listener;
    if ("onHead" in listener) listener.onHead(this);
    else listener.onReceiveMetadata(this.metadata);
  }

  startRead(): void {
    this.#wanted = true;
    this.#deliver();
  }

  /** Delivers messages while they are asked for. Listeners may ask for more from inside. */
  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    while (this.#wanted && !this.#inflating && !this.ended && this.#listener !== null) {
      const message = this.#waiting.shift();
      if (message === null) {
        this.#passHalfClose(this.#listener);
        break;
      }
      const { windowBytes, compressed } = this.#waiting;
      if (windowBytes > 0) this.stream.consume(windowBytes);
      if (!this.#take(message, compressed)) break;
    }
    this.#delivering = false;
  }

  /** Delivers one message. Returns false if the program's code threw. */
  #take(message: Buffer, compressed: boolean): boolean {
    try {
      if (compressed) this.#inflate(message);
      else this.#pass(message);
      return true;
    } catch (thrown) {
      uncaught(thrown);
      return false;
    }
  }

  #passHalfClose(listener: InterceptingServerListener): void {
    if (!this.#halfClosed || this.#halfClosePassed) return;
    this.#halfClosePassed = true;
    try {
      this.enter(() => {
        listener.onReceiveHalfClose();
      });
    } catch (thrown) {
      uncaught(thrown);
    }
  }

  #pass(bytes: Buffer): void {
    let message: unknown;
    try {
      message = this.route.deserialize(bytes);
    } catch (error) {
      this.unreadable(error);
      return;
    }
    this.#wanted = false;
    this.#context.runInAsyncScope(pass, undefined, this.#listener, message);
  }

  #inflate(message: Buffer): void {
    const refuse = (refusal: unknown): void => {
      const { code, message: details } = refusal as Refusal;
      this.abort(code, details);
    };
    let result: Buffer | Promise<Buffer>;
    try {
      result = inflated(this, message);
    } catch (refusal) {
      refuse(refusal);
      return;
    }
    if (Buffer.isBuffer(result)) {
      this.#pass(result);
      return;
    }
    this.#inflating = true;
    this.#deflated = message.length;
    this.hold(this.#reader.buffered + message.length);
    result.then((bytes) => {
      this.#inflating = false;
      if (this.ended) return;
      this.#deflated = 0;
      this.hold(this.#reader.buffered);
      this.#take(bytes, false);
      this.#deliver();
    }, refuse);
  }

  sendMessage(message: unknown, callback: () => void): void {
    if (this.ended) {
      this.#drop(callback);
      return;
    }
    if (this.#behind !== null) {
      this.#behind.push(() => {
        this.sendMessage(message, callback);
      });
      return;
    }
    const bytes = this.serialized(message);
    if (bytes !== null) this.#send(bytes, callback);
  }

  /**
   * Bounds the output of handlers that ignore the result of `write`: with them, a client that requests much and reads
   * nothing would make the server keep all of it.
   */
  keep(message: unknown): unknown {
    if (this.ended) return WAITING;
    let bytes: Buffer;
    try {
      bytes = this.route.serialize(message);
    } catch {
      // It fails when its turn comes.
      return message;
    }
    if (!(bytes instanceof Uint8Array)) return message;
    const charge = bytes.length + WAITING_BYTES;
    let reply = WAITING;
    if (this.outer === this) (this.#kept ??= new MessageBacklog()).push(bytes, 0, bytes.length, false, charge, true);
    else reply = new WaitingReply(message, charge);
    this.#holdReplies(charge);
    const { queuedBytes } = this.owner.link.connection;
    const most = this.owner.context.settings.maxConnectionQueuedBytes;
    if (queuedBytes <= most) return reply;
    const details = `${queuedBytes} bytes of replies wait for the client, over the limit of ${most} for a connection`;
    logRepeated(LogVerbosity.ERROR, `${this.route.path}: ${details}. Wait for 'drain' where write() returns false, or raise samewire.max_connection_queued_bytes.`);
    this.abort(Status.RESOURCE_EXHAUSTED, `${details}: ${READ_FASTER} samewire.max_connection_queued_bytes`);
    return WAITING;
  }

  sendWaiting(reply: WaitingReply, done: () => void): void {
    if (this.ended) {
      this.#drop(done);
      return;
    }
    if (reply !== WAITING) {
      this.#holdReplies(-reply.charge);
      this.outer.sendMessage(reply.message, done);
      return;
    }
    const kept = this.#kept!;
    const bytes = kept.shift()!;
    this.#holdReplies(-kept.windowBytes);
    if (this.fits(bytes)) this.#send(bytes, done);
  }

  #holdReplies(n: number): void {
    this.#keptBytes += n;
    this.stream.hold(n);
  }

  /**
   * Drops the messages that wait in the handler's stream. A stream destroyed during a write would keep them, and make
   * an error for each once the write ends, 30 µs each. Messages written later wait without a limit; the handler waits
   * for room.
   */
  letGo(): void {
    this.#lettingGo = true;
    this.onWritable();
    this.#lettingGo = false;
  }

  #drop(callback: () => void): void {
    if (this.#lettingGo) callback();
    else this.#drained.push(callback);
  }

  #send(bytes: Buffer, callback: () => void): void {
    if (this.#behind !== null) {
      this.#behind.push(() => {
        if (this.ended) callback();
        else this.#send(bytes, callback);
      });
      return;
    }
    if (this.encoding === null) {
      this.#write(bytes, false, callback);
      return;
    }
    const packed = this.encoding.compress(bytes);
    if (Buffer.isBuffer(packed)) {
      this.#write(packed, true, callback);
      return;
    }
    this.#behind = [];
    packed.then(
      (result) => {
        if (this.ended) callback();
        else this.#write(result, true, callback);
        this.#sendBehind();
      },
      () => {
        this.abort(Status.INTERNAL, "Failed to compress message");
      },
    );
  }

  #write(bytes: Buffer, compressed: boolean, callback: () => void): void {
    if (this.write(bytes, compressed)) callback();
    else this.#drained.push(callback);
  }

  /** Sends what waited for the compression, up to the next one. */
  #sendBehind(): void {
    const behind = this.#behind ?? [];
    this.#behind = null;
    for (const send of behind) {
      const later = this.#behind as (() => void)[] | null;
      if (later === null) send();
      else later.push(send);
    }
  }

  sendStatus(status: PartialStatusObject): void {
    if (this.ended) return;
    if (this.#behind !== null) {
      this.#behind.push(() => {
        this.sendStatus(status);
      });
      return;
    }
    this.end(status.code, status.details, status.metadata);
  }

  protected override settle(code: Status): void {
    if (this.#keptBytes > 0) this.#holdReplies(-this.#keptBytes);
    this.#kept = null;
    this.stream.consume(this.#waiting.clear());
    this.#reader.stop();
    super.settle(code);
  }

  protected cancel(): void {
    this.cutOff = true;
    const listener = this.#listener;
    if (listener !== null) process.nextTick(() => {
      this.#context.runInAsyncScope(() => {
        listener.onCancel();
      });
    });
  }
}
