/** What to do when a call exceeds a limit: each names the option that raises it (`spec/limits.md`). */

export const CHANNEL_RECEIVES = "raise the channel's option grpc.max_receive_message_length, and maxResponseMessageBytes of a service config that sets it";

export const CHANNEL_SENDS = "raise the channel's option grpc.max_send_message_length, and maxRequestMessageBytes of a service config that sets it";

export const SERVER_RECEIVES = "send less, or raise the server's option grpc.max_receive_message_length";

export const SERVER_SENDS = "send less, or raise the server's option grpc.max_send_message_length";

export const LESS_METADATA = "send less metadata, or raise samewire.http2.maxHeaderListBytes of the side that receives it";

export const FEWER_REQUESTS = "send fewer at a time, or raise the server's option";

export const READ_FASTER = "read faster, or raise the server's option";
