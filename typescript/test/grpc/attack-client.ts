import { Call, type CallHost } from "../../src/grpc/client/call.js";
import type { CallListener } from "../../src/grpc/client/call-settings.js";
import type { Attempt } from "../../src/grpc/client/attempt.js";
import { DEFAULT_METHOD_CONFIG } from "../../src/grpc/client/method-config.js";
import { requestFields, type Method } from "../../src/grpc/client/method.js";
import { RetryPlan } from "../../src/grpc/client/retry-plan.js";
import { Session } from "../../src/grpc/client/session.js";
import { Connection } from "../../src/grpc/http2/connection.js";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { GOAWAY_FRAME_BYTES, writeGoaway } from "../../src/grpc/http2/frame/goaway.js";
import { HeaderFields, type FieldPair } from "../../src/grpc/http2/header-fields.js";
import type { Stream } from "../../src/grpc/http2/stream.js";
import { Status } from "../../src/grpc/protocol/status.js";
import { zlibEncodings } from "../../src/grpc/transport/zlib.js";
import { Random, mutate } from "../pack/corpus.js";
import { Journal, drain, frame, join, lend } from "./journal.js";
import { framed } from "./serving.js";

const MOST_BYTES = 200;
const head = { path: "/a/B", authority: "a", scheme: "http", contentType: "application/grpc", userAgent: "u", accept: "identity,gzip" };
const METHODS: readonly Method[] = [null, zlibEncodings.get("gzip")!].map((encoding) => ({
  path: head.path,
  authority: head.authority,
  config: DEFAULT_METHOD_CONFIG,
  fields: requestFields({ ...head, encoding }),
  encoding,
  maxSend: Infinity,
  maxReceive: MOST_BYTES,
}));

/** The caller, which checks how its call ends. */
class Caller implements CallListener {
  call!: Call;
  statuses = 0;
  readonly faults: string[] = [];
  private headers = 0;

  onHeaders(): void {
    this.headers += 1;
    if (this.headers > 1 || this.statuses > 0) this.faults.push("unexpected headers");
  }

  onMessage(bytes: Buffer): void {
    if (this.statuses > 0) this.faults.push("a message after the end");
    if (bytes.length > MOST_BYTES) this.faults.push(`a message of ${bytes.length} bytes`);
  }

  onStatus(): void {
    this.statuses += 1;
  }
}

/** The channel of an attack: one session, and then none. */
class Host implements CallHost {
  readonly retryBufferBytes = 500;
  readonly retryTotalBytes = 1_500;
  retainedBytes = 0;
  readonly parked = new Set<Attempt>();
  ends = 0;

  constructor(private readonly session: Session) {}

  place(attempt: Attempt): void {
    if (this.session.usable) this.session.start(attempt);
    else this.parked.add(attempt);
  }

  consult(): boolean {
    return false;
  }

  dismiss(): void {
    // No call waits for a resolver.
  }

  plan(): null {
    return null;
  }

  unplace(attempt: Attempt): void {
    this.parked.delete(attempt);
  }

  accepted(): void {
    // The encodings that a server accepts change later calls only.
  }

  ended(): void {
    this.ends += 1;
  }
}

function responseHead(random: Random): HeaderFields {
  const sometimes = <T>(usual: T, ...others: T[]): T => (random.below(8) === 0 ? random.pick(others) : usual);
  const pairs: FieldPair[] = [
    [":status", sometimes("200", "404", "503", "100", "103")],
    ["content-type", sometimes("application/grpc", "text/html", "application/grpc+proto")],
  ];
  if (random.below(3) === 0) pairs.push(["grpc-encoding", random.pick(["gzip", "deflate", "br", "identity"])]);
  if (random.below(6) === 0) pairs.push(["grpc-accept-encoding", random.pick(["identity", "gzip,identity", ""])]);
  return new HeaderFields(pairs, "once");
}

function trailers(random: Random): HeaderFields {
  const pairs: FieldPair[] = [];
  if (random.below(8) > 0) pairs.push(["grpc-status", random.pick(["0", "0", "5", "14", "99", "x"])]);
  if (random.below(3) === 0) pairs.push(["grpc-message", random.pick(["no", "%E4%BD", "100%25"])]);
  if (random.below(6) === 0) pairs.push(["grpc-retry-pushback-ms", random.pick(["0", "-1", "x"])]);
  if (random.below(6) === 0) pairs.push(["x-bin", random.pick(["AAAA", "!!", "AA==,BB"])]);
  return new HeaderFields(pairs, "once");
}

/** Does something on one of the server's streams. */
function answer(random: Random, stream: Stream): void {
  if (stream.closed || stream.localEnded) return;
  const begun = stream.context === true;
  switch (random.below(6)) {
    case 0:
      if (begun) stream.headers(trailers(random), true);
      else stream.headers(new HeaderFields([[":status", "200"], ["content-type", "application/grpc"], ["grpc-status", random.pick(["0", "7", "14"])]], "once"), true);
      break;
    case 1:
      stream.reset(random.pick([ErrorCode.NO_ERROR, ErrorCode.CANCEL, ErrorCode.REFUSED_STREAM, ErrorCode.INTERNAL_ERROR, ErrorCode.ENHANCE_YOUR_CALM]));
      break;
    default:
      if (begun) {
        const message = framed("m".repeat(random.below(MOST_BYTES + 20)), random.below(6) === 0 ? 1 : 0);
        stream.data(random.below(4) === 0 ? mutate(random, message, framed("other")) : message, random.below(10) === 0);
      } else {
        stream.headers(responseHead(random), false);
        stream.context = true;
      }
  }
}

/** A policy that repeats calls soon, or makes them side by side. */
function plan(random: Random): RetryPlan {
  const codes = new Set([5, 14]);
  const retry = { maxAttempts: 3, initialBackoff: 1, maxBackoff: 1, backoffMultiplier: 1, codes };
  const hedging = { maxAttempts: 3, delay: random.below(2), nonFatal: codes };
  return new RetryPlan({ ...DEFAULT_METHOD_CONFIG, ...(random.below(2) === 0 ? { retry } : { hedging }) }, null, 5);
}

/** An attack whose connection has ended. */
interface Attacked {
  readonly callers: readonly Caller[];
  /** The channel tells attempts without a connection that there is none, and readers ask for what waits. */
  readonly settle: () => void;
  /** Every call has ended, and nothing is left behind. */
  readonly check: () => void;
}

/** @param repeated whether calls have policies, whose pauses need turns of the event loop */
function attack(seed: number, repeated: boolean): Attacked {
  const random = new Random(seed);
  let gone = 0;
  let unusable = 0;
  const link = { connection: null as unknown as Connection, peer: "peer", local: "local", tls: null, reads: 0, ref: () => undefined, unref: () => undefined, destroy: () => undefined };
  const owner = { reporter: null, ready: () => undefined, answered: () => undefined, unusable: () => { unusable += 1; }, gone: () => { gone += 1; } };
  const session = new Session(link, owner, { time: Infinity, timeout: 20_000, withoutCalls: false });
  const client = (link.connection = new Connection("client", session));
  const journal = new Journal();
  const server = new Connection("server", journal, { maxConcurrentStreams: random.pick([1, 3, 1_000]) });
  const outlet = { onOutput: () => undefined, onPause: () => undefined, onDeadline: () => undefined, onFinished: () => undefined };
  client.attach(outlet);
  server.attach(outlet);
  const host = new Host(session);

  const carry = (from: Connection, to: Connection, damage: boolean): void => {
    let bytes = drain(from);
    if (damage && random.below(40) === 0) bytes = random.below(2) === 0 ? mutate(random, bytes, frame(0, 1, 1, "0000000000")) : join(bytes, frame(random.below(12), random.below(256), random.below(6), "00000001"));
    lend(random, bytes, to);
  };
  carry(server, client, false);
  const callers: Caller[] = [];
  for (let step = 5 + random.below(60); step > 0; step -= 1) {
    const caller = callers.length === 0 ? null : random.pick(callers);
    switch (random.below(9)) {
      case 0:
      case 1: {
        const made = new Caller();
        made.call = new Call(host, made, { method: random.pick(METHODS), metadata: null, timeout: Infinity, waitForReady: false, credentials: null, plan: repeated && random.below(4) > 0 ? plan(random) : null });
        callers.push(made);
        if (random.below(2) === 0) made.call.flow(true);
        if (random.below(2) === 0) {
          made.call.send(Buffer.alloc(random.below(300)), true, null);
          made.call.finish();
        }
        made.call.start();
        break;
      }
      case 2:
        caller?.call.read();
        break;
      case 3:
        if (caller !== null && !caller.call.halfClosed) caller.call.send(Buffer.alloc(random.below(300)), true, null);
        break;
      case 4:
        if (random.below(3) === 0) caller?.call.finish();
        else if (random.below(4) === 0) caller?.call.cancel(Status.CANCELLED, "enough");
        break;
      case 5:
        if (random.below(12) === 0 && !server.closed) sayGoaway(server, random.pick([0x7fff_ffff, 1, 5, 0]));
        carry(client, server, false);
        carry(server, client, true);
        break;
      default:
        if (journal.streams.length > 0) answer(random, random.pick(journal.streams));
    }
  }
  carry(client, server, false);
  carry(server, client, true);
  client.end();
  server.end();
  return {
    callers,
    settle: () => {
      for (const attempt of [...host.parked]) {
        host.parked.delete(attempt);
        attempt.refuse(Status.UNAVAILABLE, "no connection");
      }
      for (const { call } of callers) call.flow(true);
    },
    check: () => {
      if (gone !== 1 || unusable !== 1) throw new Error(`the session was ${gone} times gone, ${unusable} times unusable`);
      for (const { call, statuses, faults } of callers) {
        if (!call.ended) throw new Error("a call was left behind");
        if (statuses > 1 || faults.length > 0) throw new Error(`${statuses} statuses; ${faults.join(", ")}`);
      }
      if (host.retainedBytes !== 0) throw new Error(`${host.retainedBytes} bytes are kept`);
      if (host.ends !== callers.length || session.active !== 0 || client.openStreams !== 0) throw new Error(`${host.ends} of ${callers.length} ends, ${session.active} active`);
    },
  };
}

/** Says what it pleases of which streams are handled, and goes on. */
function sayGoaway(server: Connection, last: number): void {
  server.sender.write(GOAWAY_FRAME_BYTES, false, (out, at) => writeGoaway(last, ErrorCode.NO_ERROR, new Uint8Array(0), out, at));
}

/** One attack by a server on a client's calls, at once. */
export function attackCalls(random: Random): { what: string; run: () => void } {
  const seed = random.below(0x7fff_ffff);
  return {
    what: `client ${seed}`,
    run: () => {
      const { settle, check } = attack(seed, false);
      settle();
      check();
    },
  };
}

/** Runs an attack, then the turns of the event loop in which cancelled calls are notified and policies pause. */
export async function attackCallsToTheEnd(seed: number, repeated: boolean): Promise<void> {
  const { callers, settle, check } = attack(seed, repeated);
  settle();
  for (let turn = 0; turn < 200 && callers.some(({ call }) => !call.ended); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    settle();
  }
  check();
  await new Promise((resolve) => setImmediate(resolve));
  for (const { statuses, faults } of callers) if (statuses !== 1 || faults.length > 0) throw new Error(`${statuses} statuses; ${faults.join(", ")}`);
}
