import type { Import } from "@tapthru/proto/imports";
import { paths } from "@tapthru/proto/rules/paths";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { importOf } from "../../testing/imports.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";

const { id: ID, counts: COUNTS } = importOf();

let shown: Import;
let links: ReturnType<typeof shortLink>[];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  shown = importOf({ startedAt: new Date().toISOString() });
  links = [shortLink({ nickname: "Before" })];
  serveLinks(links);
  user = userEvent.setup();
  serve("GET /api/imports", () => [shown]);
  serve("GET /api/imports/:id", () => ({ ...shown, lines: [], nextAfter: null }));
});

/** The import ends, and has created a link. */
function end() {
  links.unshift(shortLink({ id: 2, nickname: "Imported" }));
  const counts = { ...shown.counts, created: 1 };
  shown = { ...shown, state: "finished", endedAt: "2026-11-20T18:06:01.000Z", counts };
}

test("a preview of an earlier visit is in the list, and does not replace the form", async () => {
  shown = { ...shown, state: "ready" };
  await renderPages(paths.import);
  await screen.findByText(/not started/);
  expect(screen.getByLabelText("Choose a CSV file")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Amazon's reports" }).getAttribute("href")).toBe(paths.earningsImport);
  await user.click(screen.getByRole("button", { name: "Show bitly.csv" }));
  expect(await screen.findByRole("button", { name: "Import 2 links" })).toBeTruthy();
});

test("links of an import that ends while the list is shown appear in it", async () => {
  await renderPages(paths.dashboard, paths.import);
  await screen.findByRole("button", { name: "Cancel import" });
  await user.click(screen.getByRole("button", { name: "Browser's back" }));
  await screen.findByRole("link", { name: "Before" });
  end();
  await screen.findByRole("link", { name: "Imported" });
});

test("lines whose short links Amazon did not resolve can be tried again", async () => {
  end();
  shown.counts = { ...shown.counts, links: 1, refused: 1, retryable: 1 };
  serve("POST /api/imports/:id/start", () => {
    shown = importOf({ startedAt: new Date().toISOString() });
    return shown;
  });
  await renderPages(`${paths.import}?id=${ID}`);
  await screen.findByText("Amazon did not respond for 1 line.");
  await user.click(screen.getByRole("button", { name: "Try 1 line again" }));
  await screen.findByText("Your links are being created. You can leave this page.");
});

test("a preview says which addresses stop working, and takes repaired ones by one click", async () => {
  const url = "https://www.amazon.com/dp/B0ZZ1Y2X3W?th=1&amp;tag=me-20";
  const line = {
    ...{
      line: 2,
      url,
      slug: "커피",
      domain: "old.example",
      nickname: null,
      fallbackUrl: null,
      title: null,
      labels: [],
    },
    ...{ expiresAt: null, state: "pending", refusal: null, replacement: "slug-malformed" },
    ...{ repairedUrl: url.replace("amp;", ""), isLost: true, shortUrl: null },
  };
  shown.state = "ready";
  shown.fileDomains = [
    { host: "go.example", isOwn: true },
    { host: "old.example", isOwn: false },
  ];
  shown.counts = { ...COUNTS, lost: 1, repairable: 1 };
  serve("GET /api/imports/:id", () => ({ ...shown, lines: [line], nextAfter: null }));
  serve("POST /api/imports/:id/repair", () => {
    shown.counts.repairable = 0;
    return shown;
  });
  await renderPages(`${paths.import}?id=${ID}`);
  await screen.findByText(/^1 short address of this file will open no link here/);
  const about = screen.getByText(/^This file has short addresses on 2 domains/).textContent;
  expect(about).toContain("Codes stay on go.example.");
  expect(about).toContain("Not your domains here: old.example.");
  const reason = await screen.findByText(/커피 has characters or a length that are not possible here/);
  expect(within(reason).getByText("old.example/커피 stops working here.")).toBeTruthy();
  expect(screen.getByText(`Probably meant: ${line.repairedUrl}`)).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Stop working (1)" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Use 1 repaired address" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: /repaired/ })).toBeNull());
});

test("the import keeps the focus of the button that starts it", async () => {
  shown.state = "ready";
  serve("POST /api/imports/:id/start", () => {
    shown = { ...shown, state: "running" };
    return shown;
  });
  await renderPages(`${paths.import}?id=${ID}`);
  const start = await screen.findByRole("button", { name: "Import 2 links" });
  expect(document.activeElement).toBe(document.body);
  await user.click(start);
  const cancel = await screen.findByRole("button", { name: "Cancel import" });
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.contains(cancel)).toBe(true);
});
