import * as grpcJs from "@grpc/grpc-js";
import * as samewire from "../../../src/grpc/index.js";
import { Random } from "../../pack/corpus.js";

/* What a soak's calls are: the same ones for each pair of libraries, and known to client and server from one number. */

/** Both have grpc-js's names: what differs in their types is for other tests. */
export const LIBRARIES: Record<string, typeof grpcJs> = { samewire: samewire as unknown as typeof grpcJs, "grpc-js": grpcJs };

export const TOKEN = "Bearer a-token-of-the-soak";

export const KINDS = ["unary", "down", "up", "both"] as const;

/** One call: what the client does, and asks of the server. */
export interface Plan {
  id: string;
  kind: (typeof KINDS)[number];
  /** How it would end on a good day. `endless` is a stream that its client cancels. */
  ask: "ok" | "throw" | "fail" | "stranger" | "endless";
  /** Messages of a stream each way, and bytes of each. */
  count: number;
  size: number;
  /** Milliseconds that the handler waits before it answers, and that a reader pauses after each ten messages. */
  wait: number;
  pause: number;
  /** Milliseconds from the call's beginning; `cancel` is −1 for most. */
  deadline: number;
  cancel: number;
  tls: boolean;
  waitForReady: boolean;
}

/** Milliseconds of a deadline that no fault of the soak outlasts. */
const PATIENT = 10_000;
const ENDLESS = 1_000_000_000;

/** The call of that number. */
export function planned(pair: string, seed: number, number: number): Plan {
  const random = new Random(Math.imul(seed + 1, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35));
  const one = (of: number): boolean => random.below(of) === 0;
  random.below(2);
  const kind = random.pick(["unary", "unary", "unary", "down", "up", "both"] as const);
  const plan: Plan = {
    id: `${pair}:${number}`,
    kind,
    ask: "ok",
    count: kind === "unary" ? 1 : 1 + random.below(one(20) ? 200 : 20),
    size: one(30) ? 100_000 : random.below(2_000),
    wait: one(3) ? random.below(300) : 0,
    pause: one(10) ? 20 : 0,
    deadline: one(20) ? 1 + random.below(200) : PATIENT,
    cancel: one(20) ? random.below(100) : -1,
    tls: one(4),
    waitForReady: one(10),
  };
  if (plan.size === 100_000) plan.count = Math.min(plan.count, 5);
  const draw = random.below(100);
  if (draw < 5) plan.ask = draw < 2 ? "throw" : draw < 4 ? "fail" : "stranger";
  else if (kind === "down" && one(10)) Object.assign(plan, { ask: "endless", count: ENDLESS, cancel: 20 + random.below(300), size: Math.min(plan.size, 2_000) });
  return plan;
}

/** A call of a burst, all of which are cancelled soon after they begin, as by hedging. */
export function hedged(pair: string, seed: number, number: number): Plan {
  return { ...planned(pair, seed, number), kind: "unary", ask: "ok", count: 1, size: 100, wait: 500, deadline: PATIENT, cancel: number % 20 };
}

/** A message of a call. Its body follows from the rest: a message that is another's, or damaged, shows. */
export interface Numbered {
  id: string;
  place: number;
  body: Buffer;
}

export function message(plan: Plan, place: number): Numbered {
  return { id: plan.id, place, body: Buffer.alloc(plan.size, `${plan.id}/${place} `) };
}

/** The fault of a message, compared with the one expected at its place; empty for none. */
export function judged(plan: Plan, found: Numbered, place: number): string {
  if (found.id !== plan.id) return `delivered to another call: ${found.id}/${found.place}`;
  if (found.place !== place) return `${found.place < place ? "doubled" : "lost"}: message ${found.place} where ${place} is due`;
  return found.body.equals(message(plan, place).body) ? "" : `damaged: message ${place}`;
}

function serialize({ id, place, body }: Numbered): Buffer {
  const head = Buffer.from(`${id}/${place}\n`);
  return Buffer.concat([head, body]);
}

function deserialize(bytes: Buffer): Numbered {
  const end = bytes.indexOf(10);
  const [id = "", place] = bytes.toString("latin1", 0, end).split("/");
  return { id, place: Number(place), body: bytes.subarray(end + 1) };
}

function method(name: string, requestStream: boolean, responseStream: boolean): grpcJs.MethodDefinition<Numbered, Numbered> {
  const path = `/soak.Soak/${name}`;
  return { path, requestStream, responseStream, requestSerialize: serialize, requestDeserialize: deserialize, responseSerialize: serialize, responseDeserialize: deserialize };
}

export const service = { unary: method("unary", false, false), down: method("down", false, true), up: method("up", true, false), both: method("both", true, true) } satisfies grpcJs.ServiceDefinition;
