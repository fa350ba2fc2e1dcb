import type { SocketAddress } from "../../transport/address.js";
import { thrownText } from "./thrown.js";

/** What a channel's target string names (gRPC "Name Resolution"). */
export type Target =
  | { readonly scheme: "dns"; readonly server: string | null; readonly host: string; readonly port: number; readonly authority: string }
  | { readonly scheme: "fixed"; readonly addresses: readonly SocketAddress[]; readonly authority: string };

/** A target that names nothing: calls fail with the reason. */
export interface MalformedTarget {
  readonly scheme: "malformed";
  readonly failure: string;
  readonly authority: string;
}

const DEFAULT_PORT = 443;

/**
 * Parses `host[:port]`, `dns:[//server/]host[:port]`, `ipv4:a.b.c.d[:port][,…]`, `ipv6:[a::b]:port[,…]`,
 * `unix:path`, `unix:///absolute/path`; an IP literal without a scheme is a fixed address.
 * @throws Error naming the target and what is wrong with it
 */
export function parseTarget(text: string): Target {
  return parsed(text);
}

/**
 * Parses a channel's target. A malformed one gives a channel whose calls fail, as in grpc-js.
 * @throws Error for an empty target
 */
export function channelTarget(text: string): Target | MalformedTarget {
  if (text === "") throw new Error('Could not parse target name ""');
  try {
    return parsed(text);
  } catch (error) {
    return { scheme: "malformed", failure: thrownText(error), authority: text };
  }
}

/**
 * Parses the address that a server listens on, which must name its port.
 * @throws Error naming the target and what is wrong with it
 */
export function parseListenAddress(text: string): Target {
  const target = parsed(text);
  const missing = target.scheme === "dns" ? !PORT.test(target.authority) : target.addresses.some((address) => "port" in address) && !PORT.test(target.authority);
  if (missing) throw new Error(`${text}: a port is missing: write ${text}:50051, or ${text}:0 for a free one`);
  return target;
}

/** A port at the end of an authority that is not a part of an IPv6 address. */
const PORT = /^(?:[^:]+|\[[^\]]+\]):\d+$/;

function parsed(text: string): Target {
  const colon = text.indexOf(":");
  const scheme = colon > 0 ? text.slice(0, colon).toLowerCase() : "";
  switch (scheme) {
    case "unix":
      return unix(text, text.slice(colon + 1));
    case "ipv4":
    case "ipv6":
      return list(text, scheme, text.slice(colon + 1));
    case "dns":
      return dns(text, text.slice(colon + 1));
    default:
      // `localhost:50051` looks like scheme and path: only a known scheme or one with an authority is one.
      if (colon > 0 && text.startsWith("//", colon + 1)) throw new Error(`No resolver could be created for target ${text}${advice(scheme)}`);
      return named(text, null, text);
  }
}

function advice(scheme: string): string {
  return scheme === "http" || scheme === "https" ? ": a target is host:port without http://, and TLS is chosen by the credentials" : "";
}

function unix(target: string, rest: string): Target {
  let path = rest;
  if (rest.startsWith("//")) {
    path = rest.slice(2);
    // The part between `//` and the next slash would be an authority, which a socket file cannot have.
    if (!path.startsWith("/")) throw new Error(`${target}: a unix target takes unix:path or unix:///absolute/path`);
  }
  if (path === "") throw new Error(`${target}: a unix target needs a path`);
  return { scheme: "fixed", addresses: [{ path }], authority: "localhost" };
}

function list(target: string, scheme: "ipv4" | "ipv6", rest: string): Target {
  const text = rest.startsWith("///") ? rest.slice(3) : rest;
  const parts = text.split(",");
  const addresses = parts.map((part) => {
    const { host, port } = split(target, part);
    if (scheme === "ipv4" ? !isIpv4(host) : !isIpv6(host)) throw new Error(`${target}: '${host}' is not an ${scheme} address`);
    return { host, port };
  });
  return { scheme: "fixed", addresses, authority: parts[0]! };
}

function dns(target: string, rest: string): Target {
  if (!rest.startsWith("//")) return named(target, null, rest);
  const slash = rest.indexOf("/", 2);
  if (slash < 0) throw new Error(`${target}: dns://server/host is expected after two slashes`);
  return named(target, rest.slice(2, slash) || null, rest.slice(slash + 1));
}

function named(target: string, server: string | null, endpoint: string): Target {
  const { host, port } = split(target, endpoint);
  if (isIpv4(host) || isIpv6(host)) return { scheme: "fixed", addresses: [{ host, port }], authority: endpoint };
  return { scheme: "dns", server, host, port, authority: endpoint };
}

/** Cuts `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 literal. */
function split(target: string, endpoint: string): { host: string; port: number } {
  const match = /^\[([^\]]+)\](?::(\d+))?$/.exec(endpoint) ?? /^([^:[\]]+)(?::(\d+))?$/.exec(endpoint);
  if (match === null) {
    if (isIpv6(endpoint)) return { host: endpoint, port: DEFAULT_PORT };
    throw new Error(`${target}: '${endpoint}' is not host or host:port`);
  }
  const port = match[2] === undefined ? DEFAULT_PORT : Number(match[2]);
  if (port > 65_535) throw new Error(`${target}: port ${port} is above 65535`);
  return { host: match[1]!, port };
}

/** Dotted decimal with four parts, no leading zeros of more than one digit. */
export function isIpv4(host: string): boolean {
  const parts = host.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

/** RFC 4291 text form, with an optional dotted tail and zone. */
export function isIpv6(host: string): boolean {
  const percent = host.indexOf("%");
  if (percent >= 0 && percent === host.length - 1) return false;
  let text = percent < 0 ? host : host.slice(0, percent);
  const tail = text.slice(text.lastIndexOf(":") + 1);
  if (tail.includes(".")) {
    if (!isIpv4(tail)) return false;
    text = `${text.slice(0, text.length - tail.length)}0:0`;
  }
  const halves = text.split("::");
  if (halves.length > 2 || !text.includes(":")) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
