// JUnit XML with the file of every test, which node's own reporter leaves out: the root counts executed tests by file.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => text.replace(/[&<>"]/g, (sign) => escapes[sign]);

/** @param {AsyncIterable<{type: string, data: any}>} events of `node --test` */
export default async function* junit(events) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n';
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    if (data.details?.type === "suite") continue;
    const name = escape(data.name);
    // What a file does as a whole (its process ended by a signal) has the file's name alone in some versions.
    const file = escape(data.file ?? data.name);
    // A file that never started a test reports itself as one passing test.
    if (type === "test:pass" && data.nesting === 0 && data.name === data.file) continue;
    const outcome = type === "test:fail" ? "<failure/>" : data.skip !== undefined || data.todo !== undefined ? "<skipped/>" : "";
    yield `<testcase file="${file}" name="${name}">${outcome}</testcase>\n`;
  }
  yield "</testsuites>\n";
}
