// The runner in headless Chromium: same command line and same report as main.mjs, wall time only.
// Files of the repository are handed to the page by route, so that no server is needed.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { named, parse } from "./arguments.mjs";
import { chromium } from "playwright-core";

const SHAPES = ["booksNum", "tree", "strings", "ints", "doubles"];
const PEERS = ["samewire-compact", "samewire-fast", "msgpackr-records", "msgpackr-bundle", "json"];
const ROOT = new URL("../../../", import.meta.url);
const ORIGIN = "http://bench.localhost";
const IMPORTS = { imports: { msgpackr: "/bench/peers/node/node_modules/msgpackr/index.js" } };
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

async function measure([name, shape, plan]) {
  const { load } = await import("/bench/peers/node/peers.mjs");
  const { report } = await import("/bench/peers/node/measure.mjs");
  return [...report(await load(name), shape, plan, ["encode", "decode"])];
}

const { name, shape, plan } = parse(process.argv.slice(2));
if (name === "list") console.log(JSON.stringify(named(Object.fromEntries(PEERS.map((peer) => [peer, SHAPES])))));
else {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/**`, answer);
    await page.goto(`${ORIGIN}/`);
    for (const line of await page.evaluate(measure, [name, shape, plan])) console.log(JSON.stringify(line));
  } finally {
    await browser.close();
  }
}
