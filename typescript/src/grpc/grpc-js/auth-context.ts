import type { Link } from "../transport/link.js";
import type { PeerCertificate } from "../transport/secure-context.js";

/** The peer's identity by TLS. Empty in plain text. */
export interface AuthContext {
  transportSecurityType?: string;
  sslPeerCertificate?: PeerCertificate;
}

/** The context of a connection. */
export function authContext(link: Link): AuthContext {
  if (link.tls === null) return {};
  return { transportSecurityType: "ssl", sslPeerCertificate: link.tls.getPeerCertificate() };
}
