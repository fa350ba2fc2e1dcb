/** The static table of RFC 7541 appendix A: entry 1 stands at index 0. */
const ENTRIES: readonly string[] = [
  ":authority", ":method=GET", ":method=POST", ":path=/", ":path=/index.html", ":scheme=http", ":scheme=https",
  ":status=200", ":status=204", ":status=206", ":status=304", ":status=400", ":status=404", ":status=500",
  "accept-charset", "accept-encoding=gzip, deflate", "accept-language", "accept-ranges", "accept",
  "access-control-allow-origin", "age", "allow", "authorization", "cache-control", "content-disposition",
  "content-encoding", "content-language", "content-length", "content-location", "content-range", "content-type",
  "cookie", "date", "etag", "expect", "expires", "from", "host", "if-match", "if-modified-since", "if-none-match",
  "if-range", "if-unmodified-since", "last-modified", "link", "location", "max-forwards", "proxy-authenticate",
  "proxy-authorization", "range", "referer", "refresh", "retry-after", "server", "set-cookie",
  "strict-transport-security", "transfer-encoding", "user-agent", "vary", "via", "www-authenticate",
];

/** Entries of the static table; the dynamic table is numbered on from here. */
export const STATIC_ENTRIES = 61;

/** Names by index, 1 to 61; nothing at 0. */
export const STATIC_NAMES: readonly string[] = ["", ...ENTRIES.map((entry) => /^:?[^=]*/.exec(entry)![0])];

/** Values by index, most of them empty. */
export const STATIC_VALUES: readonly string[] = ["", ...ENTRIES.map((entry) => entry.replace(/^:?[^=]*=?/, ""))];

/** The first entry with a name. */
export const STATIC_INDEX: ReadonlyMap<string, number> = new Map([...STATIC_NAMES.entries()].slice(1).reverse().map(([index, name]) => [name, index]));

/** The entry with this name and value, or 0. */
export function staticMatch(name: string, value: string): number {
  let index = STATIC_INDEX.get(name) ?? 0;
  if (index === 0) return 0;
  while (STATIC_NAMES[index] === name) {
    if (STATIC_VALUES[index] === value) return index;
    index++;
  }
  return 0;
}
