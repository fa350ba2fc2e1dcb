import { lookup, Resolver } from "node:dns/promises";

/**
 * Returns the addresses of a host in the system's order, by the system's resolver; or, if a server is given, from that
 * one (`host[:port]`, IP literal). With `direct` the system's servers are queried without its resolver, which takes a
 * thread for each query.
 *
 * @throws the system's error, when there are none
 */
export async function lookupHost(host: string, server: string | null, direct = false): Promise<string[]> {
  if (server === null && !direct) return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  const resolver = new Resolver();
  if (server !== null) resolver.setServers([server]);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [first] = answers;
  if (found.length === 0 && first.status === "rejected") throw first.reason as Error;
  return found;
}

/** A query for TXT records that is under way. */
export interface TextLookup {
  /** Each record in its parts. Rejects if there are none, or if no server answers. */
  readonly records: Promise<string[][]>;
  /** Cancels the query: it would keep the process alive. */
  cancel(): void;
}

/** Milliseconds for the first answer, and the number of tries. */
const RESOLVER_LIMITS = { timeout: 2_000, tries: 2 };

/** Queries the TXT records of a host from the system's servers, or from the given one. */
export function lookupTexts(host: string, server: string | null): TextLookup {
  const resolver = new Resolver(RESOLVER_LIMITS);
  if (server !== null) resolver.setServers([server]);
  return {
    records: resolver.resolveTxt(host),
    cancel: () => {
      resolver.cancel();
    },
  };
}
