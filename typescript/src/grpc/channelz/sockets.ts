import type { Statistics } from "../protocol/statistics.js";
import type { PlainMessage } from "../protocol/message-codec.js";
import { isIpv4 } from "../protocol/target.js";
import type { SocketAddress } from "../../transport/address.js";
import type { Link } from "../transport/link.js";

/** A connection as channelz shows it. */
export interface Connected {
  readonly link: Link;
  readonly counters: Statistics;
}

/** The bytes of an IP address: four for IPv4 and what stands for it in IPv6, else sixteen. */
export function ipBytes(host: string): Buffer {
  const mapped = /^::ffff:([\d.]+)$/i.exec(host)?.[1] ?? host;
  if (isIpv4(mapped)) return Buffer.from(mapped.split(".").map(Number));
  const [address = ""] = host.split("%");
  const [left = "", right] = address.split("::");
  const groups = (text: string): number[] => (text === "" ? [] : text.split(":").map((group) => parseInt(group, 16)));
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  const bytes = Buffer.alloc(16);
  head.forEach((group, at) => bytes.writeUInt16BE(group, at * 2));
  tail.forEach((group, at) => bytes.writeUInt16BE(group, (8 - tail.length + at) * 2));
  return bytes;
}

/** What `addressText` wrote: `1.2.3.4:80`, `[::1]:80` or `unix:/path`; null for `unknown`. */
function parseAddress(text: string): SocketAddress | null {
  if (text.startsWith("unix:")) return { path: text.slice(5) };
  const match = /^(?:\[(.+)\]|([^[\]]+)):(\d+)$/.exec(text);
  return match === null ? null : { host: match[1] ?? match[2]!, port: Number(match[3]) };
}

export function addressMessage(address: SocketAddress | null): PlainMessage | null {
  if (address === null) return null;
  if ("path" in address) return { address: "uds_address", uds_address: { filename: address.path } };
  return { address: "tcpip_address", tcpip_address: { ip_address: ipBytes(address.host), port: address.port } };
}

function securityMessage({ tls }: Link): PlainMessage | null {
  if (tls === null || tls.destroyed) return null;
  const { standardName } = tls.getCipher();
  const local = tls.getCertificate();
  return {
    model: "tls",
    tls: {
      cipher_suite: "standard_name",
      standard_name: standardName,
      local_certificate: local !== null && "raw" in local ? local.raw : null,
      // An empty object stands for a peer without a certificate.
      remote_certificate: (tls.getPeerCertificate() as { raw?: Buffer }).raw ?? null,
    },
  };
}

/** `Socket` without its reference. */
export function socketMessage({ link, counters }: Connected): PlainMessage {
  const ended = counters.callsSucceeded + counters.callsFailed;
  return {
    data: {
      streams_started: counters.callsStarted,
      streams_succeeded: ended - counters.streamsReset,
      streams_failed: counters.streamsReset,
      messages_sent: counters.messagesSent,
      messages_received: counters.messagesReceived,
      keep_alives_sent: counters.keepAlivesSent,
    },
    local: addressMessage(parseAddress(link.local)),
    remote: addressMessage(parseAddress(link.peer)),
    security: securityMessage(link),
  };
}
