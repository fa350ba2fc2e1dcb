/** A header list to check: names in the order of the wire, and the values beside them. */
export interface HeaderList {
  readonly names: readonly string[];
  readonly values: readonly string[];
  get(name: string): string | undefined;
}

/** The role of a header list. */
export type Part = "request" | "response" | "trailers";

/** Bytes that a name may hold after its first colon (RFC 9113 section 8.2.1, RFC 9110 section 5.6.2), as a table. */
const NAME_BYTES = table("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz");

/** Fields that belong to HTTP/1.1 connections (RFC 9113 section 8.2.2). */
const CONNECTION_FIELDS = new Set(["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]);

function table(characters: string): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const character of characters) bytes[character.charCodeAt(0)] = 1;
  return bytes;
}

function goodName(name: string): boolean {
  if (name.length === 0) return false;
  for (let i = 0; i < name.length; i++) if (NAME_BYTES[name.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Returns whether a value has no NUL, CR or LF, and no space or tab at either end. */
function goodValue(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const byte = value.charCodeAt(i);
    if (byte === 0x00 || byte === 0x0a || byte === 0x0d) return false;
  }
  return value.length === 0 || !(blank(value.charCodeAt(0)) || blank(value.charCodeAt(value.length - 1)));
}

function blank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

/** Returns what is wrong with a regular field, or "". */
function regularFault(name: string, value: string): string {
  if (!goodName(name)) return "a name holds what no name may hold";
  if (!goodValue(value)) return `the value of ${name} holds what no value may hold`;
  if (CONNECTION_FIELDS.has(name)) return `${name} belongs to HTTP/1.1`;
  if (name === "te" && value !== "trailers") return "te may be trailers only";
  if (name === "content-length" && !/^[0-9]{1,15}$/.test(value)) return "content-length is not a number";
  return "";
}

/**
 * Checks that pseudo fields come first, are known and come once. Returns the index of the first regular field, or what
 * is wrong.
 */
function pseudoFields(block: HeaderList, known: ReadonlySet<string>): number | string {
  const { names, values } = block;
  let regular = 0;
  while (regular < names.length && names[regular]!.startsWith(":")) {
    const name = names[regular]!;
    if (!known.has(name)) return `${name} has no place here`;
    if (names.indexOf(name) !== regular) return `${name} comes twice`;
    if (!goodValue(values[regular]!)) return `the value of ${name} holds what no value may hold`;
    regular++;
  }
  return regular;
}

const REQUEST_FIELDS = new Set([":method", ":scheme", ":authority", ":path"]);
const RESPONSE_FIELDS = new Set([":status"]);
const NO_FIELDS = new Set<string>();

function requestFault(block: HeaderList): string {
  const method = block.get(":method");
  if (method === undefined || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(method)) return "a request has a :method";
  const path = block.get(":path");
  if (method === "CONNECT") {
    return path === undefined && block.get(":scheme") === undefined && block.get(":authority") !== undefined ? "" : "CONNECT has an :authority alone";
  }
  if (!block.get(":scheme")) return "a request has a :scheme";
  if (!path) return "a request has a :path";
  return path.startsWith("/") || (path === "*" && method === "OPTIONS") ? "" : "a :path begins with /";
}

function responseFault(block: HeaderList): string {
  const status = block.get(":status");
  return status !== undefined && /^[1-9][0-9][0-9]$/.test(status) && status !== "101" ? "" : "a response has a :status of three digits, not 101";
}

/**
 * Returns what is malformed about a header list (RFC 9113 sections 8.1 to 8.3), or "". Trailers have no pseudo fields;
 * names are in lower case; several values of content-length agree.
 */
export function headerFault(block: HeaderList, part: Part): string {
  const { names, values } = block;
  const regular = pseudoFields(block, part === "request" ? REQUEST_FIELDS : part === "response" ? RESPONSE_FIELDS : NO_FIELDS);
  if (typeof regular === "string") return regular;
  let length: string | undefined;
  for (let i = regular; i < names.length; i++) {
    const name = names[i]!;
    const value = values[i]!;
    if (name.startsWith(":")) return `${name} comes after other fields`;
    const fault = regularFault(name, value);
    if (fault !== "") return fault;
    if (name === "content-length") {
      if (length !== undefined && Number(length) !== Number(value)) return "content-length says two things";
      length = value;
    }
  }
  return part === "request" ? requestFault(block) : part === "response" ? responseFault(block) : "";
}
