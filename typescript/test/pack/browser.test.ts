import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import type { PageReport } from "./page.js";

const root = new URL("../../../../", import.meta.url);
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const TYPES: Record<string, string> = { ".js": "text/javascript", ".json": "application/json" };
const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/typescript/dist/test/pack/page.js"></script>';
/** A program with the small codec, which is bundled as a site's are. */
const SMALL = `
import * as pack from "samewire/pack/small";
const Book = pack.struct("Book", { year: pack.i32, name: pack.string, tags: pack.list(pack.string), extra: pack.any });
const codec = pack.codec(pack.list(Book));
const books = Array.from({ length: 100 }, (_, year) => ({ year, name: "\u65e5\u672c \u20ac " + year, tags: ["a", "long".repeat(9)], extra: ["x", 1, null] }));
const failures = [];
try {
  const again = codec.decode(codec.encode(books));
  if (JSON.stringify(again) !== JSON.stringify(books)) failures.push("not what was written");
} catch (error) {
  failures.push(String(error.stack));
}
await fetch("/report", { method: "POST", body: JSON.stringify({ cases: books.length, failures, mayEvaluate: false }) });
`;
const SMALL_PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/small.js"></script>';
/** No code from text: what a careful site sends. */
const STRICT = "default-src 'none'; script-src 'self'; connect-src 'self'";
const MILLISECONDS = 240_000;

let browser: Browser;
let reported: (report: PageReport) => void;

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (pathname === "/report") {
    reported(JSON.parse(await body(request)) as PageReport);
    response.end();
  } else if (pathname === "/open" || pathname === "/strict") {
    response.setHeader("content-type", "text/html");
    if (pathname === "/strict") response.setHeader("content-security-policy", STRICT);
    response.end(PAGE);
  } else if (pathname === "/small") {
    response.setHeader("content-type", "text/html");
    response.setHeader("content-security-policy", STRICT);
    response.end(SMALL_PAGE);
  } else if (pathname === "/small.js") {
    const { outputFiles } = await build({
      stdin: { contents: SMALL, resolveDir: fileURLToPath(new URL("typescript/test/", root)) }, bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", write: false,
    });
    response.setHeader("content-type", "text/javascript");
    response.end(outputFiles[0]!.contents);
  } else if (/^\/(typescript\/dist|spec\/vectors)\//.test(pathname) && existsSync(new URL(`.${pathname}`, root))) {
    response.setHeader("content-type", TYPES[extname(pathname)] ?? "application/octet-stream");
    response.end(await readFile(new URL(`.${pathname}`, root)));
  } else {
    response.statusCode = 404;
    response.end();
  }
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});

before(async () => {
  assert.ok(existsSync(executablePath), `no ${executablePath}; the browser tests need it: apt-get install -y chromium`);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A user data directory of its own, fresh each time, is what launch makes.
  browser = await chromium.launch({ executablePath, args: FLAGS, timeout: MILLISECONDS });
});

after(async () => {
  await (browser as Browser | undefined)?.close();
  server.close();
  server.closeAllConnections();
});

async function run(path: string): Promise<PageReport> {
  const report = new Promise<PageReport>((resolve) => { reported = resolve; });
  const page = await browser.newPage();
  page.setDefaultTimeout(MILLISECONDS);
  const problems: string[] = [];
  const failed = new Promise<never>((_, reject) => {
    page.on("pageerror", (error) => { reject(error); });
    setTimeout(() => { reject(new Error(`no report from ${path}: ${problems.join("; ")}`)); }, MILLISECONDS).unref();
  });
  page.on("console", (message) => problems.push(message.text()));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  try {
    return await Promise.race([report, failed]);
  } finally {
    await page.close();
  }
}

async function manifestCases(): Promise<number> {
  return (JSON.parse(await readFile(new URL("spec/vectors/MANIFEST.json", root), "utf8")) as { cases: number }).cases;
}

test("Chromium passes every vector with generated code and with closures", async () => {
  const report = await run("/open?eval=yes");
  assert.deepEqual(report.failures.slice(0, 10), []);
  assert.equal(report.mayEvaluate, true);
  assert.equal(report.cases, await manifestCases());
});

test("closures pass every vector under a policy without unsafe-eval", async () => {
  const report = await run("/strict?eval=no");
  assert.deepEqual(report.failures.slice(0, 10), []);
  assert.equal(report.mayEvaluate, false);
  assert.equal(report.cases, await manifestCases());
});

test("a bundle of the small codec runs under a policy without unsafe-eval", async () => {
  const report = await run("/small");
  assert.deepEqual(report.failures, []);
  assert.equal(report.cases, 100);
});
