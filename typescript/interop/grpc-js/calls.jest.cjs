// Jest loads modules by its own `require`, each test file's anew.

const grpc = require("@grpc/grpc-js");
const { calls, started } = require("./notes.cjs");

test("calls of every kind are answered", async () => {
  const { client, stop } = await started(grpc);
  expect(await calls(grpc, client)).toEqual([{ text: "got one" }, { code: 5, details: "no such note" }, { text: "abc" }, ["n1", "n2", "n3"], ["both a", "both b", "both c"]]);
  await stop();
});

test("metadata is compared by its entries", async () => {
  const metadata = (value) => {
    const made = new grpc.Metadata();
    made.set("who", value);
    return made;
  };
  expect(metadata("client")).toEqual(metadata("client"));
  expect(metadata("client")).toStrictEqual(metadata("client"));
  expect(metadata("client")).not.toEqual(metadata("server"));
  expect(metadata("client")).not.toEqual(new grpc.Metadata());
  const call = jest.fn();
  call({ text: "one" }, metadata("client"));
  expect(call).toHaveBeenCalledWith({ text: "one" }, metadata("client"));
  expect(call).not.toHaveBeenCalledWith({ text: "one" }, metadata("server"));
  const { client, stop } = await started(grpc);
  const received = await new Promise((resolve) => client.Get({ text: "one" }, metadata("client"), () => undefined).on("metadata", resolve));
  expect([received.get("who"), received.internalRepr.get("whence")]).toEqual([["client"], ["server"]]);
  const sent = new grpc.Metadata();
  for (const [key, [value]] of received.internalRepr) sent.set(key, value);
  expect(received).toEqual(sent);
  await stop();
});

test("functions of the package can be replaced", () => {
  const replaced = jest.spyOn(grpc, "loadPackageDefinition").mockReturnValue({ a: 1 });
  expect(grpc.loadPackageDefinition({})).toEqual({ a: 1 });
  replaced.mockRestore();
  expect(grpc.loadPackageDefinition({})).toEqual({});
});
