import { addressText } from "../../transport/address.js";
import { isIpv4, type Target } from "./target.js";

/** An HTTP proxy that opens tunnels (RFC 9110 section 9.3.6). */
export interface Proxy {
  /** A target that leads to it. */
  readonly target: string;
  /** `host:port` that it shall reach. */
  readonly destination: string;
  /** `user:password`, null for none. */
  readonly credentials: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a target by the variables that all gRPC libraries read: `grpc_proxy`, else `https_proxy`, else
 * `http_proxy`, unless `no_grpc_proxy`, else `no_proxy`, lists the host: by a suffix of its name, or a range of IPv4
 * addresses.
 *
 * @returns null for none; unix sockets and lists of addresses have none
 * @throws Error for a value that is not an `http:` URL
 */
export function proxyFor(target: Target, environment: Environment): Proxy | null {
  const place = destination(target);
  const name = ["grpc_proxy", "https_proxy", "http_proxy"].find((each) => environment[each]);
  if (place === null || name === undefined) return null;
  const { host, port } = place;
  const except = environment["no_grpc_proxy"] || environment["no_proxy"] || "";
  if (except.split(",").some((each) => covers(each.trim(), host))) return null;
  let url: URL;
  try {
    url = new URL(environment[name]!);
  } catch {
    throw new Error(`the environment variable ${name} is not a URL`);
  }
  if (url.protocol !== "http:") throw new Error(`the environment variable ${name} has the scheme ${url.protocol}, and only http: is known`);
  const credentials = url.username === "" ? null : [url.username, ...(url.password === "" ? [] : [url.password])].map(decodeURIComponent).join(":");
  return { target: `dns:${url.hostname}:${url.port || "80"}`, destination: addressText(host, port), credentials };
}

/** Returns the host and port of a target; null for a list and for a unix socket. */
function destination(target: Target): { readonly host: string; readonly port: number } | null {
  if (target.scheme === "dns") return target;
  const [first, second] = target.addresses;
  return first === undefined || second !== undefined || "path" in first ? null : first;
}

/** Whether an entry of `no_proxy` means the host. */
function covers(entry: string, host: string): boolean {
  if (entry === "") return false;
  const [base, bits] = entry.split("/") as [string, string | undefined];
  if (bits === undefined) return host.endsWith(entry);
  const length = Number(bits);
  if (!isIpv4(base) || !isIpv4(host) || !/^\d+$/.test(bits) || length > 32) return false;
  const shift = 2 ** (32 - length);
  return Math.floor(number(base) / shift) === Math.floor(number(host) / shift);
}

function number(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
