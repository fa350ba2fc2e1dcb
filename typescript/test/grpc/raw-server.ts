import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream, type Settings } from "node:http2";
import type { AddressInfo, Socket } from "node:net";

/** A server of node:http2 that answers as a test tells it: with resets, GOAWAY, silence, or a proper reply. */
export interface RawServer {
  readonly address: string;
  readonly sessions: Set<ServerHttp2Session>;
  /** Streams begun so far. */
  streams: number;
  /** Cuts all connections without a word. */
  drop(): void;
  close(): Promise<void>;
}

export type Respond = (stream: ServerHttp2Stream, headers: Record<string, string | string[] | undefined>, number: number) => void;

export async function rawServer(respond: Respond, settings: Settings = {}): Promise<RawServer> {
  const server: Http2Server = createServer({ settings });
  const sessions = new Set<ServerHttp2Session>();
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  });
  const raw: RawServer = {
    address: "",
    sessions,
    streams: 0,
    drop() {
      for (const socket of connections) socket.destroy();
    },
    async close() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => undefined);
  });
  server.on("stream", (stream, headers) => {
    raw.streams += 1;
    stream.on("error", () => undefined);
    respond(stream, headers, raw.streams);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(raw, { address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** One message with its prefix. */
export function framed(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

/** A whole reply. */
export function reply(stream: ServerHttp2Stream, value: unknown = {}, trailers: Record<string, string> = { "grpc-status": "0" }): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => { stream.sendTrailers(trailers); });
  stream.end(framed(value));
}

/** A reply without messages. */
export function refuse(stream: ServerHttp2Stream, code: number, details = "", extra: Record<string, string> = {}): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": String(code), "grpc-message": details, ...extra }, { endStream: true });
}
