import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Server, experimental, makeClientConstructor, status } from "../../src/grpc/index.js";
import type { ChannelCredentials, UntypedServiceImplementation } from "../../src/grpc/index.js";
import { certificate } from "./certificate.js";
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.js";
import { implementation, service, type EchoClient } from "./peers.js";
import { bind, until } from "./serving.js";

const { FileWatcherCertificateProvider, createCertificateProviderChannelCredentials, createCertificateProviderServerCredentials } = experimental;
const Echo = makeClientConstructor(service, "test.Echo");

/** Files of one side, which a provider looks at every 10 ms. */
function files(context: TestContext, all: { ca?: Buffer | string; cert?: Buffer | string; key?: Buffer | string }) {
  const folder = mkdtempSync(join(tmpdir(), "samewire-"));
  context.after(() => { rmSync(folder, { recursive: true }); });
  const place = { caCertificateFile: join(folder, "ca.pem"), certificateFile: join(folder, "cert.pem"), privateKeyFile: join(folder, "key.pem") };
  const write = (some: typeof all): void => {
    if (some.ca !== undefined) writeFileSync(place.caCertificateFile, some.ca);
    if (some.cert !== undefined) writeFileSync(place.certificateFile, some.cert);
    if (some.key !== undefined) writeFileSync(place.privateKeyFile, some.key);
  };
  write(all);
  return { write, provider: new FileWatcherCertificateProvider({ ...place, refreshIntervalMs: 10 }) };
}

async function serve(context: TestContext, provider: experimental.CertificateProvider, mutual: boolean): Promise<number> {
  const server = new Server();
  server.addService(service, implementation({ cancelled: 0, handled: 0, metadata: [] }) as UntypedServiceImplementation);
  context.after(() => { server.forceShutdown(); });
  return bind(server, "127.0.0.1:0", createCertificateProviderServerCredentials(mutual ? provider : null, provider, mutual));
}

/** The status of a call on a connection of its own. */
async function call(port: number, credentials: ChannelCredentials): Promise<number> {
  const client = new Echo(`127.0.0.1:${port}`, credentials) as unknown as EchoClient;
  const code = await new Promise<number>((resolve) => { client.Unary({}, (error) => { resolve(error?.code ?? 0); }); });
  client.close();
  return code;
}

test("a server's certificate is renewed while it runs", async (context) => {
  const first = certificate();
  const served = files(context, { ca: AUTHORITY });
  const port = await serve(context, served.provider, false);
  const trusting = (ca: Buffer | string): ChannelCredentials => createCertificateProviderChannelCredentials(files(context, { ca }).provider, null);
  assert.equal(await call(port, trusting(AUTHORITY)), status.UNAVAILABLE, "no certificate yet");
  served.write({ cert: SERVER_CERTIFICATE, key: SERVER_KEY });
  while ((await call(port, trusting(AUTHORITY))) !== 0);
  served.write(first);
  while ((await call(port, trusting(first.cert))) !== 0);
  assert.equal(await call(port, trusting(AUTHORITY)), status.UNAVAILABLE);
});

test("mutual TLS with providers on both sides; a client without a certificate is turned away until it has one", async (context) => {
  const port = await serve(context, files(context, { ca: AUTHORITY, cert: SERVER_CERTIFICATE, key: SERVER_KEY }).provider, true);
  const { provider, write } = files(context, { ca: AUTHORITY });
  while ((await call(port, createCertificateProviderChannelCredentials(provider, null))) !== status.UNAVAILABLE);
  const client = new Echo(`127.0.0.1:${port}`, createCertificateProviderChannelCredentials(provider, provider)) as unknown as EchoClient;
  context.after(() => { client.close(); });
  let code = -1;
  client.Unary({}, (error) => { code = error?.code ?? 0; });
  write({ cert: CLIENT_CERTIFICATE, key: CLIENT_KEY });
  await until(() => code >= 0);
  assert.equal(code, 0);
});

test("a file watcher gives a new listener the present certificates, then changes, and stops without listeners", async (context) => {
  for (const wrong of [{}, { certificateFile: "a" }, { privateKeyFile: "a", caCertificateFile: "b" }]) {
    assert.throws(() => new FileWatcherCertificateProvider({ ...wrong, refreshIntervalMs: 10 }));
  }
  const { provider, write } = files(context, { ca: "one", cert: "cert", key: "key" });
  const heard: (string | null)[] = [];
  const hear = (update: experimental.CaCertificateUpdate | null): void => { heard.push(update?.caCertificate.toString() ?? null); };
  provider.addCaCertificateListener(hear);
  await until(() => heard.includes("one"));
  const late: string[] = [];
  const hearIdentity = (update: experimental.IdentityCertificateUpdate | null): void => { late.push(`${update?.certificate.toString()} ${update?.privateKey.toString()}`); };
  provider.addIdentityCertificateListener(hearIdentity);
  await until(() => late.includes("cert key"));
  write({ ca: "two" });
  await until(() => heard.includes("two"));
  provider.removeCaCertificateListener(hear);
  provider.removeIdentityCertificateListener(hearIdentity);
  const count = heard.length;
  write({ ca: "three" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(heard.length, count);
  provider.addCaCertificateListener(hear);
  await until(() => heard.length > count);
  assert.equal(heard[count], "three");
  provider.removeCaCertificateListener(hear);
});
