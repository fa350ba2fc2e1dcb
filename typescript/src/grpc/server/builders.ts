import type {
  MessageResponder,
  MetadataResponder,
  Responder,
  ServerCancelListener,
  ServerHalfCloseListener,
  ServerListener,
  ServerMessageListener,
  ServerMetadataListener,
  StartResponder,
  StatusResponder,
} from "./intercepting.js";

/** Collects a listener, as grpc-js's `ServerListenerBuilder`. */
export class ServerListenerBuilder {
  readonly #listener: ServerListener = {};

  withOnReceiveMetadata(listener: ServerMetadataListener): this {
    this.#listener.onReceiveMetadata = listener;
    return this;
  }

  withOnReceiveMessage(listener: ServerMessageListener): this {
    this.#listener.onReceiveMessage = listener;
    return this;
  }

  withOnReceiveHalfClose(listener: ServerHalfCloseListener): this {
    this.#listener.onReceiveHalfClose = listener;
    return this;
  }

  withOnCancel(listener: ServerCancelListener): this {
    this.#listener.onCancel = listener;
    return this;
  }

  build(): ServerListener {
    return { ...this.#listener };
  }
}

/** Collects a responder, as grpc-js's `ResponderBuilder`. */
export class ResponderBuilder {
  readonly #responder: Responder = {};

  withStart(responder: StartResponder): this {
    this.#responder.start = responder;
    return this;
  }

  withSendMetadata(responder: MetadataResponder): this {
    this.#responder.sendMetadata = responder;
    return this;
  }

  withSendMessage(responder: MessageResponder): this {
    this.#responder.sendMessage = responder;
    return this;
  }

  withSendStatus(responder: StatusResponder): this {
    this.#responder.sendStatus = responder;
    return this;
  }

  build(): Responder {
    return { ...this.#responder };
  }
}
