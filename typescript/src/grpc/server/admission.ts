import type { HeaderBlock } from "../http2/header-block.js";
import type { MessageEncoding } from "../protocol/compression.js";
import { chooseEncoding } from "../protocol/compression.js";
import { Status } from "../protocol/status.js";
import type { PartialStatusObject } from "../protocol/status.js";
import { parseTimeout } from "../protocol/timeout.js";
import type { Route } from "./handler.js";
import type { ServerContext } from "./context.js";
import { NOT_GRPC, NOT_POST } from "./http-refusal.js";
import type { HttpAnswer } from "./http-refusal.js";
import type { ReplyHeads } from "./reply-fields.js";

const CONTENT_TYPE = "application/grpc";

/**
 * What the server decides from a request's head. Connections return the same block for equal heads, so this is computed
 * once for each kind of call and not for each call.
 */
export interface Admission {
  /** The version of the routes that it was computed from. */
  readonly version: number;
  /** The method; null if the call is refused. */
  readonly route: Route | null;
  /** A refusal by HTTP: the request is not gRPC. */
  readonly http: HttpAnswer | null;
  /** A refusal by gRPC. */
  readonly status: PartialStatusObject | null;
  /** Milliseconds, −1 for none. */
  readonly timeout: number;
  /** The request's `grpc-encoding`. */
  readonly encoding: string;
  readonly replies: ReplyHeads;
  /** The encoding of replies; null for none. */
  readonly replyEncoding: MessageEncoding | null;
  /** The request's `grpc-accept-encoding`. */
  readonly accepts: string | undefined;
  readonly host: string;
  /** The positions of the head's metadata; null until they are asked for. */
  keys: readonly number[] | null;
}

/** `application/grpc`, alone or followed by a subtype or parameters. */
function isGrpc(contentType: string): boolean {
  if (!contentType.startsWith(CONTENT_TYPE)) return false;
  const next = contentType[CONTENT_TYPE.length];
  return next === undefined || next === "+" || next === ";";
}

/** Checks a request's head. `te` is not required: several clients omit it, and nothing depends on it. */
export function admit(block: HeaderBlock, context: ServerContext): Admission {
  let method = "";
  let path = "";
  let contentType = "";
  let timeoutText: string | undefined;
  let encoding = "identity";
  let accepts: string | undefined;
  let host = "";
  const { names, values } = block;
  for (let at = 0; at < names.length; at += 1) {
    const value = values[at]!;
    switch (names[at]) {
      case ":method":
        method = value;
        break;
      case ":path":
        path = value;
        break;
      case ":authority":
        host = value;
        break;
      case "host":
        if (host === "") host = value;
        break;
      case "content-type":
        contentType = value;
        break;
      case "grpc-timeout":
        timeoutText = value;
        break;
      case "grpc-encoding":
        encoding = value;
        break;
      case "grpc-accept-encoding":
        accepts = accepts === undefined ? value : `${accepts},${value}`;
        break;
    }
  }
  const http = !isGrpc(contentType) ? NOT_GRPC : method !== "POST" ? NOT_POST : null;
  const route = context.routes.get(path) ?? null;
  const timeout = timeoutText === undefined ? -1 : parseTimeout(timeoutText);
  let status: PartialStatusObject | null = null;
  if (route === null) {
    status = { code: Status.UNIMPLEMENTED, details: `The server does not implement the method ${path}` };
  } else if (timeoutText !== undefined && timeout < 0) {
    status = { code: Status.INTERNAL, details: `Invalid grpc-timeout value "${timeoutText}"` };
  }
  const wanted = context.settings.replyEncoding;
  const chosen = wanted === "identity" ? wanted : chooseEncoding(accepts, [wanted]);
  return {
    version: context.routes.version,
    route: http === null && status === null ? route : null,
    http,
    status,
    timeout,
    encoding,
    replies: context.replies.of(contentType),
    replyEncoding: context.encodings.get(chosen) ?? null,
    accepts,
    host,
    keys: null,
  };
}
