/** grpc-js's `experimental`. */
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
export { registerAdminService } from "../channelz/service.js";
export { log, trace } from "../logging.js";
export { registerResolver } from "./name-resolver.js";
export { createResolver } from "./own-resolver.js";
export type { Resolver, ResolverConstructor, ResolverListener } from "./name-resolver.js";
export { BackoffTimeout } from "./balancing/backoff-timeout.js";
export { registerLoadBalancerType } from "./balancing/channel-policy.js";
export { ChildLoadBalancerHandler } from "./balancing/child-handler.js";
export { CHANNEL_ARGS_CONFIG_SELECTOR_KEY, SUBCHANNEL_ARGS_EXCLUDE_KEY_PREFIX } from "./balancing/config-selector.js";
export type { CallConfig, ConfigSelector } from "./balancing/config-selector.js";
export { durationToMs, parseDuration } from "./balancing/durations.js";
export type { Duration } from "./balancing/durations.js";
export { EndpointMap } from "./balancing/endpoint-map.js";
export { BaseFilter, FilterStackFactory } from "./balancing/filters.js";
export type { Filter, FilterFactory } from "./balancing/filters.js";
export { LeafLoadBalancer } from "./balancing/leaf.js";
export { createChildChannelControlHelper, isLoadBalancerNameRegistered, parseLoadBalancingConfig, selectLbConfigFromList } from "./balancing/load-balancer.js";
export type { ChannelControlHelper, LoadBalancer, TypedLoadBalancingConfig } from "./balancing/load-balancer.js";
export { PickResultType, QueuePicker, UnavailablePicker } from "./balancing/picker.js";
export type { PickArgs, Picker, PickResult } from "./balancing/picker.js";
export { BaseSubchannelWrapper } from "./balancing/subchannel-interface.js";
export type { ConnectivityStateListener, DataWatcher, HealthListener, SubchannelInterface } from "./balancing/subchannel-interface.js";
export { createServerCredentialsWithInterceptors } from "../server/credentials.js";
