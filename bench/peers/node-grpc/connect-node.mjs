import { createServer, createSecureServer } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { fileDesc, serviceDesc } from "@bufbuild/protobuf/codegenv2";
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { STREAMS, ready, settings } from "./serving.mjs";

/** What `protoc-gen-es` would have generated of echo.proto. */
const field = (name, number, type) => ({ name, number, type, label: FieldDescriptorProto_Label.OPTIONAL, jsonName: name });
const method = (name, clientStreaming, serverStreaming) => ({ name, inputType: ".EchoMessage", outputType: ".EchoMessage", clientStreaming, serverStreaming });
const file = create(FileDescriptorProtoSchema, {
  name: "echo.proto",
  syntax: "proto3",
  messageType: [{ name: "EchoMessage", field: [field("value", 1, FieldDescriptorProto_Type.STRING), field("value2", 2, FieldDescriptorProto_Type.INT32)] }],
  service: [{
    name: "EchoService",
    method: [method("Echo", false, false), method("EchoServerStream", false, true), method("EchoClientStream", true, false), method("EchoBidiStream", true, true)],
  }],
});
const service = serviceDesc(fileDesc(Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64")), 0);

const handler = connectNodeAdapter({
  routes: (router) =>
    router.service(service, {
      echo: (request) => request,
      async *echoServerStream({ value, value2 }) {
        for (let sent = 1; sent <= value2; sent++) yield { value, value2: sent };
      },
      async echoClientStream(requests) {
        let last;
        for await (const request of requests) last = request;
        return last;
      },
      async *echoBidiStream(requests) {
        yield* requests;
      },
    }),
});
const options = { settings: { maxConcurrentStreams: STREAMS } };
const server = settings.tls ? createSecureServer({ ...options, ...settings.tls }, handler) : createServer(options, handler);
server.listen(settings.port, settings.host, () => ready(server.address().port));
