import type { Endpoint } from "../../src/grpc/client/balancer.js";
import { ConnectivityState } from "../../src/grpc/client/connectivity.js";

const { IDLE, READY } = ConnectivityState;

/** An endpoint that is ready once it is asked. */
export class ReadyEndpoint implements Endpoint {
  state: ConnectivityState = IDLE;
  failure = "";
  changed: () => void = () => undefined;

  connect(): void {
    if (this.state === IDLE) this.become(READY);
  }

  disconnect(): void {
    this.become(IDLE);
  }

  become(state: ConnectivityState): void {
    this.state = state;
    this.changed();
  }
}
