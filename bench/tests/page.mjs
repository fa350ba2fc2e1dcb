// Opens a report in headless Chromium as a reader would, and prints what a test asks for, as JSON.
//
// usage: node page.mjs REPORT.html SCREENSHOTS

import { chromium } from "../peers/node/node_modules/playwright-core/index.mjs";

/** A sheet of A4 on its side, less margins of a centimetre; pixels. */
const PAPER = { width: 1047, height: 718 };
const [file, pictures] = process.argv.slice(2);
/** Of a step of the browser, milliseconds: beside other tests one that takes a second may take a minute. */
const timeout = 300_000;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout });
const found = { errors: [], requests: [], schemes: {} };

/** A page that notes every error, and every request but the one for the file itself. */
async function open(options) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(timeout);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && found.errors.push(message.text()));
  page.on("pageerror", (error) => found.errors.push(error.message));
  page.on("request", (request) => /^(file|data):/.test(request.url()) || found.requests.push(request.url()));
  await page.goto(`file://${file}`);
  return page;
}

/** How many drawings there are, how many of them take up room, and whether every dot of them does. */
const drawings = () => {
  const charts = [...document.querySelectorAll("svg.chart")].filter((chart) => chart.checkVisibility());
  const dots = charts.flatMap((chart) => [...chart.querySelectorAll("circle, rect")]);
  return {
    charts: charts.length,
    empty: charts.filter((chart) => chart.getBoundingClientRect().height < 60).length,
    dots: dots.length,
    flat: dots.filter((dot) => dot.getBoundingClientRect().width < 2).length,
  };
};

/** The figures of a column of the first table, after a click on its heading. */
async function sorted(page, column) {
  const table = page.locator("table.sortable").first();
  await table.locator("thead th").nth(column).click();
  return table.locator("tbody tr").evaluateAll((rows, at) => rows.map((row) => row.cells[at].dataset.v ?? row.cells[at].textContent.trim()), column);
}

/** Colours of paper and ink, and the page's width beside the window's. */
const looks = () => {
  const { backgroundColor, color } = getComputedStyle(document.body);
  return { paper: backgroundColor, ink: color, width: document.documentElement.scrollWidth, window: innerWidth };
};

/** What stands in folds: for each table its rows beside its commands; the environment; how many charts show what nothing beats. */
const told = () => ({
  commands: [...document.querySelectorAll("details > .sheet")].map((sheet) => ({
    rows: sheet.querySelectorAll("tbody tr").length,
    lines: sheet.parentElement.querySelector(".commands pre").textContent.trim().split("\n").filter((line) => line.trim()),
  })),
  environment: document.getElementById("environment").textContent,
  planes: document.querySelectorAll("svg.scatter").length,
  frontiers: document.querySelectorAll("svg.scatter .frontier").length,
  intervals: document.querySelectorAll("table.sortable .bar").length,
});

try {
  for (const scheme of ["light", "dark"]) {
    const page = await open({ colorScheme: scheme, viewport: { width: 1280, height: 900 } });
    found.schemes[scheme] = { ...(await page.evaluate(looks)), ...(await page.evaluate(drawings)) };
    await page.screenshot({ path: `${pictures}/report-${scheme}.png`, fullPage: true });
    await page.close();
  }
  const page = await open({ viewport: { width: 1280, height: 900 } });
  found.sizes = [await sorted(page, 1), await sorted(page, 1)];
  found.peers = [await sorted(page, 0), await sorted(page, 0)];
  found.cells = await page.evaluate(() => JSON.parse(document.getElementById("cells").textContent).length);
  found.text = await page.evaluate(() => document.body.innerText);
  found.told = await page.evaluate(told);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  found.folded = await page.locator("details:not([open])").count();
  await page.close();
  const paper = await open({ colorScheme: "dark", viewport: PAPER });
  await paper.emulateMedia({ media: "print", colorScheme: "dark" });
  await paper.evaluate(() => dispatchEvent(new Event("beforeprint")));
  found.paper = { ...(await paper.evaluate(looks)), ...(await paper.evaluate(drawings)), menu: await paper.locator("nav").isVisible() };
  await paper.pdf({ path: `${pictures}/report.pdf`, preferCSSPageSize: true });
  await paper.close();
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true });
  found.phone = await phone.evaluate(looks);
  await phone.screenshot({ path: `${pictures}/report-phone.png` });
} finally {
  await browser.close();
}
console.log(JSON.stringify(found));
