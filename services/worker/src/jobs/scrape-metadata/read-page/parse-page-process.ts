/** The child of read-page.ts: parses one page, and dies of the page that is too much for it. */
import { type FetchedPage, parsePage } from "./parse-page.ts";

process.once("message", async (page: FetchedPage) => {
  process.send?.(await parsePage(page));
});
