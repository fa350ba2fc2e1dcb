import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A proxy whose connections the soak cuts, stalls and refuses. */
export class Cutter {
  readonly #server: Server;
  readonly #open = new Map<Socket, Socket>();
  #port = 0;
  #target = 0;
  #halfway = false;
  #stalled = false;

  constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => { this.#accept(socket); });
  }

  async listen(): Promise<number> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  /** Where new connections go from now on; 0 to stop listening. */
  async to(target: number): Promise<void> {
    const listening = this.#target !== 0;
    this.#target = target;
    if (target === 0 && listening) {
      const closed = new Promise((resolve) => this.#server.close(resolve));
      this.cut(true);
      await closed;
    } else if (target !== 0 && !this.#server.listening) {
      await this.listen();
    }
  }

  #accept(client: Socket): void {
    const server = connect({ port: this.#target, host: "127.0.0.1", noDelay: true });
    this.#open.set(client, server);
    for (const [from, into] of [[client, server], [server, client]] as const) {
      from.on("data", (data: Buffer) => {
        if (this.#halfway) {
          this.#halfway = false;
          into.write(data.subarray(0, data.length >> 1), () => { this.#end(client, true); });
          return;
        }
        if (into.write(data)) return;
        from.pause();
        into.once("drain", () => { if (!this.#stalled) from.resume(); });
      });
      from.on("end", () => into.end());
      from.on("error", () => undefined);
      from.on("close", () => {
        into.destroy();
        this.#open.delete(client);
      });
    }
    if (this.#stalled) for (const socket of [client, server]) socket.pause();
  }

  #end(client: Socket, reset: boolean): void {
    for (const socket of [client, this.#open.get(client)]) {
      if (reset) socket?.resetAndDestroy();
      else socket?.destroy();
    }
  }

  /** Ends all connections: by RST, or by FIN. */
  cut(reset: boolean): void {
    for (const client of [...this.#open.keys()]) this.#end(client, reset);
  }

  /** Ends a connection in the midst of what it carries next. */
  cutHalfway(): void {
    this.#halfway = true;
  }

  /** Forwards nothing for a while. */
  stall(milliseconds: number): void {
    this.#stalled = true;
    const all = [...this.#open].flat();
    for (const socket of all) socket.pause();
    setTimeout(() => {
      this.#stalled = false;
      for (const socket of [...this.#open].flat()) socket.resume();
    }, milliseconds);
  }

  close(): void {
    if (this.#server.listening) this.#server.close();
    this.cut(true);
  }
}
