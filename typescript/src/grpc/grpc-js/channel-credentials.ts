import type { CallCredentials } from "./call-credentials.js";
import type { Dial } from "../transport/dial.js";
import { clientContext, type ConnectionOptions, type PeerCertificate, type SecureContext } from "../transport/secure-context.js";

/** Checks a certificate after the usual check of its host name: an error refuses it. */
export type CheckServerIdentityCallback = (hostname: string, certificate: PeerCertificate) => Error | undefined;

export interface VerifyOptions {
  checkServerIdentity?: CheckServerIdentityCallback;
  rejectUnauthorized?: boolean;
}

/** How a channel is secured, and the call credentials that all its calls carry. */
export abstract class ChannelCredentials {
  /** TLS options, null for plain text. */
  abstract tls(): ConnectionOptions | null;

  /** Call credentials of every call, null for none. */
  get callCredentials(): CallCredentials | null {
    return null;
  }

  /** A way to connect of their own, null for the usual one. */
  get dial(): Dial | null {
    return null;
  }

  abstract _isSecure(): boolean;

  abstract _equals(other: ChannelCredentials): boolean;

  /** Returns these channel credentials with call credentials added. @throws Error when the channel is not secure */
  compose(credentials: CallCredentials): ChannelCredentials {
    return new ComposedChannelCredentials(this, credentials);
  }

  /**
   * TLS with PEM certificates and key.
   *
   * @throws TypeError for anything but a Buffer or null; Error if only one of key and chain is given
   */
  static createSsl(
    rootCerts?: Buffer | null,
    privateKey?: Buffer | null,
    certChain?: Buffer | null,
    verifyOptions?: VerifyOptions,
  ): ChannelCredentials {
    requireBuffer(rootCerts, "Root certificate");
    requireBuffer(privateKey, "Private key");
    requireBuffer(certChain, "Certificate chain");
    if (privateKey && !certChain) throw new Error("Private key must be given with accompanying certificate chain");
    if (!privateKey && certChain) throw new Error("Certificate chain must be given with accompanying private key");
    const context = clientContext({ roots: rootCerts ?? null, key: privateKey ?? null, chain: certChain ?? null });
    return new SecureCredentials(context, verifyOptions ?? {});
  }

  /** TLS with a context of the caller's. */
  static createFromSecureContext(context: SecureContext, verifyOptions?: VerifyOptions): ChannelCredentials {
    return new SecureCredentials(context, verifyOptions ?? {});
  }

  /** Plain text. */
  static createInsecure(): ChannelCredentials {
    return new InsecureCredentials();
  }
}

/** Call credentials are secrets: they may not be sent in plain text. */
class InsecureCredentials extends ChannelCredentials {
  tls(): null {
    return null;
  }

  override compose(): ChannelCredentials {
    throw new Error("Cannot compose insecure credentials");
  }

  _isSecure(): boolean {
    return false;
  }

  _equals(other: ChannelCredentials): boolean {
    return other instanceof InsecureCredentials;
  }
}

class SecureCredentials extends ChannelCredentials {
  readonly #context: SecureContext;
  readonly #verify: VerifyOptions;

  constructor(context: SecureContext, verify: VerifyOptions) {
    super();
    this.#context = context;
    this.#verify = verify;
  }

  tls(): ConnectionOptions {
    const { checkServerIdentity, rejectUnauthorized } = this.#verify;
    return {
      secureContext: this.#context,
      ...(checkServerIdentity === undefined ? {} : { checkServerIdentity }),
      ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
    };
  }

  _isSecure(): boolean {
    return true;
  }

  _equals(other: ChannelCredentials): boolean {
    return other === this || (other instanceof SecureCredentials && other.#context === this.#context && sameChecks(other.#verify, this.#verify));
  }
}

class ComposedChannelCredentials extends ChannelCredentials {
  readonly #channel: ChannelCredentials;
  readonly #call: CallCredentials;

  constructor(channel: ChannelCredentials, call: CallCredentials) {
    super();
    if (!channel._isSecure()) throw new Error("Cannot compose insecure credentials");
    this.#channel = channel;
    this.#call = channel.callCredentials?.compose(call) ?? call;
  }

  tls(): ConnectionOptions | null {
    return this.#channel.tls();
  }

  override get dial(): Dial | null {
    return this.#channel.dial;
  }

  override get callCredentials(): CallCredentials {
    return this.#call;
  }

  _isSecure(): boolean {
    return true;
  }

  _equals(other: ChannelCredentials): boolean {
    return other instanceof ComposedChannelCredentials && this.#channel._equals(other.#channel) && this.#call._equals(other.#call);
  }
}

function sameChecks(left: VerifyOptions, right: VerifyOptions): boolean {
  return left.checkServerIdentity === right.checkServerIdentity && left.rejectUnauthorized === right.rejectUnauthorized;
}

function requireBuffer(value: unknown, name: string): void {
  if (value !== undefined && value !== null && !Buffer.isBuffer(value)) throw new TypeError(`${name}, if provided, must be a Buffer.`);
}
