// What `protoc-gen-es` would have generated of echo.proto.

import { create, toBinary } from "@bufbuild/protobuf";
import { fileDesc, serviceDesc } from "@bufbuild/protobuf/codegenv2";
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

const { STRING, INT32, BYTES } = FieldDescriptorProto_Type;
const field = (name, number, type) => ({ name, number, type, label: FieldDescriptorProto_Label.OPTIONAL, jsonName: name });
const method = (name, message, clientStreaming, serverStreaming) => ({ name, inputType: message, outputType: message, clientStreaming, serverStreaming });
const file = create(FileDescriptorProtoSchema, {
  name: "echo.proto",
  syntax: "proto3",
  messageType: [
    { name: "EchoMessage", field: [field("value", 1, STRING), field("value2", 2, INT32)] },
    { name: "Blob", field: [field("data", 1, BYTES)] },
  ],
  service: [
    {
      name: "EchoService",
      method: [
        method("Echo", ".EchoMessage", false, false),
        method("EchoBlob", ".Blob", false, false),
        method("EchoServerStream", ".EchoMessage", false, true),
        method("EchoClientStream", ".EchoMessage", true, false),
        method("EchoBidiStream", ".EchoMessage", true, true),
      ],
    },
  ],
});

/** The echo service for connect-node. */
export const service = serviceDesc(fileDesc(Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64")), 0);

/** A method's name as connect-node has it. */
export const spelled = (method) => method[0].toLowerCase() + method.slice(1);
