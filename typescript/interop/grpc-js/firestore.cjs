// Google's Firestore client, which stands on google-gax, against a server that keeps documents in memory: unary calls, streams of
// one direction, and the stream of both by which it listens.

const { join, dirname } = require("node:path");
const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");

const protos = join(dirname(require.resolve("@google-cloud/firestore")), "../protos");
const { service } = grpc.loadPackageDefinition(loadSync("google/firestore/v1/firestore.proto", { includeDirs: [protos], longs: String, enums: String, defaults: false, oneofs: true, keepCase: false })).google.firestore.v1.Firestore;

const TIME = { seconds: "1700000000", nanos: 0 };
const documents = new Map();
/** Streams that listen, each with the parent and the number of its query. */
const listeners = new Set();

const stored = (document) => ({ ...document, createTime: TIME, updateTime: TIME });
const under = (parent, from) => [...documents.values()].filter(({ name }) => name.startsWith(`${parent}/${from[0].collectionId}/`)).sort((left, right) => (left.name < right.name ? -1 : 1));
const integer = (document, field) => Number(document.fields[field.fieldPath]?.integerValue);

const handlers = {
  Commit(call, callback) {
    const { writes = [] } = call.request;
    if (writes.some(({ currentDocument, update }) => currentDocument?.exists === false && documents.has(update.name))) {
      return callback({ code: grpc.status.ALREADY_EXISTS, details: "the document exists" });
    }
    for (const { update, delete: removed } of writes) {
      if (removed !== undefined && removed !== "") documents.delete(removed);
      else documents.set(update.name, stored(update));
    }
    callback(null, { writeResults: writes.map(() => ({ updateTime: TIME })), commitTime: TIME });
    for (const { call: listener, targetId } of listeners) {
      for (const { update } of writes) if (update !== undefined) listener.write({ documentChange: { document: documents.get(update.name), targetIds: [targetId] } });
      listener.write({ targetChange: { targetChangeType: "NO_CHANGE", readTime: { seconds: "1700000001" } } });
    }
  },
  BatchGetDocuments(call) {
    if (call.request.newTransaction) call.write({ transaction: Buffer.from("transaction"), readTime: TIME });
    for (const name of call.request.documents) call.write(documents.has(name) ? { found: documents.get(name), readTime: TIME } : { missing: name, readTime: TIME });
    call.end();
  },
  RunQuery(call) {
    const { parent, structuredQuery } = call.request;
    const filter = structuredQuery.where?.fieldFilter;
    for (const document of under(parent, structuredQuery.from)) {
      if (filter === undefined || integer(document, filter.field) > Number(filter.value.integerValue)) call.write({ document, readTime: TIME });
    }
    call.write({ readTime: TIME });
    call.end();
  },
  BeginTransaction(_call, callback) {
    callback(null, { transaction: Buffer.from("transaction") });
  },
  Rollback(_call, callback) {
    callback(null, {});
  },
  Listen(call) {
    call.on("data", ({ addTarget }) => {
      if (!addTarget) return;
      const { targetId, query } = addTarget;
      listeners.add({ call, targetId });
      call.write({ targetChange: { targetChangeType: "ADD", targetIds: [targetId] } });
      for (const document of under(query.parent, query.structuredQuery.from)) call.write({ documentChange: { document, targetIds: [targetId] } });
      call.write({ targetChange: { targetChangeType: "CURRENT", targetIds: [targetId], readTime: TIME, resumeToken: Buffer.from("now") } });
      call.write({ targetChange: { targetChangeType: "NO_CHANGE", readTime: TIME } });
    });
    call.on("end", () => call.end());
  },
};

const server = new grpc.Server();
server.addService(service, handlers);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), async (error, port) => {
  if (error) throw error;
  process.env.FIRESTORE_EMULATOR_HOST = `127.0.0.1:${port}`;
  const { Firestore } = require("@google-cloud/firestore");
  const store = new Firestore({ projectId: "program" });
  const books = store.collection("books");
  await books.doc("carrie").set({ title: "Carrie", year: 1974 });
  await books.doc("it").create({ title: "It", year: 1986 });
  console.log(await books.doc("it").create({ title: "It", year: 1986 }).catch(({ code, details, message }) => ({ code, details, message })));
  console.log((await books.doc("carrie").get()).data(), (await books.doc("absent").get()).exists);
  console.log((await store.getAll(books.doc("carrie"), books.doc("it"))).map((found) => found.id));
  console.log((await books.where("year", ">", 1980).get()).docs.map((found) => found.data()));
  console.log(await store.runTransaction(async (transaction) => {
    const found = await transaction.get(books.doc("it"));
    transaction.set(books.doc("it"), { ...found.data(), read: true });
    return found.data().title;
  }));
  const seen = [];
  await new Promise((resolve, reject) => {
    const stop = books.onSnapshot((snapshot) => {
      seen.push(snapshot.docs.map(({ id }) => id));
      if (snapshot.size === 3) resolve(stop());
      else if (seen.length === 1) books.doc("misery").set({ title: "Misery", year: 1987 }).catch(reject);
    }, reject);
  });
  console.log(seen);
  await store.terminate();
  server.forceShutdown();
});
