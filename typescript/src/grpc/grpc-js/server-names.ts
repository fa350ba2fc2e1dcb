/** What a server needs, under grpc-js's names. */
export { Server } from "./server.js";
export { loadPackageDefinition } from "./package-definition.js";
export type { GrpcObject } from "./package-definition.js";
export { Metadata } from "../protocol/metadata.js";
export type { MetadataOptions, MetadataValue } from "../protocol/metadata.js";
export { Status as status, StatusBuilder } from "../protocol/status.js";
export type { PartialStatusObject, StatusObject } from "../protocol/status.js";
export { decodeStatusDetails, encodeStatusDetails, statusDetails, withStatusDetails } from "../protocol/status-details.js";
export type { RichStatus, StatusDetail } from "../protocol/status-details.js";
export { CompressionAlgorithms as compressionAlgorithms } from "../protocol/compression.js";
export type { Deadline } from "../protocol/timeout.js";
export type {
  Deserialize as deserialize,
  MethodDefinition,
  PackageDefinition,
  ProtobufTypeDefinition,
  Serialize as serialize,
  ServerMethodDefinition,
  ServiceDefinition,
} from "../protocol/method.js";
export { ServerCredentials, createServerCredentialsWithInterceptors } from "../server/credentials.js";
export type { ConnectionInjector } from "../server/endpoint.js";
export type { KeyCertPair } from "../server/credentials.js";
export type { ServerOptions } from "../server/settings.js";
export type { Statistics } from "../protocol/statistics.js";
export { ResponderBuilder, ServerListenerBuilder } from "../server/builders.js";
export { ServerInterceptingCall } from "../server/intercepting.js";
export type {
  ConnectionInfo,
  FullResponder,
  FullServerListener,
  InterceptingServerListener,
  Responder,
  ServerInterceptingCallInterface,
  ServerInterceptor,
  ServerListener,
} from "../server/intercepting.js";
export type {
  HandleCall,
  ServerDuplexStream,
  ServerErrorResponse,
  ServerReadableStream,
  ServerStatusResponse,
  ServerSurfaceCall,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedHandleCall,
  UntypedServiceImplementation,
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  sendUnaryData,
} from "../server/handler.js";
export { HealthImplementation } from "../health/health.js";
export type { ServingStatusMap } from "../health/health.js";
export { healthService } from "../health/health-messages.js";
export type { HealthCheckRequest, HealthCheckResponse, HealthListResponse, ServingStatus } from "../health/health-messages.js";
export type { PerRequestMetricRecorder } from "../orca/call-metrics.js";
export { loadReport } from "../orca/load-report.js";
export type { LoadReport } from "../orca/load-report.js";
export { orcaService } from "../orca/orca-messages.js";
export type { LoadReportRequest } from "../orca/orca-messages.js";
export { ServerMetricRecorder } from "../orca/server-metrics.js";
export { ReflectionService } from "../reflection/reflection.js";
export type { ReflectionOptions } from "../reflection/reflection.js";
export { addAdminServicesToServer, getChannelzHandlers, getChannelzServiceDefinition } from "../channelz/service.js";
export * as experimental from "./experimental.js";
