import { addressText, type SocketAddress } from "../../transport/address.js";

/**
 * Where a connection can be made to: a host (an IP literal once resolved) with its port, or the path of a unix socket.
 */
export type Address = SocketAddress;

/** `1.2.3.4:80`, `[::1]:80` or `unix:/path`; equal for equal addresses. */
export function addressToString(address: Address): string {
  return "path" in address ? `unix:${address.path}` : addressText(address.host, address.port);
}

/**
 * Takes the families in turn, beginning with that of the first address, so that a broken one costs a single attempt
 * delay (RFC 8305 §4, gRFC A61). Repeated addresses are dropped: the first mention counts.
 */
export function interleave(addresses: readonly Address[]): Address[] {
  const seen = new Set<string>();
  const families: [Address[], Address[]] = [[], []];
  let first = -1;
  for (const address of addresses) {
    const name = addressToString(address);
    if (seen.has(name)) continue;
    seen.add(name);
    const family = "host" in address && address.host.includes(":") ? 1 : 0;
    if (first < 0) first = family;
    families[family].push(address);
  }
  const [leading, following] = first === 1 ? [families[1], families[0]] : families;
  const order: Address[] = [];
  for (let at = 0; at < Math.max(leading.length, following.length); at++) {
    if (at < leading.length) order.push(leading[at]!);
    if (at < following.length) order.push(following[at]!);
  }
  return order;
}
