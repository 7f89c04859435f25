import { readFile } from "node:fs/promises";
import type { APIRequestContext } from "@playwright/test";
import { expectAccessiblePage } from "./accessible-page.ts";
import { failClicks, serveManyClicks } from "./clicks-data.ts";
import { expect, type Links, test } from "./links.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

/** Visits a short link without following it. */
async function visit(request: APIRequestContext, shortCode: string, headers: object) {
  const response = await request.get(`/l/${shortCode}`, {
    headers: { ...headers },
    maxRedirects: 0,
  });
  expect([200, 302]).toContain(response.status());
}

const total = ({ page }: Links, name: string) => page.locator("dl > div", { hasText: name }).locator("dd").first();

test("visits through the short link are counted by class while the page is open", async ({ links, page, request }) => {
  test.slow();
  const shortCode = await links.create();
  await page.goto(`/link/${shortCode}/clicks`);
  await expect(page.getByText(/^No taps in this period\./)).toBeVisible();
  await visit(request, shortCode, { "User-Agent": IPHONE, Referer: "https://l.instagram.com/" });
  await visit(request, shortCode, { "User-Agent": IPHONE });
  await visit(request, shortCode, { "User-Agent": "curl/8.5.0" });
  await visit(request, shortCode, { "User-Agent": IPHONE, "Sec-Purpose": "prefetch" });
  await visit(request, shortCode, { "User-Agent": "facebookexternalhit/1.1" });
  await expect(total(links, "Taps")).toHaveText("2", { timeout: 20_000 });
  await expect(total(links, "Visitors (estimate)")).toHaveText("1");
  for (const name of ["Previews 1", "Bots 1", "Prefetches 1"]) {
    await expect(page.getByRole("radio", { name, exact: true })).toBeAttached();
  }
  await page.getByText("Website", { exact: true }).click();
  const table = page.getByRole("table", { name: "Where taps come from: Website" });
  await expect(table.getByRole("row", { name: /^l\.instagram\.com 1/ })).toBeVisible();
  await page.getByText("Bots 1").click();
  await expect(page.getByRole("slider", { name: "Bots by day" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("radio", { name: "Bots 1" })).toBeChecked();
});

test("the page of all links names the top link, and its CSV has the same numbers", async ({ links, page, request }) => {
  test.slow();
  const shortCode = await links.create();
  for (let i = 0; i < 3; i += 1) await visit(request, shortCode, { "User-Agent": IPHONE });
  await page.goto("/clicks");
  const top = page.getByRole("table", { name: "Top links" });
  const row = top.locator("tr", { has: page.locator(`a[href="/link/${shortCode}"]`) });
  await expect(row.getByRole("cell").first()).toHaveText("3", { timeout: 20_000 });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("section", { has: top }).getByRole("button", { name: "Download CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^clicks-all-link-[\d-]{10}\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[0]).toBe("\uFEFFkey,person,preview,bot,prefetch,visitors,opened,assistant");
  expect(lines).toContain(`${shortCode},3,0,0,0,1,0,0`);
  await row.getByRole("link").click();
  await expect(page).toHaveURL(`/link/${shortCode}`);
});

test("the chart, its table and the period work by keyboard", async ({ links, page }) => {
  await serveManyClicks(page);
  await page.goto(`/link/${await links.create()}/clicks`);
  const chart = page.getByRole("slider", { name: "Taps by day" });
  await chart.focus();
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuetext", /: 450$/);
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", /: 560$/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Taps by day" })).toBeVisible();
  await page.getByRole("radio", { name: "30 days" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\?period=90d$/);
});

/** The states of the clicks, each with the steps to it. */
const STATES: Record<string, (links: Links) => Promise<void>> = {
  "a link with clicks": async (links) => {
    await serveManyClicks(links.page);
    await links.page.goto(`/link/${await links.create()}/clicks`);
    await expect(links.page.getByRole("slider")).toBeVisible();
    await expect(links.page.locator("th img").first()).toBeVisible();
  },
  "the clicks of all links with a table": async (links) => {
    await serveManyClicks(links.page, [await links.create(), await links.create()]);
    await links.page.goto("/clicks?period=custom&from=2026-06-01&to=2026-06-30");
    await links.page.getByText("Show as a table").click();
    await expect(links.page.getByText("Last day")).toBeVisible();
    await expect(links.page.getByRole("slider")).toBeVisible();
    await links.page.getByText("Website", { exact: true }).click();
    await expect(links.page.getByText("l.instagram.com")).toBeVisible();
  },
  "no clicks": async (links) => {
    await links.page.goto(`/link/${await links.create()}/clicks?period=24h`);
    await expect(links.page.getByText(/^No taps in this period\./)).toBeVisible();
  },
  "clicks that are loading": async ({ page }) => {
    await failClicks(page, null);
    await page.goto("/clicks");
    await expect(page.getByText("Loading clicks...").first()).toBeAttached();
  },
  "clicks that failed to load": async ({ page }) => {
    await failClicks(page, 503);
    await page.goto("/clicks");
    await expect(page.getByRole("alert")).toHaveCount(3);
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state}: accessible at each size, in each theme and by keyboard`, async ({ links, page }) => {
    test.slow();
    await reach(links);
    await expectAccessiblePage(page);
  });
}
