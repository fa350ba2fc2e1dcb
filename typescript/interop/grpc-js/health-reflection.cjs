// The packages that grpc-js's makers give for health checks and reflection.

const grpc = require("@grpc/grpc-js");
const { loadSync } = require("@grpc/proto-loader");
const { HealthImplementation, protoPath } = require("grpc-health-check");
const { ReflectionService } = require("@grpc/reflection");

const server = new grpc.Server();
const definition = loadSync(`${__dirname}/note.proto`);
const health = new HealthImplementation({ "": "SERVING", "notes.Notes": "NOT_SERVING" });
health.addToServer(server);
new ReflectionService(definition).addToServer(server);

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  const address = `127.0.0.1:${port}`;
  const { Health } = grpc.loadPackageDefinition(loadSync(protoPath, { enums: String })).grpc.health.v1;
  const client = new Health(address, grpc.credentials.createInsecure());
  client.check({ service: "notes.Notes" }, (failure, reply) => {
    console.log(failure, reply);
    client.check({ service: "no.Service" }, ({ code, details }) => {
      console.log(code, details);
      const watching = client.watch({ service: "notes.Notes" });
      const seen = [];
      watching.on("error", ({ code: ended }) => console.log(seen, ended));
      watching.on("data", ({ status }) => {
        seen.push(status);
        if (seen.length === 2) watching.cancel();
        else health.setStatus("notes.Notes", "SERVING");
      });
      watching.on("status", () => reflect());
    });
  });

  function reflect() {
    const path = require.resolve("@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto");
    const { ServerReflection } = grpc.loadPackageDefinition(loadSync(path)).grpc.reflection.v1;
    const asking = new ServerReflection(address, grpc.credentials.createInsecure());
    const call = asking.serverReflectionInfo();
    call.on("data", ({ listServicesResponse }) => {
      console.log(listServicesResponse.service.map(({ name }) => name).sort());
      call.end();
    });
    call.on("end", () => {
      asking.close();
      client.close();
      server.forceShutdown();
    });
    call.write({ listServices: "*" });
  }
});
