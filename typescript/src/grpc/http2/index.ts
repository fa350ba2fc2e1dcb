/** HTTP/2 without sockets: RFC 9113 frames and streams, RFC 7541 header compression. */
export { Connection } from "./connection.js";
export type { PeerSettings } from "./connection.js";
export type { Role } from "./connection-states.js";
export { ErrorCode, errorName } from "./error-code.js";
export { Http2Error } from "./error.js";
export type { Fault } from "./error.js";
export type { Handler } from "./handler.js";
export { HeaderBlock } from "./header-block.js";
export { HeaderFields } from "./header-fields.js";
export type { FieldPair, Travel } from "./header-fields.js";
export { DEFAULT_OPTIONS, http2Options } from "./options.js";
export { QueueBudget } from "./queue-budget.js";
export type { Http2Options } from "./options.js";
export { Stream } from "./stream.js";
