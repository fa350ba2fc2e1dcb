import type * as grpcJs from "@grpc/grpc-js";
import { AUTHORITY } from "../certificates.js";
import { LIBRARIES, TOKEN, hedged, judged, message, planned, service, type Numbered, type Plan } from "./plan.js";

/* A client of a soak: `client.js LIBRARY PAIR SEED RATE PLAIN_PORT TLS_PORT`. It begins RATE calls a second,
   also while earlier ones are open, and reports to the parent how each ended. On "finish" it waits for the open ones,
   closes and ends by itself. */

const [name = "", pair = "", ...numbers] = process.argv.slice(2);
const [seed = 0, rate = 0, plainPort = 0, tlsPort = 0] = numbers.map(Number);
const library = LIBRARIES[name]!;
const { status } = library;

/** How a call ended, as the parent counts it. */
export interface Outcome {
  id: string;
  code: number;
  details: string;
  /** Whether it was planned to end so. */
  planned: boolean;
}

/** Milliseconds after its deadline at which a call that has not ended is hung: a machine that does other work is late, too. */
const MARGIN = 10_000;
/** A burst of so many cancelled calls comes once in so many seconds. */
const [BURST, BURST_SECONDS] = [200, 10];

const outcomes: Outcome[] = [];
const faults: string[] = [];
const open = new Map<string, { plan: Plan; until: number }>();
let attempted = 0;

const wrong = (plan: Plan, text: string): void => {
  if (text !== "") faults.push(`${plan.id} (${plan.kind}) ${text}`);
};

interface SoakClient extends grpcJs.Client {
  unary(request: Numbered, metadata: grpcJs.Metadata, options: grpcJs.CallOptions, done: grpcJs.requestCallback<Numbered>): grpcJs.ClientUnaryCall;
  down(request: Numbered, metadata: grpcJs.Metadata, options: grpcJs.CallOptions): grpcJs.ClientReadableStream<Numbered>;
  up(metadata: grpcJs.Metadata, options: grpcJs.CallOptions, done: grpcJs.requestCallback<Numbered>): grpcJs.ClientWritableStream<Numbered>;
  both(metadata: grpcJs.Metadata, options: grpcJs.CallOptions): grpcJs.ClientDuplexStream<Numbered, Numbered>;
}

const Soak = library.makeGenericClientConstructor(service, "soak.Soak") as unknown as new (address: string, credentials: grpcJs.ChannelCredentials, options: grpcJs.ChannelOptions) => SoakClient;
const token = library.credentials.createFromMetadataGenerator((_parameters, done) => {
  const metadata = new library.Metadata();
  metadata.set("authorization", TOKEN);
  done(null, metadata);
});
const tls = library.credentials.createSsl(AUTHORITY);
const plainClient = new Soak(`127.0.0.1:${plainPort}`, library.credentials.createInsecure(), {});
const tlsClient = new Soak(`127.0.0.1:${tlsPort}`, tls, { "grpc.ssl_target_name_override": "localhost" });

/** Whether a call may end so with nothing amiss. */
function expected(plan: Plan, code: number): boolean {
  if (code === status.CANCELLED) return plan.cancel >= 0;
  if (code === status.DEADLINE_EXCEEDED) return plan.deadline < 1_000;
  if (plan.ask === "throw") return code === status.UNKNOWN;
  if (plan.ask === "stranger") return code === status.UNAUTHENTICATED;
  if (plan.ask === "fail") return code === status.FAILED_PRECONDITION;
  return code === status.OK;
}

/** Writes a call's messages in order, no faster than they go. */
function send(call: grpcJs.ClientWritableStream<Numbered>, plan: Plan): void {
  let place = 0;
  const go = (): void => {
    while (place < plan.count && open.has(plan.id)) {
      if (!call.write(message(plan, place++))) {
        call.once("drain", go);
        return;
      }
    }
    call.end();
  };
  go();
}

/** Reads a call's messages; what it returns tells how many came. */
function receive(call: grpcJs.ClientReadableStream<Numbered>, plan: Plan): () => number {
  let place = 0;
  call.on("data", (item: Numbered) => {
    wrong(plan, judged(plan, item, place++));
    if (plan.pause > 0 && place % 10 === 0) {
      call.pause();
      setTimeout(() => call.resume(), plan.pause);
    }
  });
  return () => place;
}

function begin(plan: Plan): void {
  attempted += 1;
  const now = Date.now();
  const metadata = new library.Metadata({ waitForReady: plan.waitForReady });
  metadata.set("soak-call", JSON.stringify(plan));
  const options: grpcJs.CallOptions = { deadline: now + plan.deadline };
  if (plan.ask !== "stranger") {
    if (plan.tls) options.credentials = token;
    else metadata.set("authorization", TOKEN);
  }
  const client = plan.tls ? tlsClient : plainClient;
  open.set(plan.id, { plan, until: now + plan.deadline + MARGIN });
  let ends = 0;
  /** Notes the only end of the call. */
  const ended = (code: number, details: string): void => {
    ends += 1;
    if (ends > 1) wrong(plan, `ended ${ends} times, now with ${code} ${details}`);
    if (ends > 1 || !open.delete(plan.id)) return;
    outcomes.push({ id: plan.id, code, details, planned: expected(plan, code) });
  };
  const answered: grpcJs.requestCallback<Numbered> = (error, reply) => {
    if (error === null) wrong(plan, reply === undefined ? "lost: OK without a reply" : judged(plan, reply, plan.kind === "up" ? plan.count : 0));
    ended(error === null ? status.OK : error.code, error === null ? "" : error.details);
  };
  const streamed = (call: grpcJs.ClientReadableStream<Numbered>): void => {
    const received = receive(call, plan);
    let [over, settled] = [false, false];
    let final: grpcJs.StatusObject | undefined;
    const settle = (): void => {
      if (settled || final === undefined || (final.code === status.OK && !over)) return;
      settled = true;
      if (final.code === status.OK && received() !== plan.count) wrong(plan, `lost: OK after ${received()} of ${plan.count} messages`);
      ended(final.code, final.details);
    };
    call.on("error", () => undefined);
    call.on("end", () => {
      over = true;
      settle();
    });
    call.on("status", (given: grpcJs.StatusObject) => {
      if (final !== undefined) wrong(plan, `two statuses: ${final.code} ${final.details}, ${given.code} ${given.details}`);
      final = given;
      settle();
    });
  };
  let cancel: () => void;
  if (plan.kind === "unary") {
    const call = client.unary(message(plan, 0), metadata, options, answered);
    cancel = () => { call.cancel(); };
  } else if (plan.kind === "down") {
    const call = client.down(message(plan, 0), metadata, options);
    streamed(call);
    cancel = () => { call.cancel(); };
  } else if (plan.kind === "up") {
    const call = client.up(metadata, options, answered);
    call.on("error", () => undefined);
    send(call, plan);
    cancel = () => { call.cancel(); };
  } else {
    const call = client.both(metadata, options);
    streamed(call);
    send(call, plan);
    cancel = () => { call.cancel(); };
  }
  if (plan.cancel >= 0) setTimeout(cancel, plan.cancel);
}

function tell(): void {
  const now = Date.now();
  for (const [id, { plan, until }] of open) {
    if (now < until) continue;
    open.delete(id);
    faults.push(`${id} hung: no end of a ${plan.kind} call ${MARGIN / 1_000} s after its deadline`);
  }
  process.send!({ attempted, open: open.size, outcomes: outcomes.splice(0), faults: faults.splice(0) });
}

const start = Date.now();
let [number, bursts] = [0, 0];
let finishing = false;
const clock = setInterval(() => {
  const seconds = (Date.now() - start) / 1_000;
  for (; !finishing && number < seconds * rate; number++) begin(planned(pair, seed, number));
  if (finishing || bursts >= Math.floor(seconds / BURST_SECONDS)) return;
  for (let one = 0; one < BURST; one++) begin(hedged(pair, seed, 1_000_000_000 + bursts * BURST + one));
  bursts += 1;
}, 10);
const telling = setInterval(() => {
  tell();
  if (!finishing || open.size > 0) return;
  clearInterval(telling);
  plainClient.close();
  tlsClient.close();
  // A second end of a call would come by now.
  setTimeout(() => {
    tell();
    process.disconnect();
    setTimeout(() => { console.log(`${name}'s client (${pair}) is kept alive by ${process.getActiveResourcesInfo().join(", ")}`); }, 8_000).unref();
  }, 1_000);
}, 500);
process.on("message", () => {
  finishing = true;
  clearInterval(clock);
});
