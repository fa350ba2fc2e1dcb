// The runner in headless Chromium: same command line and same report as main.mjs, wall time only.
// Files of the repository are handed to the page by route, so that no server is needed.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { chromium } from "playwright-core";
import { parse } from "./arguments.mjs";
import { fileOf, list, version } from "./peers.mjs";

const SHAPES = ["event", "ints", "doubles", "strings", "tree", "map", "booksRandom", "booksNum"];
const ROOT = new URL("../../../", import.meta.url);
const ORIGIN = "http://bench.localhost";
const PACKAGES = "/bench/peers/node/node_modules";
const IMPORTS = {
  imports: {
    "cbor-x": `${PACKAGES}/cbor-x/index.js`,
    mitata: `${PACKAGES}/mitata/src/main.mjs`,
    msgpackr: `${PACKAGES}/msgpackr/index.js`,
  },
};
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify(IMPORTS)}</script>`;
// An isolated page gets a clock of 5 microseconds instead of 100.
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

async function answer(route) {
  const { pathname } = new URL(route.request().url());
  const file = new URL(`.${pathname}`, ROOT);
  if (pathname === "/") await route.fulfill({ body: PAGE, contentType: "text/html", headers: ISOLATED });
  else if (extname(pathname).endsWith("js") && existsSync(file)) {
    await route.fulfill({ body: await readFile(file), contentType: "text/javascript", headers: ISOLATED });
  } else await route.fulfill({ status: 404 });
}

/** Runs in the page. */
async function measure([file, name, versions, shape, plan]) {
  const { report } = await import("/bench/peers/node/measure.mjs");
  const { make } = await import("/bench/peers/node/reference.mjs");
  const load = async () => (await import(file)).rows[name];
  const lines = [];
  for await (const line of report(load, (of) => versions[of] ?? "built in", { name: shape, value: make(shape) }, plan, ["encode", "decode"])) lines.push(line);
  return lines;
}

if (process.argv[2] === "list") {
  const { harness, peers } = await list((row) => (row.browser ? SHAPES.filter((shape) => !row.workloads || row.workloads.includes(shape)) : []));
  console.log(JSON.stringify({ harness: `${harness}, wall time`, peers }));
} else {
  const { name, shape, plan } = await parse(process.argv.slice(2));
  const versions = Object.fromEntries(["samewire", "msgpackr", "cbor-x"].map((of) => [of, version(of)]));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/**`, answer);
    await page.goto(`${ORIGIN}/`);
    const file = new URL(fileOf(name), `${ORIGIN}/bench/peers/node/`).pathname;
    for (const line of await page.evaluate(measure, [file, name, versions, shape, plan])) console.log(JSON.stringify(line));
  } finally {
    await browser.close();
  }
}
