// CPU time of a browser's pages, which have no clock for it themselves: the kernel counts it, thread by thread, in nanoseconds.

import { readdirSync, readFileSync } from "node:fs";

/** A function that answers the CPU time, in nanoseconds, of all threads of a browser's pages that are open now. It never goes back. */
export async function rendererClock(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const folders = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => `/proc/${id}/task`);
  // What a thread used stays when it ends, and the kernel no longer tells.
  const used = new Map();
  return () => {
    for (const folder of folders) for (const thread of readdirSync(folder)) note(used, `${folder}/${thread}/schedstat`);
    return [...used.values()].reduce((sum, each) => sum + each, 0);
  };
}

/** The first figure of schedstat: time on a processor. */
function note(used, path) {
  try {
    used.set(path, Number(readFileSync(path, "utf8").split(" ", 1)[0]));
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error; // It ended since its folder was read.
  }
}
