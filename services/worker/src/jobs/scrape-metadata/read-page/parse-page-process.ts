/**
 * The child process of read-page.ts: reports when it is ready, parses one page and exits; at the latest after the
 * milliseconds in its argument.
 */
import { Worker } from "node:worker_threads";
import { type FetchedPage, parsePage } from "./parse-page.ts";

// Ctrl-C reaches the whole process group; only the parent stops its child.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

// A killed parent cannot stop its child, and the parser may block this thread for minutes.
const lifetimeMs = Number(process.argv[2]);
const watchdog = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${lifetimeMs})`;
new Worker(watchdog, { eval: true }).unref();

process.once("message", async (page: FetchedPage) => {
  process.send?.(await parsePage(page));
});
process.send?.("ready");
