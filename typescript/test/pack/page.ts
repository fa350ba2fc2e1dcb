/**
 * What the browser tests run inside a page: the vectors and a few checks of what differs between engines. The page's
 * query says what to expect of it; the report goes back to the server that the page came from.
 */
import * as pack from "../../src/pack/index.js";
import { mayEvaluate, primitives, webPrimitives } from "../../src/pack/wire/primitives.js";
import { MOST_MACHINED, textMachine } from "../../src/pack/wire/wasm-text.js";
import { runCase } from "./cases.js";
import type { Case, Mode } from "./cases.js";

/** The report of a page. */
export interface PageReport {
  cases: number;
  failures: string[];
  mayEvaluate: boolean;
}

const failures: string[] = [];

async function json(path: string): Promise<unknown> {
  return (await fetch(path)).json();
}

function attempt(what: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    failures.push(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

function same(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** Every byte as a character, alone and in texts around the lengths where the engine takes another way. */
function checkText(): void {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  const all = String.fromCharCode(...bytes);
  attempt("Latin-1 is not windows-1252", () => { same(primitives.latin1(bytes, 0, 256), all); });
  const codec = pack.codec(pack.list(pack.string));
  const texts = Array.from({ length: 300 }, (_, i) => all.repeat(2).slice(i, i + (i % 90)));
  attempt("Latin-1 texts", () => { same(codec.decode(codec.encode(texts)), texts); });
  const wide = texts.map((text, i) => (i % 3 === 0 ? `${text}\u20ac\ufeff` : `\ufeff${text}😀`));
  attempt("texts beyond Latin-1", () => { same(codec.decode(codec.encode(wide)), wide); });
}

/**
 * A page that allows code from text gets texts of every length and all bytes by WebAssembly once it has read enough of
 * them.
 */
function checkMachine(allowed: boolean): void {
  attempt("WebAssembly", () => { same(textMachine() !== undefined, allowed); });
  const web = webPrimitives();
  if (allowed) web.allowCode();
  const bytes = Uint8Array.from({ length: 1_100 }, (_, i) => (i * 37) ^ (i >> 3));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  attempt("texts of every length", () => {
    for (let turn = 0; turn < 30; turn++) {
      for (let length = 0; length < MOST_MACHINED + 16; length++) {
        const start = (turn * 7) % 100;
        // Up to 1,024 bytes are copied whole.
        const message = bytes.subarray(0, turn % 3 === 0 ? start + length : turn % 3 === 1 ? 1_024 : 1_100);
        same(web.latin1(message, start, start + length), letters.slice(start, start + length));
      }
    }
  });
  attempt("no array of bytes", () => {
    let refused = false;
    try {
      web.latin1([0x61, 0x62] as unknown as Uint8Array, 0, 2);
    } catch (error) {
      refused = error instanceof TypeError;
    }
    same(refused, true);
  });
  attempt("bytes of another realm", () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    const { Uint8Array: Theirs } = frame.contentWindow as unknown as { Uint8Array: typeof Uint8Array };
    same(web.latin1(Theirs.of(0x61, 0x80, 0xff), 0, 3), "a\u0080\u00ff");
    frame.remove();
  });
}

/** Engines let their decoders have bytes of such buffers only as a copy. */
function checkBuffers(): void {
  const codec = pack.codec(pack.list(pack.string));
  const texts = ["long enough for the decoder of the engine, not for a loop", "and in UTF-8: \u20ac", "\u65e5\u672c"];
  const message = codec.encode(texts);
  const Resizable = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;
  const bytes = new Uint8Array(new Resizable(message.length, { maxByteLength: 2 * message.length }));
  bytes.set(message);
  attempt("a buffer that can be resized", () => { same(codec.decode(bytes), texts); });
}

/** Code from text where the page allows it, closures where it does not, the same bytes from both. */
function checkEvaluation(allowed: boolean): void {
  attempt("code from text", () => { same(mayEvaluate(), allowed); });
  const type = pack.list(pack.struct("Book", { id: pack.string, year: pack.i32 }));
  const books = [{ id: "1001", year: 1974 }];
  attempt("the default codec", () => {
    const codec = pack.codec(type);
    same(codec.decode(codec.encode(books)), books);
    same([...codec.encode(books)], [...pack.codec(type, { eval: false }).encode(books)]);
  });
  if (allowed) return;
  attempt("insisting on code from text", () => {
    let refused = false;
    try {
      pack.codec(type, { eval: true });
    } catch (error) {
      refused = error instanceof EvalError;
    }
    same(refused, true);
  });
}

async function runVectors(modes: readonly Mode[]): Promise<number> {
  const manifest = (await json("/spec/vectors/MANIFEST.json")) as { files: Record<string, number> };
  let count = 0;
  for (const file of Object.keys(manifest.files)) {
    const { cases } = (await json(`/spec/vectors/${file}`)) as { cases: Case[] };
    for (const vector of cases) {
      count++;
      for (const mode of modes) attempt(`${file} ${vector.name} ${JSON.stringify(mode)}`, () => { runCase(vector, mode); });
    }
  }
  return count;
}

const allowed = new URLSearchParams(location.search).get("eval") === "yes";
const closed: Mode = { turn: 0, eval: false, typed: true, views: true, detach: true };
const modes: Mode[] = allowed ? [{ turn: 1, eval: true, typed: false, views: false, detach: false }, closed] : [closed];
checkText();
checkMachine(allowed);
checkBuffers();
checkEvaluation(allowed);
const cases = await runVectors(modes);
const report: PageReport = { cases, failures, mayEvaluate: mayEvaluate() };
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
