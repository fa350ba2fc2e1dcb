import type { EventEmitter } from "node:events";
import { closeSync, openSync, writeSync } from "node:fs";
import type * as grpcJs from "@grpc/grpc-js";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../certificates.js";
import { LIBRARIES, TOKEN, judged, message, service, type Numbered, type Plan } from "./plan.js";

/* A server of a soak: `server.js LIBRARY LEDGER`. It appends each call that it runs, and each fault
   that it finds, to the ledger before it goes on, so that they survive any end of the process. On "drain" and "finish"
   it ends by itself. */

const [name = "", ledger = ""] = process.argv.slice(2);
const library = LIBRARIES[name]!;
const { status } = library;
// Handlers throw by the hundred.
library.setLogVerbosity(library.logVerbosity.NONE);
const book = openSync(ledger, "a");
const open = new Map<string, string>();

function wrong(plan: Plan, text: string): void {
  if (text !== "") writeSync(book, `wrong ${plan.id} ${text}\n`);
}

type Call = EventEmitter & { metadata: grpcJs.Metadata };
type Refused = Partial<grpcJs.StatusObject>;

/** The plan of a call, which is recorded as begun; or the refusal of a call without a token. */
function begun(call: Call): Plan | Refused {
  if (call.metadata.get("authorization")[0] !== TOKEN) return { code: status.UNAUTHENTICATED, details: "the call has no token" };
  const plan = JSON.parse(String(call.metadata.get("soak-call")[0])) as Plan;
  writeSync(book, `run ${plan.id}\n`);
  if (plan.ask === "throw") throw new Error("thrown as asked");
  open.set(plan.id, plan.kind);
  call.on("cancelled", () => open.delete(plan.id));
  return plan;
}

const failure: Refused = { code: status.FAILED_PRECONDITION, details: "failed as asked" };
const refusing = (plan: Plan | Refused): plan is Refused => "details" in plan;

/** A request that ended like a whole one, and was not: its client had been cut off, or cancelled. A handler that asks for `cancelled` knows. */
function truncated(place: number, plan: Plan, cancelled: boolean): string {
  return cancelled ? "" : `truncated: 'end' came after ${place} of ${plan.count} messages`;
}

/** Responses in order, no faster than they are taken. */
function respond(call: grpcJs.ServerWritableStream<Numbered, Numbered>, plan: Plan): void {
  let [place, stopped] = [0, false];
  call.on("cancelled", () => { stopped = true; });
  const go = (): void => {
    while (!stopped && place < plan.count) {
      if (plan.ask === "fail" && place === plan.count >> 1) {
        open.delete(plan.id);
        call.emit("error", failure);
        return;
      }
      if (!call.write(message(plan, place++))) {
        call.once("drain", go);
        return;
      }
    }
    open.delete(plan.id);
    if (!stopped) call.end();
  };
  go();
}

const implementation = {
  unary(call: grpcJs.ServerUnaryCall<Numbered, Numbered>, answer: grpcJs.sendUnaryData<Numbered>): void {
    const plan = begun(call);
    if (refusing(plan)) {
      answer(plan);
      return;
    }
    wrong(plan, judged(plan, call.request, 0));
    const reply = (): void => {
      open.delete(plan.id);
      if (plan.ask === "fail") answer(failure);
      else answer(null, message(plan, 0));
    };
    if (plan.wait === 0) reply();
    else setTimeout(reply, plan.wait);
  },
  down(call: grpcJs.ServerWritableStream<Numbered, Numbered>): void {
    const plan = begun(call);
    if (refusing(plan)) {
      call.emit("error", plan);
      return;
    }
    wrong(plan, judged(plan, call.request, 0));
    setTimeout(() => { respond(call, plan); }, plan.wait);
  },
  up(call: grpcJs.ServerReadableStream<Numbered, Numbered>, answer: grpcJs.sendUnaryData<Numbered>): void {
    const plan = begun(call);
    if (refusing(plan)) {
      answer(plan);
      return;
    }
    let place = 0;
    call.on("error", () => undefined);
    call.on("data", (item: Numbered) => {
      wrong(plan, judged(plan, item, place++));
      if (plan.ask === "fail" && place === (plan.count >> 1) + 1) {
        open.delete(plan.id);
        answer(failure);
      }
    });
    call.on("end", () => {
      if (!open.delete(plan.id)) return;
      if (place !== plan.count) wrong(plan, truncated(place, plan, call.cancelled));
      answer(null, message(plan, place));
    });
  },
  both(call: grpcJs.ServerDuplexStream<Numbered, Numbered>): void {
    const plan = begun(call);
    if (refusing(plan)) {
      call.emit("error", plan);
      return;
    }
    let place = 0;
    call.on("error", () => undefined);
    call.on("data", (item: Numbered) => {
      wrong(plan, judged(plan, item, place++));
      if (!open.has(plan.id)) return;
      if (plan.ask === "fail" && place === (plan.count >> 1) + 1) {
        open.delete(plan.id);
        call.emit("error", failure);
      } else if (!call.write(item)) {
        call.pause();
        call.once("drain", () => { call.resume(); });
      }
    });
    call.on("end", () => {
      if (!open.delete(plan.id)) return;
      if (place !== plan.count) wrong(plan, truncated(place, plan, call.cancelled));
      call.end();
    });
  },
};

const server = new library.Server();
server.addService(service, implementation);
const pair = { private_key: SERVER_KEY, cert_chain: SERVER_CERTIFICATE };

function bound(credentials: grpcJs.ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

const ports = [await bound(library.ServerCredentials.createInsecure()), await bound(library.ServerCredentials.createSsl(null, [pair]))];
process.on("message", (asked: string) => {
  if (asked === "drain") for (const port of ports) server.drain(`127.0.0.1:${port}`, 5_000);
  if (asked !== "finish") return;
  server.tryShutdown(() => {
    // A call that has just been cancelled notifies its handler in a later turn.
    setTimeout(() => {
      for (const [id, kind] of open) writeSync(book, `left ${id} the handler of a ${kind} call never heard of its end\n`);
      closeSync(book);
      process.disconnect();
      // Says what keeps the process, which nothing should.
      setTimeout(() => { console.log(`${name}'s server is kept alive by ${process.getActiveResourcesInfo().join(", ")}`); }, 8_000).unref();
    }, 1_000);
  });
});
process.send!(ports);
