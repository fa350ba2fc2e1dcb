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
