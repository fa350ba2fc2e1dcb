// Jest loads modules by its own `require`, each test file's anew.

const grpc = require("@grpc/grpc-js");
const { calls, started } = require("./notes.cjs");

test("calls of every kind are answered", async () => {
  const { client, stop } = await started(grpc);
  expect(await calls(grpc, client)).toEqual([{ text: "got one" }, { code: 5, details: "no such note" }, { text: "abc" }, ["n1", "n2", "n3"], ["both a", "both b", "both c"]]);
  await stop();
});

test("functions of the package can be replaced", () => {
  const replaced = jest.spyOn(grpc, "loadPackageDefinition").mockReturnValue({ a: 1 });
  expect(grpc.loadPackageDefinition({})).toEqual({ a: 1 });
  replaced.mockRestore();
  expect(grpc.loadPackageDefinition({})).toEqual({});
});
