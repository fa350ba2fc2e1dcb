import { lookup, Resolver } from "node:dns/promises";

/**
 * The addresses of a host in the system's order, by the system's resolver; or, when a server is named, by asking that one
 * (`host[:port]`, IP literal).
 *
 * @throws the system's error, when there are none
 */
export async function lookupHost(host: string, server: string | null): Promise<string[]> {
  if (server === null) return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  const resolver = new Resolver();
  resolver.setServers([server]);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [first] = answers;
  if (found.length === 0 && first.status === "rejected") throw first.reason as Error;
  return found;
}

/** A question for TXT records that is under way. */
export interface TextLookup {
  /** Each record in its parts. Rejects when there are none, or nobody answers. */
  readonly records: Promise<string[][]>;
  /** Gives up: an open question would keep the process alive. */
  cancel(): void;
}

/** Milliseconds for the first answer, and how often to ask. */
const PATIENCE = { timeout: 2_000, tries: 2 };

/** Asks for the TXT records of a host: the system's servers, or the one named. */
export function lookupTexts(host: string, server: string | null): TextLookup {
  const resolver = new Resolver(PATIENCE);
  if (server !== null) resolver.setServers([server]);
  return {
    records: resolver.resolveTxt(host),
    cancel: () => {
      resolver.cancel();
    },
  };
}
