/** The part of grpc-js's `experimental` that is supported. */
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
export { endpointHasAddress, endpointToString, splitHostPort, statusOrFromError, statusOrFromValue, subchannelAddressToString, uriToString } from "./grpc-uri.js";
export type { Endpoint, GrpcUri, HostPort, StatusOr, SubchannelAddress } from "./grpc-uri.js";
export { registerResolver } from "./name-resolver.js";
export type { Resolver, ResolverConstructor, ResolverListener } from "./name-resolver.js";
export { createServerCredentialsWithInterceptors } from "../server/credentials.js";
