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

interface AdminService {
  readonly definition: () => Parameters<ServiceHost["addService"]>[0];
  readonly handlers: () => Parameters<ServiceHost["addService"]>[1];
}

const adminServices: AdminService[] = [{ definition: getChannelzServiceDefinition, handlers: getChannelzHandlers }];

/** From now on `addAdminServicesToServer` adds this service too. */
export function registerAdminService(getServiceDefinition: AdminService["definition"], getHandlers: AdminService["handlers"]): void {
  adminServices.push({ definition: getServiceDefinition, handlers: getHandlers });
}

/** Adds the admin services: channelz, and those that programs have registered. */
export function addAdminServicesToServer(server: ServiceHost): void {
  for (const { definition, handlers } of adminServices) server.addService(definition(), handlers());
}
