import type { Import } from "@tapthru/proto/imports";
import { getImport } from "@tapthru/proto/imports";
import { paths } from "@tapthru/proto/rules/paths";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { button, click, link } from "../../testing/controls.ts";
import { exampleOf, importOf } from "../../testing/examples.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";

let shown: Import;
let lines: object[];
let links: ReturnType<typeof shortLink>[];

beforeEach(() => {
  shown = importOf({ startedAt: new Date().toISOString() });
  lines = [];
  links = [shortLink({ nickname: "Before" })];
  serveLinks(links);
  serve("GET /api/imports", () => [shown]);
  serve("GET /api/imports/:id", () => ({ ...shown, lines, nextAfter: null }));
  serve("POST /api/imports/:id/start", () => {
    shown = importOf({ startedAt: new Date().toISOString() });
    return shown;
  });
});
const openView = () => renderPages(`${paths.import}?id=${shown.id}`);

/** The import ends, and has created a link. */
function end() {
  links.unshift(shortLink({ id: 2, nickname: "Imported" }));
  const counts = { ...shown.counts, created: 1 };
  shown = { ...shown, state: "finished", endedAt: "2026-11-20T18:06:01.000Z", counts };
}

test("a preview of an earlier visit is in the list, and does not replace the form", async () => {
  shown.state = "ready";
  await renderPages(paths.import);
  await screen.findByText(/not started/);
  expect(screen.getByLabelText("Choose a CSV file")).toBeTruthy();
  expect((await link("Amazon's reports")).getAttribute("href")).toBe(paths.earningsImport);
  await click("Show bitly.csv");
  expect(await button("Import 2 links")).toBeTruthy();
});

test("links of an import that ends while the list is shown appear in it", async () => {
  await renderPages(paths.dashboard, paths.import);
  await button("Cancel import");
  await click("Browser's back");
  await link("Before");
  end();
  await link("Imported");
});

test("lines whose short links Amazon did not resolve can be tried again", async () => {
  end();
  shown.counts = { ...shown.counts, links: 1, refused: 1, retryable: 1 };
  await openView();
  await screen.findByText("Amazon did not respond for 1 line.");
  await click("Try 1 line again");
  await screen.findByText("Your links are being created. You can leave this page.");
});

test("a preview says which addresses stop working, and takes repaired ones by one click", async () => {
  const url = "https://www.amazon.com/dp/B0ZZ1Y2X3W?th=1&amp;tag=me-20";
  const repairedUrl = url.replace("amp;", "");
  const changes = { slug: "커피", domain: "old.example", replacement: "slug-malformed", isLost: true };
  lines = [{ ...exampleOf(getImport).lines[0], state: "pending", shortUrl: null, url, repairedUrl, ...changes }];
  shown.state = "ready";
  shown.fileDomains = [
    { host: "go.example", isOwn: true },
    { host: "old.example", isOwn: false },
  ];
  shown.counts = { ...shown.counts, lost: 1, repairable: 1 };
  serve("POST /api/imports/:id/repair", () => {
    shown.counts.repairable = 0;
    return shown;
  });
  await openView();
  await screen.findByText(/^1 short address of this file will open no link here/);
  const about = screen.getByText(/^This file has short addresses on 2 domains/).textContent;
  expect(about).toContain("Codes stay on go.example.");
  expect(about).toContain("Not your domains here: old.example.");
  const reason = await screen.findByText(/커피 has characters or a length that are not possible here/);
  expect(within(reason).getByText("old.example/커피 stops working here.")).toBeTruthy();
  expect(screen.getByText(`Probably meant: ${repairedUrl}`)).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Stop working (1)" })).toBeTruthy();
  await click("Use 1 repaired address");
  await waitFor(() => expect(screen.queryByRole("button", { name: /repaired/ })).toBeNull());
});

test("a file that is not certain is read again as the user says", async () => {
  const reading = {
    ...exampleOf(getImport).reading,
    isEncodingCertain: false,
    encoding: "windows-1252",
    sample: "Kube³",
  };
  const queries = serve("POST /api/imports", ({ query }) => {
    const isChosen = query.get("encoding") !== null;
    const columns = {
      columns: ["Ziel", "Code", ""],
      usedColumns: [1, 0, 0, 0],
      ignoredColumns: ["Code"],
      skippedLines: 2,
    };
    shown = importOf({ id: crypto.randomUUID(), state: "ready" });
    shown.reading = { ...reading, ...columns, ...(isChosen && { encoding: "windows-1250", sample: "Kubeł" }) };
    return { ...shown, lines, nextAfter: null };
  });
  shown.state = "finished";
  await renderPages(paths.import);
  await userEvent.upload(await screen.findByLabelText("Choose a CSV file"), new File(["Ziel"], "a.csv"));
  await screen.findByText("Skipped above the names of the columns: 2 lines. Columns that are not imported: Code.");
  expect(screen.getByText("Kube³")).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Encoding of the file"), "Central European (Windows-1250)");
  await click("Read again");
  await screen.findByText("Kubeł");
  await userEvent.selectOptions(screen.getByLabelText("Short code"), "Code");
  await click("Read again");
  await waitFor(() => expect(queries).toHaveLength(3));
  const first = `?name=a.csv&tz=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}`;
  const second = `${first}&encoding=windows-1250&columns=`;
  expect(queries).toEqual([first, `${second}1%2C0%2C0%2C0`, `${second}1%2C2%2C0%2C0`]);
});

test("the import keeps the focus of the button that starts it", async () => {
  shown.state = "ready";
  await openView();
  const start = await button("Import 2 links");
  expect(document.activeElement).toBe(document.body);
  await userEvent.click(start);
  const cancel = await button("Cancel import");
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.contains(cancel)).toBe(true);
});
