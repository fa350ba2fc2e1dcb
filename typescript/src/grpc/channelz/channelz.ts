import { addressToString } from "../client/address.js";
import type { Channel } from "../client/channel.js";
import { ConnectivityState } from "../client/connectivity.js";
import type { Subchannel } from "../client/subchannel.js";
import type { PlainMessage } from "../protocol/message-codec.js";
import { Status } from "../protocol/status.js";
import type { Statistics } from "../protocol/statistics.js";
import type { Trace } from "../protocol/trace.js";
import { addressText } from "../../transport/address.js";
import type { Endpoint } from "../server/endpoint.js";
import type { Listener } from "../../transport/listen.js";
import type { ChannelzMethod } from "./messages.js";
import { channels, channelzId, servers } from "./roll.js";
import { addressMessage, socketMessage, type Connected } from "./sockets.js";

/** The most results of a list without a limit. */
const PAGE = 100;

/** Thrown for an unknown id. */
class NotFound extends Error {
  readonly code = Status.NOT_FOUND;

  constructor(kind: string, id: number) {
    super(`No ${kind} data found for id ${id}`);
  }
}

function timestamp(ms: number): PlainMessage {
  return { seconds: Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1_000_000 };
}

function trace({ created, logged, events }: Trace): PlainMessage {
  return {
    num_events_logged: logged,
    creation_timestamp: timestamp(created),
    events: events.map(({ text, warning, time }) => ({ description: text, severity: warning ? "CT_WARNING" : "CT_INFO", timestamp: timestamp(time) })),
  };
}

const calls = ({ callsStarted, callsSucceeded, callsFailed }: Pick<Statistics, "callsStarted" | "callsSucceeded" | "callsFailed">): PlainMessage => ({
  calls_started: callsStarted,
  calls_succeeded: callsSucceeded,
  calls_failed: callsFailed,
});

const subchannelRef = (each: Subchannel): PlainMessage => ({ subchannel_id: channelzId(each), name: addressToString(each.address) });
const socketRef = (each: Connected): PlainMessage => ({ socket_id: channelzId(each), name: each.link.peer });

function listenerText({ address }: Listener): string {
  return "path" in address ? `unix:${address.path}` : addressText(address.host, address.port);
}

const listenerRef = (each: Listener): PlainMessage => ({ socket_id: channelzId(each), name: listenerText(each) });

function channelMessage(channel: Channel): PlainMessage {
  const { started, succeeded, failed } = channel.statistics;
  return {
    ref: { channel_id: channelzId(channel), name: channel.target },
    data: {
      state: { state: ConnectivityState[channel.state(false)] },
      target: channel.target,
      trace: trace(channel.trace),
      ...calls({ callsStarted: started, callsSucceeded: succeeded, callsFailed: failed }),
    },
    subchannel_ref: channel.subchannels.map(subchannelRef),
  };
}

function subchannelMessage(subchannel: Subchannel): PlainMessage {
  return {
    ref: subchannelRef(subchannel),
    data: {
      state: { state: ConnectivityState[subchannel.state] },
      target: addressToString(subchannel.address),
      trace: trace(subchannel.trace),
      ...calls(subchannel.statistics),
    },
    socket_ref: [...subchannel.sessions].map(socketRef),
  };
}

function serverMessage(server: Endpoint): PlainMessage {
  return {
    ref: { server_id: channelzId(server), name: `server ${channelzId(server)}` },
    data: { trace: trace(server.trace), ...calls(server.statistics()) },
    listen_socket: server.listeners.map(listenerRef),
  };
}

/** Returns up to `most` entries from an id on, and whether they are the last. */
function page<T extends object>(all: T[], first: unknown, most: unknown): { found: T[]; end: boolean } {
  const from = all.map((thing) => ({ thing, id: channelzId(thing) })).filter(({ id }) => id >= Number(first ?? 0));
  from.sort((left, right) => left.id - right.id);
  const count = Number(most ?? 0) || PAGE;
  return { found: from.slice(0, count).map(({ thing }) => thing), end: from.length <= count };
}

function server(id: number): Endpoint {
  const found = servers.get(id);
  if (found === undefined) throw new NotFound("server", id);
  return found;
}

function socket(id: number): PlainMessage {
  const is = (each: object): boolean => channelzId(each) === id;
  const connections: Connected[] = servers.all().flatMap((each) => each.connections);
  connections.push(...channels.all().flatMap((each) => each.subchannels.flatMap(({ sessions }) => [...sessions])));
  const connection = connections.find(is);
  if (connection !== undefined) return { ref: socketRef(connection), ...socketMessage(connection) };
  const listener = servers.all().flatMap((each) => each.listeners).find(is);
  if (listener === undefined) throw new NotFound("socket", id);
  return { ref: listenerRef(listener), data: {}, local: addressMessage(listener.address) };
}

/**
 * The methods of `grpc.channelz.v1.Channelz`. Nothing is recorded for it: each request walks over
 * the live objects.
 *
 * @throws NotFound, an error with the status NOT_FOUND
 */
export const answers: Record<ChannelzMethod, (request: PlainMessage) => PlainMessage> = {
  GetTopChannels({ start_channel_id: first, max_results: most }) {
    const { found, end } = page(channels.all(), first, most);
    return { channel: found.map(channelMessage), end };
  },
  GetServers({ start_server_id: first, max_results: most }) {
    const { found, end } = page(servers.all(), first, most);
    return { server: found.map(serverMessage), end };
  },
  GetServer({ server_id: id }) {
    return { server: serverMessage(server(Number(id))) };
  },
  GetServerSockets({ server_id: id, start_socket_id: first, max_results: most }) {
    const { found, end } = page(server(Number(id)).connections, first, most);
    return { socket_ref: found.map(socketRef), end };
  },
  GetChannel({ channel_id: id }) {
    const channel = channels.get(Number(id));
    if (channel === undefined) throw new NotFound("channel", Number(id));
    return { channel: channelMessage(channel) };
  },
  GetSubchannel({ subchannel_id: id }) {
    const subchannel = channels.all().flatMap((each) => each.subchannels).find((each) => channelzId(each) === Number(id));
    if (subchannel === undefined) throw new NotFound("subchannel", Number(id));
    return { subchannel: subchannelMessage(subchannel) };
  },
  GetSocket({ socket_id: id }) {
    return { socket: socket(Number(id)) };
  },
};
