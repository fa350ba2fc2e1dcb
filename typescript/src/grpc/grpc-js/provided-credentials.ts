import { ServerCredentials } from "../server/credentials.js";
import { dial, type Dial } from "../transport/dial.js";
import { clientContext, type ConnectionOptions } from "../transport/secure-context.js";
import { ChannelCredentials, type VerifyOptions } from "./channel-credentials.js";
import type { CaCertificateUpdate, CertificateProvider, IdentityCertificateUpdate } from "./certificate-provider.js";

/** Resolves to the first result of a provider. Rejects when the signal aborts. */
function first<T>(add: (listener: (update: T | null) => void) => void, remove: (listener: (update: T | null) => void) => void, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      remove(hear);
      signal?.removeEventListener("abort", abort);
    };
    const hear = (update: T | null): void => {
      if (update === null) return;
      end();
      resolve(update);
    };
    const abort = (): void => {
      end();
      reject(new Error("there is no certificate yet"));
    };
    signal?.addEventListener("abort", abort);
    add(hear);
  });
}

/** Asks its providers for certificates before each connection. */
class ProvidedChannelCredentials extends ChannelCredentials {
  readonly #ca: CertificateProvider | null;
  readonly #identity: CertificateProvider | null;
  readonly #verify: VerifyOptions;

  constructor(ca: CertificateProvider | null, identity: CertificateProvider | null, verify: VerifyOptions) {
    super();
    this.#ca = ca;
    this.#identity = identity;
    this.#verify = verify;
  }

  tls(): ConnectionOptions {
    return { ...this.#verify };
  }

  override get dial(): Dial {
    return async (address, options, accept) => {
      const { signal } = options;
      const [ca, identity] = await Promise.all([
        this.#ca === null ? null : first<CaCertificateUpdate>(this.#ca.addCaCertificateListener.bind(this.#ca), this.#ca.removeCaCertificateListener.bind(this.#ca), signal),
        this.#identity === null
          ? null
          : first<IdentityCertificateUpdate>(this.#identity.addIdentityCertificateListener.bind(this.#identity), this.#identity.removeIdentityCertificateListener.bind(this.#identity), signal),
      ]);
      const secureContext = clientContext({ roots: ca?.caCertificate ?? null, key: identity?.privateKey ?? null, chain: identity?.certificate ?? null });
      return dial(address, { ...options, tls: { ...options.tls, secureContext } }, accept);
    };
  }

  _isSecure(): boolean {
    return true;
  }

  _equals(other: ChannelCredentials): boolean {
    return other === this;
  }
}

/** TLS of a channel with certificates that may change: each new connection uses the present ones. */
export function createCertificateProviderChannelCredentials(
  caCertificateProvider: CertificateProvider | null,
  identityCertificateProvider: CertificateProvider | null,
  verifyOptions: VerifyOptions | null = null,
): ChannelCredentials {
  return new ProvidedChannelCredentials(caCertificateProvider, identityCertificateProvider, verifyOptions ?? {});
}

/** TLS of a server with certificates that may change. Until there is one, and while there is none, connections fail. */
export function createCertificateProviderServerCredentials(
  caCertificateProvider: CertificateProvider | null,
  identityCertificateProvider: CertificateProvider,
  requireClientCertificate: boolean,
): ServerCredentials {
  return ServerCredentials.createRenewed({ requestCert: requireClientCertificate, rejectUnauthorized: requireClientCertificate }, (apply) => {
    let ca: CaCertificateUpdate | null = null;
    let identity: IdentityCertificateUpdate | null = null;
    const renew = (): void => {
      const trusted = caCertificateProvider === null ? {} : { ca: ca?.caCertificate ?? [] };
      apply(identity === null || (caCertificateProvider !== null && ca === null) ? {} : { ...trusted, key: identity.privateKey, cert: identity.certificate });
    };
    const hearCa = (update: CaCertificateUpdate | null): void => {
      ca = update;
      renew();
    };
    const hearIdentity = (update: IdentityCertificateUpdate | null): void => {
      identity = update;
      renew();
    };
    caCertificateProvider?.addCaCertificateListener(hearCa);
    identityCertificateProvider.addIdentityCertificateListener(hearIdentity);
    return () => {
      caCertificateProvider?.removeCaCertificateListener(hearCa);
      identityCertificateProvider.removeIdentityCertificateListener(hearIdentity);
    };
  });
}
