// CPU time of a browser's pages, which have no clock for it themselves: the kernel counts it, thread by thread, in nanoseconds.

import { readdirSync, readFileSync } from "node:fs";

/** A function that answers the CPU time, in nanoseconds, of all threads of a browser's pages that are open now. */
export async function rendererClock(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  return () => renderers.reduce((sum, pid) => sum + ofProcess(pid), 0);
}

function ofProcess(pid) {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).reduce((sum, thread) => sum + ofThread(`${threads}/${thread}/schedstat`), 0);
}

/** The first figure of schedstat: time on a processor. */
function ofThread(path) {
  try {
    return Number(readFileSync(path, "utf8").split(" ", 1)[0]);
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return 0; // It ended since its folder was read.
    throw error;
  }
}
