/**
 * The child of read-page.ts: says when it is ready, parses one page, and dies of the page that is too
 * much for it, at the latest after as many milliseconds as its argument says.
 */
import { Worker } from "node:worker_threads";
import { type FetchedPage, parsePage } from "./parse-page.ts";

// Ctrl-C reaches the whole group of processes; the parent alone decides about its child.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

// A parent that was killed kills nobody, and the parser may hold this thread for minutes.
const lifetimeMs = Number(process.argv[2]);
const watchdog = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${lifetimeMs})`;
new Worker(watchdog, { eval: true }).unref();

process.once("message", async (page: FetchedPage) => {
  process.send?.(await parsePage(page));
});
process.send?.("ready");
