import { encodeFileDescriptor, type FieldDescriptor, type MessageDescriptor } from "../protocol/descriptor-writer.js";
import { MessageCodec, type MessageSet } from "../protocol/message-codec.js";
import { TIMESTAMP_FILE, WRAPPERS_FILE } from "../protocol/well-known.js";

const PACKAGE = ".grpc.channelz.v1";

/** Numbers and kinds are those of `grpc/channelz/v1/channelz.proto`. */
function field(name: string, number: number, kind: FieldDescriptor["kind"] | `.${string}`, more: Partial<FieldDescriptor> = {}): FieldDescriptor {
  return kind.startsWith(".") ? { name, number, kind: "message", type: kind, ...more } : { name, number, kind: kind as FieldDescriptor["kind"], ...more };
}

const many = { repeated: true };
const choice = { choice: true };
const TIMESTAMP = ".google.protobuf.Timestamp";
const INT64_VALUE = ".google.protobuf.Int64Value";
const own = (name: string): `.${string}` => `${PACKAGE}.${name}`;

/** Messages of one field or several, by name. */
function message(name: string, ...fields: FieldDescriptor[]): MessageDescriptor {
  return { name, fields };
}

/** A channel and a subchannel have the same fields but for the first. */
function channel(name: string): MessageDescriptor {
  return message(
    name,
    field("ref", 1, own(`${name}Ref`)),
    field("data", 2, own("ChannelData")),
    field("channel_ref", 3, own("ChannelRef"), many),
    field("subchannel_ref", 4, own("SubchannelRef"), many),
    field("socket_ref", 5, own("SocketRef"), many),
  );
}

const calls = (first: number): FieldDescriptor[] => ["calls_started", "calls_succeeded", "calls_failed"].map((name, at) => field(name, first + at, "int64"));

const state: MessageDescriptor = {
  ...message("ChannelConnectivityState", field("state", 1, "enum", { type: own("ChannelConnectivityState.State") })),
  enums: [{ name: "State", values: ["UNKNOWN", "IDLE", "CONNECTING", "READY", "TRANSIENT_FAILURE", "SHUTDOWN"] }],
};

const event: MessageDescriptor = {
  ...message(
    "ChannelTraceEvent",
    field("description", 1, "string"),
    field("severity", 2, "enum", { type: own("ChannelTraceEvent.Severity") }),
    field("timestamp", 3, TIMESTAMP),
    field("channel_ref", 4, own("ChannelRef"), choice),
    field("subchannel_ref", 5, own("SubchannelRef"), choice),
  ),
  enums: [{ name: "Severity", values: ["CT_UNKNOWN", "CT_INFO", "CT_WARNING", "CT_ERROR"] }],
  choice: "child_ref",
};

const address: MessageDescriptor = {
  ...message(
    "Address",
    field("tcpip_address", 1, own("Address.TcpIpAddress"), choice),
    field("uds_address", 2, own("Address.UdsAddress"), choice),
    field("other_address", 3, own("Address.OtherAddress"), choice),
  ),
  choice: "address",
  nested: [
    message("TcpIpAddress", field("ip_address", 1, "bytes"), field("port", 2, "int32")),
    message("UdsAddress", field("filename", 1, "string")),
    message("OtherAddress", field("name", 1, "string")),
  ],
};

const security: MessageDescriptor = {
  ...message("Security", field("tls", 1, own("Security.Tls"), choice)),
  choice: "model",
  nested: [
    {
      ...message(
        "Tls",
        field("standard_name", 1, "string", choice),
        field("other_name", 2, "string", choice),
        field("local_certificate", 3, "bytes"),
        field("remote_certificate", 4, "bytes"),
      ),
      choice: "cipher_suite",
    },
  ],
};

const socketData = message(
  "SocketData",
  ...["streams_started", "streams_succeeded", "streams_failed", "messages_sent", "messages_received", "keep_alives_sent"].map((name, at) => field(name, at + 1, "int64")),
  field("last_local_stream_created_timestamp", 7, TIMESTAMP),
  field("last_remote_stream_created_timestamp", 8, TIMESTAMP),
  field("last_message_sent_timestamp", 9, TIMESTAMP),
  field("last_message_received_timestamp", 10, TIMESTAMP),
  field("local_flow_control_window", 11, INT64_VALUE),
  field("remote_flow_control_window", 12, INT64_VALUE),
  field("option", 13, own("SocketOption"), many),
);

const requests: MessageDescriptor[] = [
  message("GetTopChannelsRequest", field("start_channel_id", 1, "int64"), field("max_results", 2, "int64")),
  message("GetTopChannelsResponse", field("channel", 1, own("Channel"), many), field("end", 2, "bool")),
  message("GetServersRequest", field("start_server_id", 1, "int64"), field("max_results", 2, "int64")),
  message("GetServersResponse", field("server", 1, own("Server"), many), field("end", 2, "bool")),
  message("GetServerRequest", field("server_id", 1, "int64")),
  message("GetServerResponse", field("server", 1, own("Server"))),
  message("GetServerSocketsRequest", field("server_id", 1, "int64"), field("start_socket_id", 2, "int64"), field("max_results", 3, "int64")),
  message("GetServerSocketsResponse", field("socket_ref", 1, own("SocketRef"), many), field("end", 2, "bool")),
  message("GetChannelRequest", field("channel_id", 1, "int64")),
  message("GetChannelResponse", field("channel", 1, own("Channel"))),
  message("GetSubchannelRequest", field("subchannel_id", 1, "int64")),
  message("GetSubchannelResponse", field("subchannel", 1, own("Subchannel"))),
  message("GetSocketRequest", field("socket_id", 1, "int64"), field("summary", 2, "bool")),
  message("GetSocketResponse", field("socket", 1, own("Socket"))),
];

/** Names of the service's methods; `<name>Request` and `<name>Response` are their messages. */
export const METHODS = ["GetTopChannels", "GetServers", "GetServer", "GetServerSockets", "GetChannel", "GetSubchannel", "GetSocket"] as const;
export type ChannelzMethod = (typeof METHODS)[number];

const channelzMessages: MessageSet = {
  package: PACKAGE.slice(1),
  messages: [
    channel("Channel"),
    channel("Subchannel"),
    state,
    message(
      "ChannelData",
      field("state", 1, own("ChannelConnectivityState")),
      field("target", 2, "string"),
      field("trace", 3, own("ChannelTrace")),
      ...calls(4),
      field("last_call_started_timestamp", 7, TIMESTAMP),
    ),
    event,
    message(
      "ChannelTrace",
      field("num_events_logged", 1, "int64"),
      field("creation_timestamp", 2, TIMESTAMP),
      field("events", 3, own("ChannelTraceEvent"), many),
    ),
    message("ChannelRef", field("channel_id", 1, "int64"), field("name", 2, "string")),
    message("SubchannelRef", field("subchannel_id", 7, "int64"), field("name", 8, "string")),
    message("SocketRef", field("socket_id", 3, "int64"), field("name", 4, "string")),
    message("ServerRef", field("server_id", 5, "int64"), field("name", 6, "string")),
    message("Server", field("ref", 1, own("ServerRef")), field("data", 2, own("ServerData")), field("listen_socket", 3, own("SocketRef"), many)),
    message("ServerData", field("trace", 1, own("ChannelTrace")), ...calls(2), field("last_call_started_timestamp", 5, TIMESTAMP)),
    message(
      "Socket",
      field("ref", 1, own("SocketRef")),
      field("data", 2, own("SocketData")),
      field("local", 3, own("Address")),
      field("remote", 4, own("Address")),
      field("security", 5, own("Security")),
      field("remote_name", 6, "string"),
    ),
    socketData,
    message("SocketOption", field("name", 1, "string"), field("value", 2, "string")),
    address,
    security,
    ...requests,
  ],
};

export const channelzCodec = new MessageCodec(channelzMessages, TIMESTAMP_FILE, WRAPPERS_FILE);

/** The service's descriptor, for reflection. */
export function channelzDescriptor(): Buffer {
  const methods = METHODS.map((name) => ({ name, input: own(`${name}Request`), output: own(`${name}Response`) }));
  return encodeFileDescriptor({ name: "grpc/channelz/v1/channelz.proto", ...channelzMessages, service: { name: "Channelz", methods } });
}
