import assert from "node:assert/strict";
import { test } from "node:test";
import { hardTest } from "../hard.js";
import { inspect } from "node:util";
import * as grpcJs from "@grpc/grpc-js";
import fc from "fast-check";
import { KeyFilter, Metadata } from "../../src/grpc/protocol/metadata.js";
import type { HeaderList, MetadataValue } from "../../src/grpc/protocol/metadata.js";

function received(block: HeaderList, ...hidden: string[]): Metadata {
  return Metadata.fromBlock(block, new KeyFilter(hidden).positions(block));
}

function fields(metadata: Metadata): string[] {
  const out: string[] = [];
  metadata.appendFields(out);
  return out;
}

function ofBlock(...flat: string[]): Metadata {
  const names = flat.filter((_, at) => at % 2 === 0);
  const values = flat.filter((_, at) => at % 2 === 1);
  return received({ names, values });
}

test("keys and values are checked as grpc-js checks them, with its texts", () => {
  const cases: [string, MetadataValue][] = [
    ["key", "value"],
    ["KEY", "value"],
    ["key$", "value"],
    ["key.a_b-c0", ""],
    ["", "value"],
    ["key", "v\u0000"],
    ["key", "\u00e9"],
    ["key", Buffer.from("x")],
    ["key-bin", Buffer.from("x")],
    ["key-bin", "x"],
    [":path", "x"],
    ["clé", "x"],
  ];
  for (const [key, value] of cases) {
    for (const verb of ["set", "add"] as const) {
      const ours = new Metadata();
      const theirs = new grpcJs.Metadata();
      let text: string | null = null;
      try {
        theirs[verb](key, value);
      } catch (error) {
        text = (error as Error).message;
      }
      if (text === null) ours[verb](key, value);
      else assert.throws(() => { ours[verb](key, value); }, { message: text });
      assert.deepEqual(ours.toJSON(), theirs.toJSON());
    }
  }
});

test("numbers, booleans and null of plain JavaScript are sent as grpc-js sends them, undefined is left out", () => {
  const values: unknown[] = [42, -0.5, true, false, null, 12n, undefined, {}, "text", { toString: () => "\u0001" }, Symbol("s"), Object.create(null)];
  for (const value of values) {
    const ours = new Metadata();
    const theirs = new grpcJs.Metadata();
    let thrown: Error | null = null;
    try {
      theirs.set("Key", value as string);
    } catch (error) {
      thrown = error as Error;
    }
    if (thrown !== null) {
      const { name, message } = thrown;
      for (const verb of ["set", "add"] as const) assert.throws(() => { ours[verb]("Key", value as string); }, { name, message });
      continue;
    }
    const [sent] = Object.values(theirs.toHttp2Headers());
    const expected = sent === undefined ? [] : ["key", String(sent)];
    ours.set("Key", "before");
    ours.set("Key", value as string);
    assert.deepEqual(fields(ours), expected);
    ours.add("Key", value as string);
    assert.deepEqual(fields(ours), [...expected, ...expected]);
    assert.deepEqual(ours.get("key"), fields(ours).filter((_, at) => at % 2 === 1));
  }
  for (const value of [42, null]) {
    assert.throws(() => { new Metadata().set("key-bin", value as unknown as string); }, { message: "keys that end with '-bin' must have Buffer values" });
  }
});

test("inspection shows the entries, of received metadata too", () => {
  const metadata = new Metadata();
  metadata.set("Who", "client");
  assert.equal(inspect(metadata), "Metadata { who: [ 'client' ] }");
  assert.equal(inspect({ metadata: ofBlock("who", "server") }), "{ metadata: Metadata { who: [ 'server' ] } }");
});

const key = fc.constantFrom("a", "b", "c-bin", "D", "E-bin");
const step = fc.oneof(
  fc.record({ verb: fc.constantFrom("set" as const, "add" as const), key, text: fc.stringMatching(/^[ -~]{0,12}$/) }),
  fc.record({ verb: fc.constant("remove" as const), key }),
  fc.record({ verb: fc.constant("merge" as const) }),
  fc.record({ verb: fc.constant("clone" as const) }),
);

test("any sequence of operations leaves what grpc-js has", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let ours = new Metadata();
      let theirs = new grpcJs.Metadata();
      for (const each of steps) {
        if (each.verb === "set" || each.verb === "add") {
          const value = each.key.toLowerCase().endsWith("-bin") ? Buffer.from(each.text) : each.text;
          ours[each.verb](each.key, value);
          theirs[each.verb](each.key, value);
        } else if (each.verb === "remove") {
          ours.remove(each.key);
          theirs.remove(each.key);
        } else if (each.verb === "merge") {
          ours.merge(ours.clone());
          theirs.merge(theirs.clone());
        } else {
          ours = ours.clone();
          theirs = theirs.clone();
        }
        assert.deepEqual(ours.toJSON(), theirs.toJSON());
        assert.deepEqual(ours.getMap(), theirs.getMap());
        assert.deepEqual(ours.toHttp2Headers(), theirs.toHttp2Headers());
        for (const name of ["a", "B", "c-bin", "d", "e-bin", "none"]) assert.deepEqual(ours.get(name), theirs.get(name));
      }
    }),
  );
});

test("binary values survive the wire, unpadded, and padded ones are read", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const sent = new Metadata();
      sent.set("data-bin", Buffer.from(bytes));
      const [name, text] = fields(sent);
      assert.equal(name, "data-bin");
      assert.ok(!text!.includes("="));
      for (const value of [text!, Buffer.from(bytes).toString("base64")]) {
        assert.deepEqual(ofBlock("data-bin", value).get("data-bin"), [Buffer.from(bytes)]);
      }
    }),
  );
});

test("several values in one binary field are joined by commas", () => {
  const metadata = ofBlock("x-bin", "YQ==,Yg, Yw", "x-bin", "ZA");
  assert.deepEqual(metadata.get("X-Bin").map(String), ["a", "b", "c", "d"]);
});

hardTest("joined binary values are bounded for all fields together: HPACK repeats a field for a byte", () => {
  const most = Array.from({ length: 1_024 }, () => "QQ").join(",");
  assert.equal(ofBlock("a-bin", most).get("a-bin").length, 1_024);
  assert.deepEqual(ofBlock("b-bin", "QQ,QQ", "a-bin", most, "d-bin", "QQ,QQ", "c", "text").toJSON(), { "b-bin": [Buffer.from("A"), Buffer.from("A")], c: ["text"] });
  const cpu = process.cpuUsage();
  for (let call = 0; call < 200; call += 1) {
    const fields = Array.from({ length: 16 }, (_, at) => [`k${at}-bin`, ",".repeat(4_000)]).flat();
    assert.deepEqual(ofBlock(...fields, "x", "y").toJSON(), { x: ["y"] });
  }
  // Each of these calls would make 64,000 Buffers.
  const { user, system } = process.cpuUsage(cpu);
  assert.ok(user + system < 1e6, `${user + system} µs`);
});

test("fields of a block: repeated ones add up, pseudo fields, hidden and illegal ones stay out", () => {
  const block = { names: [":path", "a", "te", "a", "b", "c"], values: ["/x", "1", "trailers", "2", "\u00ff", ""] };
  const metadata = received(block, "te");
  assert.deepEqual(metadata.get("missing"), []);
  assert.deepEqual(metadata.get("A"), ["1", "2"]);
  assert.deepEqual(metadata.toJSON(), { a: ["1", "2"], c: [""] });
  assert.equal(received(block, "te").isEmpty, false);
  assert.deepEqual(metadata.clone().toJSON(), metadata.toJSON());
});

test("`deepStrictEqual` tells metadata apart as it does grpc-js's", () => {
  const bytes = (...list: number[]): Buffer => Buffer.from(list);
  /** Kinds of metadata, each made twice: by calls in the order of programs, and from what a peer has sent. */
  const kinds: ((made: Metadata) => void)[] = [
    () => undefined,
    (made) => { made.set("a", "1"); },
    (made) => { made.set("a", "2"); },
    (made) => { made.add("a", "1"); made.add("a", "2"); },
    (made) => { made.set("b", "2"); made.set("a", "1"); },
    (made) => { made.set("x-bin", bytes(1, 2)); },
    (made) => { made.set("x-bin", bytes(1, 3)); },
    (made) => { made.setOptions({ waitForReady: true }); },
    (made) => { made.setOpaque("a", 1); },
  ];
  const differ = (one: unknown, other: unknown): boolean => {
    try {
      assert.deepStrictEqual(one, other);
      return false;
    } catch {
      return true;
    }
  };
  const make = (index: number): Metadata[] => {
    const made = [new Metadata(), new Metadata(), new grpcJs.Metadata() as unknown as Metadata, new grpcJs.Metadata() as unknown as Metadata];
    for (const one of made) kinds[index]!(one);
    return made;
  };
  for (const one of kinds.keys()) {
    for (const other of kinds.keys()) {
      const [left, , theirLeft] = make(one);
      const [, right, , theirRight] = make(other);
      assert.equal(differ(left, right), differ(theirLeft, theirRight), `${one} beside ${other}`);
      assert.equal(differ(left, right), one !== other, `${one} beside ${other}`);
    }
  }
  const emptied = new Metadata();
  emptied.set("a", "1");
  emptied.remove("A");
  assert.deepStrictEqual(emptied, new Metadata());
  const made = new Metadata();
  made.set("a", "1");
  made.set("b-bin", bytes(1));
  assert.deepStrictEqual(ofBlock("a", "1", "b-bin", "AQ"), made);
  assert.deepStrictEqual(Metadata.fromHttp2Headers({ a: "1", "b-bin": "AQ==" }), made);
  assert.notDeepStrictEqual(ofBlock("a", "1"), made);
});

test("a block is not touched by changes to its metadata", () => {
  const block = { names: ["a"], values: ["1"] };
  const first = received(block);
  first.add("a", "2");
  first.set("b", "3");
  assert.deepEqual(received(block).toJSON(), { a: ["1"] });
  assert.deepEqual(first.toJSON(), { a: ["1", "2"], b: ["3"] });
});

test("fields that gRPC or HTTP/2 own are never sent, and spaces around values are not", () => {
  const metadata = new Metadata();
  for (const name of ["content-type", "te", "grpc-status", "connection", "a:b", "host"]) metadata.set(name, "x");
  metadata.set("grpc-status-details-bin", Buffer.from([1]));
  metadata.set("plain", "  two words ");
  assert.deepEqual(fields(metadata), ["grpc-status-details-bin", "AQ", "plain", "two words"]);
});

test("opaque data and options stay with the object", () => {
  const metadata = new Metadata({ waitForReady: true });
  metadata.setOpaque("x", 5);
  assert.equal(metadata.getOpaque("x"), 5);
  assert.equal(metadata.getOpaque("y"), undefined);
  assert.deepEqual(metadata.clone().getOptions(), { waitForReady: true });
  metadata.setOptions({ idempotentRequest: true });
  assert.deepEqual(metadata.getOptions(), { idempotentRequest: true });
});

test("headers of node's http2 are read as grpc-js reads them", () => {
  const headers = { ":status": "200", a: "1", b: ["2", "3"], "c-bin": "YQ==, Yg==", "d-bin": ["Yw=="] };
  assert.deepEqual(Metadata.fromHttp2Headers(headers).toJSON(), grpcJs.Metadata.fromHttp2Headers(headers).toJSON());
});
