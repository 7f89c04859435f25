/**
 * The child of read-page.ts: says when it is ready, parses one page, and dies of the page that is too
 * much for it.
 */
import { type FetchedPage, parsePage } from "./parse-page.ts";

// Ctrl-C reaches the whole group of processes; the parent alone decides about its child.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.once("message", async (page: FetchedPage) => {
  process.send?.(await parsePage(page));
});
process.send?.("ready");
