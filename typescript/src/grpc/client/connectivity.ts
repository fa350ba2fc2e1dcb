/**
 * States of a channel and of a subchannel, with the numbers grpc-js gives them (gRPC "Connectivity Semantics and API").
 */
export enum ConnectivityState {
  IDLE = 0,
  CONNECTING = 1,
  READY = 2,
  TRANSIENT_FAILURE = 3,
  SHUTDOWN = 4,
}
