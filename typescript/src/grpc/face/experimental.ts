/** What grpc-js offers as `experimental` and has a meaning here. */
export { FileWatcherCertificateProvider } from "./certificate-provider.js";
export type {
  CaCertificateUpdate,
  CaCertificateUpdateListener,
  CertificateProvider,
  FileWatcherCertificateProviderConfig,
  IdentityCertificateUpdate,
  IdentityCertificateUpdateListener,
} from "./certificate-provider.js";
export { createCertificateProviderChannelCredentials, createCertificateProviderServerCredentials } from "./provided-credentials.js";
export { createServerCredentialsWithInterceptors } from "../server/credentials.js";
