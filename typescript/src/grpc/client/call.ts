import type { HeaderBlock } from "../http2/index.js";
import { Metadata } from "../protocol/metadata.js";
import { CHANNEL_SENDS } from "../protocol/limit-remedies.js";
import { Status } from "../protocol/status.js";
import { thrownText } from "../protocol/thrown.js";
import { uncaught } from "../uncaught.js";
import { Timer } from "../../transport/timer-wheel.js";
import { clock } from "../../transport/clock.js";
import { Attempt, type AttemptOwner } from "./attempt.js";
import { attemptFields } from "./attempt-fields.js";
import type { Selection } from "./call-selector.js";
import type { CallListener, CallSettings } from "./call-settings.js";
import { controlPlaneStatus } from "./control-plane-status.js";
import type { MethodConfig } from "./method-config.js";
import type { Method } from "./method.js";
import { Outgoing } from "./outgoing.js";
import { RequestMessages, type RetryBuffer } from "./request-messages.js";
import type { ResponseBlock } from "./response.js";
import { GIVE_UP, Progress, type RetryPlan } from "./retry-plan.js";

/** The channel, as a call sees it. */
export interface CallHost extends RetryBuffer {
  /** Gives the attempt a session now or later, or fails it later. */
  place(attempt: Attempt): void;
  /** An attempt that waits for a session gives up. */
  unplace(attempt: Attempt): void;
  /** The server said which encodings it takes. */
  accepted(encodings: readonly string[]): void;
  ended(code: Status): void;
  /** Asks the resolver about the call; it calls `selected`, now or later. Returns false if no resolver decides. */
  consult(call: Call): boolean;
  /** A call that waits for the decision gives up. */
  dismiss(call: Call): void;
  /** The plan of a call by a configuration; null if only transparent retries are allowed. */
  plan(config: MethodConfig): RetryPlan | null;
}

/** The pause before another attempt of a call. */
class Pause extends Timer {
  readonly #call: Call;

  constructor(call: Call) {
    super();
    this.#call = call;
  }

  expire(): void {
    this.#call.paused();
  }
}

/**
 * One call over all its attempts: retries transparently what no server has processed, follows the retry or hedging
 * policy, keeps what may have to be sent again. It is a timer itself, for its deadline.
 */
export class Call extends Timer implements AttemptOwner {
  readonly method: Method;
  /** Nothing more will be sent. */
  halfClosed = false;
  ended = false;
  private readonly host: CallHost;
  private readonly listener: CallListener;
  private readonly settings: CallSettings;
  /** A copy: a retry sends what the first attempt sent, even if the caller changes its own. */
  metadata: Metadata | null;
  /** What the resolver has decided; null while it has not, and if it decides nothing. */
  selection: Selection | null = null;
  /** The call waits while the channel has no connection, instead of failing. */
  waitForReady: boolean;
  private plan: RetryPlan | null;
  /** The resolver has not decided yet. */
  private undecided = false;
  /** The deadline, in the clock's milliseconds. */
  private end: number;
  private began: number;
  /** The only attempt, or the one that is committed to since its response began. */
  private attempt: Attempt | null = null;
  private last: Attempt | null = null;
  /** Other hedges under way. */
  private rivals: Attempt[] | null = null;
  private committed = false;
  private refused = false;
  private pause: Pause | null = null;
  private readonly messages: RequestMessages;
  private wanted = 0;
  private finale: (() => void) | null = null;

  constructor(host: CallHost, listener: CallListener, settings: CallSettings) {
    super();
    this.host = host;
    this.messages = new RequestMessages(host);
    this.listener = listener;
    this.settings = settings;
    this.method = settings.method;
    this.waitForReady = settings.waitForReady;
    this.plan = settings.plan;
    this.metadata = settings.metadata === null ? null : settings.metadata.clone();
    if (settings.timeout === Infinity) {
      this.end = this.began = Infinity;
    } else {
      this.began = clock.now();
      this.end = this.began + settings.timeout;
    }
  }

  /** Messages given so far. */
  get total(): number {
    return this.messages.total;
  }

  /** Whether the caller waits for the next message. */
  get reading(): boolean {
    return this.wanted > 0;
  }

  get overdue(): boolean {
    return this.end !== Infinity && clock.now() >= this.end;
  }

  /** The attempt with the response, or the only one under way; once all have failed, the last of them. */
  get current(): Attempt | null {
    return this.attempt ?? this.last;
  }

  /** Begins. A call whose messages are known already (`send`, `finish` before) costs one write. */
  start(): void {
    if (this.ended) return;
    const { timeout } = this.settings;
    if (timeout !== Infinity) {
      clock.set(this, Math.max(timeout, 0));
      if (timeout <= 0) return;
    }
    this.undecided = true;
    if (this.host.consult(this)) return;
    this.undecided = false;
    this.begin();
  }

  /** The resolver has decided; null if it decides nothing. */
  selected(selection: Selection | null): void {
    this.undecided = false;
    this.selection = selection;
    if (selection === null) {
      this.begin();
      return;
    }
    const { code, details, config, metadata } = selection;
    if (code !== Status.OK) {
      this.cancel(code, details);
      return;
    }
    this.waitForReady ||= config.waitForReady;
    this.plan = this.host.plan(config) ?? this.plan;
    this.limit(config.timeout);
    // As in `start`: an overdue call sends nothing, and the timer ends it.
    if (this.overdue) return;
    if (metadata === null) {
      this.begin();
      return;
    }
    metadata(this.metadata?.clone() ?? new Metadata()).then(
      (changed) => {
        if (this.ended) return;
        this.metadata = changed.isEmpty ? null : changed;
        this.begin();
      },
      (error: unknown) => {
        const { code: reason, details: text } = error as Partial<{ code: unknown; details: unknown }>;
        const known = typeof reason === "number" && Status[reason] !== undefined;
        this.cancel(known ? reason : Status.INTERNAL, typeof text === "string" ? text : `A filter failed: ${thrownText(error)}`);
      },
    );
  }

  /** One more message. `sent` is called when the next may come, or in a later turn if the call is over. */
  send(bytes: Uint8Array, compress: boolean, sent: (() => void) | null): void {
    const { method } = this;
    if (this.ended) {
      if (sent !== null) setImmediate(sent);
      return;
    }
    // Serializers of plain JavaScript give anything; what only has a `length` would be sent as zeros.
    if (!(bytes instanceof Uint8Array)) {
      sent?.();
      this.cancel(Status.INTERNAL, `Request message serialization failure: expected a Buffer or Uint8Array of the serializer, got ${kindOf(bytes)}`);
      return;
    }
    if (bytes.length > method.maxSend) {
      sent?.();
      this.cancel(Status.RESOURCE_EXHAUSTED, `Attempted to send message with a size larger than ${method.maxSend}, ${bytes.length} bytes: ${CHANNEL_SENDS}`);
      return;
    }
    const message = new Outgoing(bytes, false, true, sent);
    if (compress && method.encoding !== null && bytes.length > 0) this.compress(message);
    this.messages.push(message);
    this.pump();
  }

  /** No more messages follow. */
  finish(): void {
    if (this.halfClosed) return;
    this.halfClosed = true;
    this.pump();
  }

  /** The message of that number, counted from 0 over the whole call. */
  message(number: number): Outgoing {
    return this.messages.at(number);
  }

  /** Asks for one more message. */
  read(): void {
    this.wanted += 1;
    this.attempt?.deliver();
  }

  /** Asks for messages without end, or (false) stops asking. */
  flow(on: boolean): void {
    this.wanted = on ? Infinity : 0;
    if (on) this.attempt?.deliver();
  }

  /** Ends the call at once from this side. */
  cancel(code: Status, details: string): void {
    if (this.close(code)) process.nextTick(() => { this.report(code, details, null); });
  }

  /** The deadline has come. */
  expire(now: number): void {
    const details = [`Deadline exceeded after ${((now - this.began) / 1_000).toFixed(3)}s`];
    const { link = null, session = null } = this.attempt ?? {};
    if (link !== null) details.push(`remote_addr=${link.peer}`);
    else if (session !== null) details.push(`all ${session.link.connection.openStreams} streams of the connection to ${session.link.peer} are in use (the server's limit of concurrent streams)`);
    else details.push(...(this.waitForReady ? ["wait_for_ready"] : []), "Waiting for LB pick");
    const text = details.join(",");
    if (this.close(Status.DEADLINE_EXCEEDED)) this.report(Status.DEADLINE_EXCEEDED, text, null);
  }

  /** The pause before another attempt is over. */
  paused(): void {
    const plan = this.plan!;
    if (this.ended || this.committed) return;
    const running = this.attempt !== null || this.rivals !== null;
    if (plan.begin()) {
      this.launch();
      this.hedge(plan);
    } else if (!running) {
      this.finale?.();
    }
  }

  /** An attempt has passed its messages to the stream, as far as there was room. */
  passed(attempt: Attempt): void {
    const { messages } = this;
    if (!this.committed && !this.halfClosed && messages.full) this.commit(attempt);
    if (this.committed) messages.drop(attempt.sent);
  }

  headers(attempt: Attempt, head: ResponseBlock, block: HeaderBlock): void {
    if (this.ended) return;
    this.commit(attempt);
    if (head.accepted !== null) this.host.accepted(head.accepted);
    try {
      this.listener.onHeaders(block);
    } catch (error) {
      uncaught(error);
    }
  }

  receive(attempt: Attempt, message: Buffer): void {
    if (this.ended || attempt.ended) return;
    // 0 if the caller stopped asking while the message was being decompressed.
    if (this.wanted > 0) this.wanted -= 1;
    try {
      this.listener.onMessage(message);
    } catch (error) {
      uncaught(error);
    }
  }

  /** The server ended an attempt with a status. */
  finished(attempt: Attempt, head: ResponseBlock, block: HeaderBlock): void {
    const code = head.status!;
    if (!this.committed && code !== Status.OK) {
      this.failed(attempt, code, head.details, block, Progress.PROCESSED, head.pushback);
      return;
    }
    if (this.ended) return;
    this.commit(attempt);
    this.settle(code, head.details, block);
  }

  /** An attempt is over without success. */
  failed(attempt: Attempt, code: Status, details: string, trailers: HeaderBlock | null, progress: Progress, pushback = Infinity): void {
    if (this.ended) return;
    if (this.committed) {
      if (attempt === this.attempt) this.settle(code, details, trailers);
      return;
    }
    if (progress === Progress.UNSENT || (progress === Progress.REFUSED && !this.refused)) {
      if (progress === Progress.REFUSED) this.refused = true;
      this.repeat(attempt);
      return;
    }
    this.drop(attempt);
    const { plan } = this;
    if (plan === null || (plan.hedging && plan.fatal(code) && progress !== Progress.REFUSED)) {
      this.settle(code, details, trailers);
      return;
    }
    const delay = plan.failed(code, pushback, Math.random());
    const running = this.attempt !== null || this.rivals !== null;
    if (delay === GIVE_UP) {
      if (!running) this.settle(code, details, trailers);
      return;
    }
    this.finale = () => {
      this.settle(code, details, trailers);
    };
    clock.set((this.pause ??= new Pause(this)), delay);
  }

  /** No server has processed the attempt: retries transparently. */
  repeat(attempt: Attempt): void {
    attempt.ended = true;
    if (this.ended) return;
    this.drop(attempt);
    this.launch();
  }

  private begin(): void {
    this.launch();
    if (this.plan !== null) this.hedge(this.plan);
  }

  /** Brings the deadline forward to `timeout` milliseconds from now, unless it is earlier already. */
  private limit(timeout: number): void {
    const now = clock.now();
    if (now + timeout >= this.end) return;
    this.end = now + timeout;
    this.began = now;
    clock.set(this, timeout);
  }

  private launch(): void {
    const { plan } = this;
    const { credentials } = this.settings;
    const attempt = new Attempt(this, plan === null ? 0 : plan.attempts - 1);
    if (this.attempt === null) this.attempt = attempt;
    else (this.rivals ??= []).push(attempt);
    if (credentials === null) {
      this.place(attempt, null);
      return;
    }
    credentials(this.method).then(
      (metadata) => {
        if (!attempt.ended) this.place(attempt, metadata);
      },
      (error: unknown) => {
        const code = typeof error === "object" && error !== null && "code" in error && typeof error.code === "number" ? error.code : Status.UNAUTHENTICATED;
        const text = thrownText(error);
        attempt.ended = true;
        this.failed(attempt, controlPlaneStatus(code), `Getting metadata from plugin failed with error: ${text}`, null, Progress.PROCESSED);
      },
    );
  }

  private place(attempt: Attempt, generated: Metadata | null): void {
    try {
      attempt.extra = attemptFields(this.end, attempt.previous, this.metadata, generated);
    } catch (error) {
      attempt.ended = true;
      this.cancel(Status.INTERNAL, `The metadata cannot be sent: ${thrownText(error)}`);
      return;
    }
    this.host.place(attempt);
  }

  private hedge(plan: RetryPlan): void {
    const delay = plan.hedge();
    if (delay !== GIVE_UP) clock.set((this.pause ??= new Pause(this)), delay);
  }

  private pump(): void {
    this.attempt?.pump();
    if (this.rivals !== null) for (const rival of this.rivals) rival.pump();
  }

  private compress(message: Outgoing): void {
    const result = this.method.encoding!.compress(message.bytes);
    message.compressed = true;
    if (result instanceof Uint8Array) {
      message.bytes = result;
      return;
    }
    message.ready = false;
    result.then(
      (bytes) => {
        message.bytes = bytes;
        message.ready = true;
        this.pump();
      },
      (error: unknown) => {
        this.cancel(Status.INTERNAL, `The message cannot be compressed: ${String(error)}`);
      },
    );
  }

  /** Commits to this attempt: ends all others. */
  private commit(attempt: Attempt): void {
    if (this.committed) return;
    this.committed = true;
    this.finale = null;
    if (this.pause !== null) clock.clear(this.pause);
    this.plan?.stop();
    this.release();
    if (attempt !== this.attempt || this.rivals !== null) {
      this.abandon(attempt);
      this.attempt = attempt;
    }
    this.messages.drop(attempt.sent);
  }

  private drop(attempt: Attempt): void {
    this.last = attempt;
    if (attempt === this.attempt) {
      this.attempt = this.rivals?.pop() ?? null;
    } else if (this.rivals !== null) {
      this.rivals = this.rivals.filter((rival) => rival !== attempt);
    }
    if (this.rivals?.length === 0) this.rivals = null;
  }

  /** Ends all attempts but `winner`. */
  private abandon(winner: Attempt | null): void {
    const { attempt, rivals } = this;
    this.rivals = null;
    for (const each of rivals === null ? [attempt] : [attempt, ...rivals]) {
      if (each === null || each === winner || each.ended) continue;
      if (each.session === null && each.link === null) this.host.unplace(each);
      each.abandon();
    }
  }

  /** Ends the call with the server's or the connection's status. */
  private settle(code: Status, details: string, trailers: HeaderBlock | null): void {
    if (this.close(code)) this.report(code, details, trailers);
  }

  /** Releases everything; returns false if the call had ended before. */
  private close(code: Status): boolean {
    if (this.ended) return false;
    this.ended = true;
    if (this.slot >= 0) clock.clear(this);
    if (this.pause !== null) clock.clear(this.pause);
    this.finale = null;
    if (this.undecided) this.host.dismiss(this);
    this.abandon(null);
    this.release();
    this.messages.clear(this.attempt?.blocked ?? null);
    this.host.ended(code);
    return true;
  }

  /** The resolver need not remember its decision any more. */
  private release(): void {
    const { selection } = this;
    if (selection === null) return;
    this.selection = null;
    selection.committed?.();
  }

  private report(code: Status, details: string, trailers: HeaderBlock | null): void {
    try {
      this.listener.onStatus(code, details, trailers);
    } catch (error) {
      uncaught(error);
    }
  }
}

/** Describes a value that is not bytes, for an error text: the name of its class or type. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? ((value as { constructor?: { name: string } }).constructor?.name ?? "object") : typeof value;
}
