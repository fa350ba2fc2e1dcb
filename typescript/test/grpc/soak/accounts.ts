import { status } from "@grpc/grpc-js";
import type { Outcome } from "./client.js";

/** Texts of errors that say that a call never reached a server. */
const NOT_SENT = /No connection established|ECONNREFUSED|not been processed/;
const EXAMPLES = 5;

/** The outcomes of a pair's calls, from its client and its server's ledger. */
export class Account {
  readonly pair: string;
  readonly outcomes: Outcome[] = [];
  /** By kind, the faults that there should be none of: how often, and some of them. */
  readonly faults = new Map<string, { count: number; examples: string[] }>();
  attempted = 0;
  open = 0;

  constructor(pair: string) {
    this.pair = pair;
  }

  fault(kind: string, example: string): void {
    const known = this.faults.get(kind) ?? { count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < EXAMPLES) known.examples.push(example);
    this.faults.set(kind, known);
  }

  /** Sorts a fault that a client or a server has reported, by the first of these words in it. */
  told(text: string): void {
    const kind = /\b(hung|lost|doubled|damaged|truncated|delivered to another call|two statuses|ended)\b/.exec(text)?.[1] ?? "other";
    this.fault(kind === "ended" || kind === "two statuses" ? "ended twice" : kind, text);
  }

  get errors(): Outcome[] {
    return this.outcomes.filter(({ planned }) => !planned);
  }

  get ok(): number {
    return this.outcomes.filter(({ code }) => code === status.OK).length;
  }

  count(kind: string): number {
    return this.faults.get(kind)?.count ?? 0;
  }

  /** Compares the callers' outcomes with how often each call was run. */
  compare(runs: Map<string, number>): void {
    for (const { id, code, details } of this.outcomes) {
      const ran = runs.get(id) ?? 0;
      if (ran > 1) this.fault("doubled", `${id} was run ${ran} times, and ended with ${code} ${details}`);
      if (ran === 0 && code === status.OK) this.fault("lost", `${id} ended with OK, and was never run`);
      if (ran > 0 && code === status.UNAVAILABLE && NOT_SENT.test(details)) this.fault("untrue", `${id} was run, and ended with ${details}`);
    }
  }

  /** Calls that did not end as planned, by status and text. */
  kinds(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { code, details } of this.errors) {
      const kind = `${status[code] ?? code}: ${details.replace(/\d+(\.\d+)?/g, "N").replace(/,.*remote_addr=.*|^(.{90}).+/s, "$1…")}`;
      found.set(kind, (found.get(kind) ?? 0) + 1);
    }
    return new Map([...found].sort(([, a], [, b]) => b - a));
  }
}

const COLUMNS = ["lost", "doubled", "delivered to another call", "damaged", "truncated", "untrue", "ended twice", "hung", "left", "other"];

/** The accounts as a table, with the errors and some of the faults below. */
export function report(accounts: readonly Account[]): string {
  const rows = accounts.map((account) => [account.pair, account.attempted, account.ok, account.errors.length, ...COLUMNS.map((kind) => account.count(kind))]);
  const lines = [["client>server", "calls", "ok", "errors", ...COLUMNS], ...rows].map((row) => `| ${row.join(" | ")} |`);
  lines.splice(1, 0, `|---${"|--:".repeat(3 + COLUMNS.length)}|`);
  for (const account of accounts) {
    lines.push("", `${account.pair}, errors:`);
    for (const [kind, count] of account.kinds()) lines.push(`  ${count} ${kind}`);
    for (const [kind, { count, examples }] of account.faults) lines.push(`  ${kind} (${count}): ${examples.join("; ")}`);
  }
  return lines.join("\n");
}
