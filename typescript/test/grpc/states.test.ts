import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../src/grpc/http2/connection.js";
import { Phase, Right, Step, may, nextPhase } from "../../src/grpc/http2/connection-states.js";
import { ErrorCode } from "../../src/grpc/http2/error-code.js";
import { HeaderFields } from "../../src/grpc/http2/header-fields.js";
import { Event, State, next } from "../../src/grpc/http2/states.js";
import { drain, frame, framesOf, prefaceOf, join, journaled } from "./journal.js";

const REQUEST = new HeaderFields([[":method", "POST"], [":scheme", "http"], [":path", "/a/B"]]);
const GOAWAY = frame(7, 0, 0, "0000000000000000");
const PREFACE = Uint8Array.from(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));

const PHASES = Object.values(Phase);
const STEPS = Object.values(Step);
const ROLES = ["client", "server"] as const;
type Role = (typeof ROLES)[number];

const phaseName = (phase: number): string => Object.keys(Phase).find((name) => Phase[name as keyof typeof Phase] === phase) ?? `error ${-phase}`;
const stepName = (step: Step): string => Object.keys(Step).find((name) => Step[name as keyof typeof Step] === step)!;

/** A phase of the table as three parts: how far the peer is, how far we are, and whether it is over. */
interface Told {
  peer: "silent" | "here" | "left";
  we: "silent" | "warned" | "left";
  over: boolean;
}

function told(phase: Phase): Told {
  const name = phaseName(phase);
  return {
    peer: name.startsWith("PREFACE") ? "silent" : name.startsWith("LEFT") ? "left" : "here",
    we: name.endsWith("LEAVING") ? "left" : name.endsWith("WARNED") ? "warned" : "silent",
    over: phase === Phase.CLOSED,
  };
}

/** The phase after a step by the prose of RFC 9113 sections 3.4, 5.4.1 and 6.8; a text where the peer may not do it. */
function expected(phase: Phase, step: Step): string {
  const { peer, we, over } = told(phase);
  if (over || step === Step.CLOSE || step === Step.CUT) return "CLOSED";
  if (step === Step.RECEIVE_GOAWAY && peer === "silent") return `error ${ErrorCode.PROTOCOL_ERROR}`;
  if (step === Step.LAST_STREAM_ENDED && (peer === "left" || we === "left")) return "CLOSED";
  const peerNow = step === Step.RECEIVE_GOAWAY ? "left" : step === Step.RECEIVE_SETTINGS && peer === "silent" ? "here" : peer;
  const weNow = step === Step.SEND_GOAWAY ? "left" : step === Step.SEND_WARNING && we === "silent" ? "warned" : we;
  return PHASES.map(phaseName).find((name) => {
    const each = told(Phase[name as keyof typeof Phase]);
    return !each.over && each.peer === peerNow && each.we === weNow;
  })!;
}

test("every cell of the connection's table: the next phase, what it allows, and that all are reached", () => {
  for (const phase of PHASES) {
    for (const step of STEPS) assert.equal(phaseName(nextPhase(phase, step)), expected(phase, step), `${phaseName(phase)}, ${stepName(step)}`);
    const { peer, we, over } = told(phase);
    assert.deepEqual(
      [may(phase, Right.OPEN), may(phase, Right.ACCEPT), may(phase, Right.FRAMES)],
      over ? [false, false, false] : [peer !== "left", peer !== "silent" && we !== "left", peer !== "silent"],
      phaseName(phase),
    );
  }
  const reached = new Set<number>([Phase.PREFACE]);
  for (const phase of reached) for (const step of STEPS) if (nextPhase(phase as Phase, step) >= 0) reached.add(nextPhase(phase as Phase, step));
  assert.deepEqual([...reached].sort((a, b) => a - b), PHASES);
});

/** Takes a step by real bytes and calls. */
function take(connection: Connection, step: Step): void {
  const client = connection.role === "server" && !connection.prefaceReceived;
  if (step === Step.RECEIVE_SETTINGS) connection.receive(client ? prefaceOf("client") : frame(4, 0, 0));
  else if (step === Step.SEND_WARNING) connection.warn();
  else if (step === Step.SEND_GOAWAY) connection.goaway();
  else if (step === Step.RECEIVE_GOAWAY) connection.receive(client ? join(PREFACE, GOAWAY) : GOAWAY);
  else if (step === Step.LAST_STREAM_ENDED) connection.finish();
  else if (step === Step.CLOSE) connection.close();
  else connection.end();
}

/** The steps that lead from the beginning to a phase. */
function way(to: Phase): Step[] {
  const ways = new Map<number, Step[]>([[Phase.PREFACE, []]]);
  for (const [phase, steps] of ways) {
    for (const step of STEPS) {
      const after = nextPhase(phase as Phase, step);
      if (after >= 0 && !ways.has(after)) ways.set(after, [...steps, step]);
    }
  }
  return ways.get(to)!;
}

function led(role: Role, phase: Phase): ReturnType<typeof journaled> {
  const made = journaled(role);
  for (const step of way(phase)) take(made.connection, step);
  assert.equal(phaseName(made.connection.phase), phaseName(phase));
  drain(made.connection);
  return made;
}

test("connections of both roles go through the table, cell by cell, by what is really sent, received and called", () => {
  for (const role of ROLES) {
    for (const phase of PHASES) {
      for (const step of STEPS) {
        const { connection, journal } = led(role, phase);
        take(connection, step);
        const after = nextPhase(phase, step);
        const what = `${role}, ${phaseName(phase)}, ${stepName(step)}`;
        assert.equal(phaseName(connection.phase), phaseName(after < 0 ? Phase.CLOSED : after), what);
        assert.equal(connection.error?.code ?? 0, after < 0 ? -after : 0, what);
        assert.equal(journal.closed, connection.closed ? 1 : 0, what);
        // GOAWAY goes out with each phase that our own step changes, and at an end while the peer can still read.
        const spoken = framesOf(drain(connection)).filter(({ type }) => type === 7).length;
        const speaks = after !== phase && step !== Step.RECEIVE_SETTINGS && step !== Step.CUT && (step !== Step.RECEIVE_GOAWAY || after < 0);
        assert.equal(spoken, speaks ? 1 : 0, what);
      }
    }
  }
});

/**
 * Whether a server takes a new stream, whether a client may open one, and whether a frame is answered, on connections
 * made for each question.
 */
function shown(role: Role, make: () => ReturnType<typeof journaled>): { begins: boolean; frames: boolean } {
  const asked = make();
  let begins = asked.connection.canOpen;
  if (role === "server") {
    asked.connection.receive(frame(1, 5, 7, "838684"));
    begins = asked.journal.streams.length > 0;
  } else if (begins) asked.connection.open(REQUEST, true, null);
  else assert.throws(() => asked.connection.open(REQUEST, true, null), { fault: "misuse" });
  const { connection } = make();
  connection.receive(frame(6, 0, 0, "0102030405060708"));
  const frames = framesOf(drain(connection)).some(({ type, flags }) => type === 6 && flags === 1);
  return { begins, frames };
}

test("what a phase allows is what a connection does, and nothing but its phase decides it", () => {
  for (const role of ROLES) {
    for (const phase of PHASES) {
      const right = role === "client" ? Right.OPEN : Right.ACCEPT;
      const expects = { begins: may(phase, right), frames: may(phase, Right.FRAMES) };
      const what = `${role}, ${phaseName(phase)}`;
      assert.deepEqual(shown(role, () => led(role, phase)), expects, what);
      // A connection with another history that is set to this phase behaves alike.
      for (const real of PHASES) {
        const moved = (): ReturnType<typeof journaled> => {
          const made = led(role, real);
          if (role === "server" && !made.connection.prefaceReceived) made.connection.receive(PREFACE);
          made.connection.phase = phase;
          return made;
        };
        // This way to the end leaves the bytes of the preface unread, and they come before all frames.
        if (role === "server" && real === Phase.CLOSED) continue;
        assert.deepEqual(shown(role, moved), expects, `${what}, really ${phaseName(real)}`);
        const { connection } = moved();
        assert.deepEqual([connection.closed, connection.accepts, connection.warned], [phase === Phase.CLOSED, may(phase, Right.ACCEPT), told(phase).we === "warned"]);
        assert.equal(connection.prefaceReceived && !connection.closed, may(phase, Right.FRAMES));
      }
    }
  }
});

test("a connection that is left closes with its last stream, and not before", () => {
  const { connection, journal } = journaled("server");
  connection.receive(join(prefaceOf("client"), frame(1, 5, 1, "838684")));
  assert.ok(!connection.finish(), "not draining");
  const is = (): boolean[] => [connection.warned, connection.accepts];
  assert.deepEqual([connection.warn(), ...is()], [true, true, true]);
  assert.ok(!connection.finish(), "the warning takes nothing back");
  assert.deepEqual([connection.goaway(), ...is()], [true, false, false]);
  assert.deepEqual([connection.goaway(), connection.warn()], [false, false], "it has been said");
  assert.ok(!connection.finish(), "a stream is open");
  connection.receive(frame(1, 5, 3, "838684"));
  assert.equal(journal.streams.length, 1, "what comes after GOAWAY is ignored");
  connection.receive(frame(0, 0, 3, "00"));
  assert.ok(!connection.closed, "and so is what belongs to it");
  journal.streams[0]!.headers(new HeaderFields([[":status", "200"]]), true);
  assert.ok(connection.finish());
  assert.equal(journal.lines.at(-1), "closed in order");
});

/** A stream by the prose of RFC 9113 section 5.1: which of its two directions are open. */
function streamAfter(state: State, event: Event): number {
  const idle = state === State.IDLE;
  const sends = state === State.OPEN || state === State.HALF_CLOSED_REMOTE;
  const receives = state === State.OPEN || state === State.HALF_CLOSED_LOCAL;
  if (event === Event.SEND_RESET) return idle ? -ErrorCode.INTERNAL_ERROR : State.CLOSED;
  if (event === Event.RECEIVE_RESET) return idle ? -ErrorCode.PROTOCOL_ERROR : State.CLOSED;
  if (idle && (event === Event.SEND_HEADERS || event === Event.RECEIVE_HEADERS)) return State.OPEN;
  const ours = event <= Event.SEND_END;
  if (ours ? !sends : !receives) return ours ? -ErrorCode.INTERNAL_ERROR : idle ? -ErrorCode.PROTOCOL_ERROR : -ErrorCode.STREAM_CLOSED;
  if (event === Event.SEND_END) return receives ? State.HALF_CLOSED_LOCAL : State.CLOSED;
  if (event === Event.RECEIVE_END) return sends ? State.HALF_CLOSED_REMOTE : State.CLOSED;
  return state;
}

test("every cell of the streams' table", () => {
  for (const state of Object.values(State)) {
    for (const event of Object.values(Event)) assert.equal(next(state, event), streamAfter(state, event), `state ${state}, event ${event}`);
  }
});
