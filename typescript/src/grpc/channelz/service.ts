import type { ServiceHost } from "../health/health.js";
import type { MethodDefinition, ServiceDefinition } from "../protocol/method.js";
import type { PlainMessage } from "../protocol/message-codec.js";
import type { ServerErrorResponse, ServerUnaryCall, UntypedServiceImplementation, sendUnaryData } from "../server/handler.js";
import { answers } from "./channelz.js";
import { channelzCodec, METHODS, type ChannelzMethod } from "./messages.js";

const PACKAGE = ".grpc.channelz.v1";

function method(name: ChannelzMethod): MethodDefinition<PlainMessage, PlainMessage> {
  const request = `${PACKAGE}.${name}Request`;
  const response = `${PACKAGE}.${name}Response`;
  return {
    path: `/grpc.channelz.v1.Channelz/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value) => channelzCodec.encode(request, value),
    requestDeserialize: (bytes) => channelzCodec.decode(request, bytes),
    responseSerialize: (value) => channelzCodec.encode(response, value),
    responseDeserialize: (bytes) => channelzCodec.decode(response, bytes),
    originalName: `${name[0]!.toLowerCase()}${name.slice(1)}`,
  };
}

const definition = Object.fromEntries(METHODS.map((name) => [name, method(name)])) as Record<ChannelzMethod, MethodDefinition<PlainMessage, PlainMessage>>;

/**
 * The service `grpc.channelz.v1.Channelz`, for servers and clients: names as in the proto file, 64-bit integers and
 * enums as texts.
 */
export function getChannelzServiceDefinition(): typeof definition & ServiceDefinition {
  return definition;
}

/** The handlers of that service: the state of the channels and servers of this thread. */
export function getChannelzHandlers(): UntypedServiceImplementation {
  const handler =
    (name: ChannelzMethod) =>
    ({ request }: ServerUnaryCall<PlainMessage, PlainMessage>, callback: sendUnaryData<PlainMessage>): void => {
      let answer: PlainMessage;
      try {
        answer = answers[name](request);
      } catch (error) {
        callback(error as ServerErrorResponse);
        return;
      }
      callback(null, answer);
    };
  return Object.fromEntries(METHODS.map((name) => [name, handler(name)]));
}

/** Adds the admin services: channelz. */
export function addAdminServicesToServer(server: ServiceHost): void {
  server.addService(getChannelzServiceDefinition(), getChannelzHandlers());
}
