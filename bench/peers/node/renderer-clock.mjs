// CPU time of a browser's pages, which have no clock for it themselves: the kernel counts it, thread by thread, in nanoseconds.

import { readdirSync, readFileSync } from "node:fs";

/** A function that returns the CPU time, in nanoseconds, of all threads of a browser's pages that are open now. It never goes back. */
export async function rendererClock(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const folders = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => `/proc/${id}/task`);
  // What a thread used stays when it ends, and the kernel no longer tells.
  const used = new Map();
  return () => {
    for (const folder of folders) {
      for (const thread of present(() => readdirSync(folder)) ?? []) {
        const path = `${folder}/${thread}/schedstat`;
        // The first figure: time on a processor.
        const figures = present(() => readFileSync(path, "utf8"));
        if (figures !== undefined) used.set(path, Number(figures.split(" ", 1)[0]));
      }
    }
    return [...used.values()].reduce((sum, each) => sum + each, 0);
  };
}

/** What `read` returns, or nothing if the thread or process has ended: a browser keeps a page in reserve, and lets it go. */
function present(read) {
  try {
    return read();
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return undefined;
    throw error;
  }
}
