import type { HeaderBlock } from "../http2/header-block.js";
import { KeyFilter, Metadata } from "../protocol/metadata.js";
import { percentDecode } from "../protocol/percent.js";
import { parseStatus, Status } from "../protocol/status.js";
import { parsePushback } from "./retry-plan.js";

/** Fields that gRPC itself uses: not metadata of the application. */
const KEYS = new KeyFilter(["grpc-status", "grpc-message", "grpc-encoding", "grpc-accept-encoding"]);

/** gRPC's fields of one header block of a response. Computed once for equal blocks of a connection. */
export class ResponseBlock {
  /** The HTTP status, 0 in trailers. */
  readonly http: number;
  /** Whether `content-type` is absent or one of gRPC's. */
  readonly grpc: boolean;
  readonly contentType: string;
  /** Name of the messages' encoding. */
  readonly encoding: string;
  /** Encodings that the server accepts, or null if it does not say. */
  readonly accepted: readonly string[] | null;
  /** null without `grpc-status`. */
  readonly status: Status | null;
  readonly details: string;
  readonly pushback: number;
  readonly #block: HeaderBlock;
  #keys: readonly number[] | null = null;

  private constructor(block: HeaderBlock) {
    const status = block.get("grpc-status");
    this.#block = block;
    this.http = Number(block.get(":status") ?? 0);
    this.contentType = block.get("content-type") ?? "";
    this.grpc = this.contentType === "" || /^application\/grpc(?:$|[+;])/i.test(this.contentType);
    this.encoding = block.get("grpc-encoding") ?? "identity";
    this.accepted = block.get("grpc-accept-encoding")?.split(",").map((name) => name.trim()) ?? null;
    // An invalid status still ends the call, as an error.
    this.status = status === undefined ? null : (parseStatus(status) ?? Status.UNKNOWN);
    this.details = percentDecode(utf8(block.get("grpc-message") ?? ""));
    this.pushback = parsePushback(block.get("grpc-retry-pushback-ms"));
  }

  static of(block: HeaderBlock): ResponseBlock {
    if (block.derived instanceof ResponseBlock) return block.derived;
    const made = new ResponseBlock(block);
    block.derived = made;
    return made;
  }

  /** The positions of the fields that are metadata. */
  get keys(): readonly number[] {
    return (this.#keys ??= KEYS.positions(this.#block));
  }
}

/** Some servers send UTF-8 without escapes; the header layer returns it as Latin-1. */
function utf8(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;
}

/** The metadata of a response's header block; empty without one. */
export function responseMetadata(block: HeaderBlock | null, previousAttempts: number): Metadata {
  const metadata = block === null ? new Metadata() : Metadata.fromBlock(block, ResponseBlock.of(block).keys);
  if (previousAttempts > 0) metadata.set("grpc-previous-rpc-attempts", String(previousAttempts));
  return metadata;
}
