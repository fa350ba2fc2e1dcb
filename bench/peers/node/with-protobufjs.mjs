// protobuf.js: proto3 messages by code generated at run time; lists and maps stand in a message of one field.

import protobuf from "protobufjs";

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Event { int32 i = 1; bool b = 2; }
  message Book { string id = 1; string name = 2; string author = 3; int32 year = 4; }
  message Node { string name = 1; string color = 2; repeated Node children = 3; }
  message Books { repeated Book value = 1; }
  message Ints { repeated int32 value = 1; }
  message Doubles { repeated double value = 1; }
  message Strings { repeated string value = 1; }
  message Counts { map<string, int32> value = 1; }
`);

const messages = {
  event: "Event",
  tree: "Node",
  ints: "Ints",
  doubles: "Doubles",
  strings: "Strings",
  uniqueStrings: "Strings",
  map: "Counts",
};

export function prepare(shape) {
  const type = root.lookupType(messages[shape] ?? "Books");
  const wrapped = shape !== "event" && shape !== "tree";
  const plain = shape === "map" ? Object.fromEntries : (value) => value;
  return {
    version: "8.8.1",
    adapt: (value) => type.fromObject(wrapped ? { value: plain(value) } : value),
    encode: (value) => type.encode(value).finish(),
    decode: (data) => type.decode(data),
    input: (data) => Buffer.from(data),
  };
}
