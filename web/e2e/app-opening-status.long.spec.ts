import type { APIRequestContext, Page } from "@playwright/test";
import type { RowStatus } from "@tapthru/proto/app-opening-status";
import { APP_OPENING_MIN_REPORTS } from "@tapthru/proto/rules/limits";
import { expectAccessiblePage } from "./accessible-page.ts";
import { createLink, expect, test } from "./home.ts";
import { expect as expectOfUser, test as userTest } from "./links.ts";

const PATH = "/status/app-opening";
/** The api reads the reports once a minute. */
const READ_MS = 120_000;

test("reports of phones are on the public page", async ({ page, request }) => {
  test.setTimeout(READ_MS + 60_000);
  const shortUrl = await createLink(request);
  for (let count = 0; count < APP_OPENING_MIN_REPORTS; count++) await reportOpened(request, shortUrl);
  await expect(async () => {
    await page.goto(PATH);
    await expect(page.getByRole("heading", { name: "Klarna on iPhone" })).toBeVisible();
  }).toPass({ timeout: READ_MS });
});

/** Requests the app-opening page as an app does, and reports as its script does. */
async function reportOpened(request: APIRequestContext, shortUrl: string): Promise<void> {
  const headers = {
    "user-agent":
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Klarna/1234.1",
  };
  const html = await (await request.get(shortUrl, { headers })).text();
  const data = (name: string) => new RegExp(`data-${name}="([^"]+)"`).exec(html)?.[1] ?? "";
  const response = await request.post(new URL(data("report"), shortUrl).href, {
    headers: { ...headers, "content-type": "text/plain" },
    data: JSON.stringify({ row: data("row"), outcome: "opened", proof: data("proof") }),
  });
  expect(response.status()).toBe(204);
}

async function serveStatus(page: Page, rows: RowStatus[]) {
  await page.route(`**/api${PATH}`, (route) => route.fulfill({ json: { since: "2026-10-24", rows } }));
}

const ROWS: RowStatus[] = [
  { row: "instagram-ios", app: "instagram", os: "ios", ...sum(1_240_040) },
  { row: "browser-android", app: "browser", os: "android", ...sum(900) },
  { row: "kakaotalk-ios", app: "kakaotalk", os: "ios", ...sum(51) },
];

function sum(tried: number) {
  return { tried, opened: Math.round(tried * 0.9) };
}

test("the open rates are accessible at each size, in each theme and by keyboard", async ({ page }) => {
  test.slow();
  await serveStatus(page, ROWS);
  await page.goto(PATH);
  await expect(page.getByRole("heading", { name: "Instagram on iPhone" })).toBeVisible();
  await expectAccessiblePage(page);
});

test("the page without reports is accessible", async ({ page }) => {
  test.slow();
  await serveStatus(page, []);
  await page.goto(PATH);
  await expect(page.getByText("There are no numbers yet.")).toBeVisible();
  await expectAccessiblePage(page);
});

test("the page is accessible while the api is unavailable, and loads once it is back", async ({ page }) => {
  test.slow();
  await page.route(`**/api${PATH}`, (route) => route.fulfill({ status: 503, body: "Unavailable." }));
  await page.goto(PATH);
  await expect(page.getByText("The open rates could not be loaded.")).toBeVisible({
    timeout: 30_000,
  });
  await expectAccessiblePage(page);
  await page.unrouteAll();
  await serveStatus(page, ROWS);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "KakaoTalk on iPhone" })).toBeVisible();
});

userTest("a link's page leads to the open rates", async ({ links, page }) => {
  const shortCode = await links.create();
  await page.goto(`/link/${shortCode}/opening`);
  await page.getByRole("link", { name: "How often this works" }).click();
  await expectOfUser(page).toHaveURL(PATH);
  await expectOfUser(page.getByRole("heading", { level: 1 })).toHaveText("How often the Amazon app opens");
});
