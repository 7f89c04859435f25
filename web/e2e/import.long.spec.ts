import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Import, ImportLine } from "@tapthru/proto/imports";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./links.ts";

/** Other addresses for each code: a link that the user has is not imported again. */
const lamp = (code: string) => `https://www.amazon.com/dp/B08N5WRWNW?tag=me-20&code=${code}`;
const chair = (code: string) => `https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&code=${code}`;

/** An export of Bitly with a link, a code that is reserved, and a line that is not Amazon's. */
function bitlyFile(code: string) {
  const text = [
    "long_url,custom_bitlink,title,tags",
    `${lamp(code)},bit.ly/${code},"Desk lamp, red",home`,
    `${chair(code)},bit.ly/login,Chair,`,
    "https://shop.example/mug,bit.ly/mug,Mug,",
  ].join("\r\n");
  return { name: "bitly.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
}

const randomCode = () => `lamp-${Math.random().toString(36).slice(2, 10)}`;

test("a file is previewed, imported in the background, and its result can be downloaded", async ({ links, page }) => {
  test.slow();
  await links.create();
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Import links from another service" }).click();
  const code = randomCode();
  await page.getByLabel("Choose a CSV file").setInputFiles(bitlyFile(code));
  await expect(page.getByText("This is an export of Bitly.")).toBeVisible();
  const lines = page.getByRole("list", { name: "Lines of the file" }).getByRole("listitem");
  await expect(lines).toHaveText([
    new RegExp(`Line 2.*Desk lamp, red.*Keeps ${code}`),
    /Line 3.*New code: login is reserved/,
    /Line 4.*Not an Amazon link\./,
  ]);
  await page.getByText("Refused (1)").click();
  await expect(lines).toHaveText([/Line 4/]);
  await page.getByRole("button", { name: "Import 2 links" }).click();
  await page.reload();
  await expect(page.getByText("Done. 2 links were created.")).toBeVisible({ timeout: 30_000 });
  await page.getByText("Links (2)").click();
  await expect(lines.first()).toContainText(`/l/${code}`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download result" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain(`2,${lamp(code)},${code},created,,`);
  await page.getByRole("link", { name: "Your Links" }).last().click();
  await expect(page.getByRole("link", { name: /Desk lamp, red/ }).first()).toBeVisible();
});

test("pasted addresses are previewed and discarded", async ({ links, page }) => {
  test.slow();
  await links.create();
  await page.goto("/import");
  const address = lamp(randomCode());
  await page.getByLabel("One address in each line").fill(`${address}\n${address}\nhello`);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("1 link will be created. Nothing has happened yet.")).toBeVisible();
  await expect(page.getByText("Gets a generated code")).toBeVisible();
  await expect(page.getByText("The same link is in an earlier line.")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByLabel("One address in each line")).toBeVisible();
});

test("the import page is accessible at each size, in each theme and by keyboard", async ({ links, page }) => {
  test.slow();
  await links.create();
  await page.goto("/import");
  await expect(page.getByLabel("Choose a CSV file")).toBeAttached();
  await expectAccessiblePage(page);
  await page.getByLabel("Choose a CSV file").setInputFiles(bitlyFile(randomCode()));
  await expect(page.getByText("This is an export of Bitly.")).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole("button", { name: "Import 2 links" }).click();
  await expect(page.getByText("Done. 2 links were created.")).toBeVisible({ timeout: 30_000 });
  await expectAccessiblePage(page);
});

const LINES: Partial<ImportLine>[] = [
  { shortUrl: "https://tapthru.example/l/a-name-of-thirty-characters-abc", state: "created" },
  { url: "https://amzn.to/3TapTru", state: "refused", refusal: "short-link-failed" },
  { slug: "lamp", replacement: "slug-taken" },
];

/** Replaces the responses of the api by an import in this state. */
async function serveImport(page: Page, state: Import["state"], retryable: number) {
  const time = "2026-11-22T08:00:00.000Z";
  const counts = { lines: 10_000, links: 8_999, replaced: 1, refused: 1_001, created: 4_321 };
  const served = { id: crypto.randomUUID(), fileName: `links-${"of-the-shop-".repeat(5)}.csv` };
  const times = { createdAt: time, startedAt: time, endedAt: null };
  const shown: Import = {
    ...served,
    ...times,
    format: "table",
    domain: null,
    channelId: null,
    usesChannelTag: false,
    state,
    fileDomains: [],
    counts: { ...counts, retryable, lost: 0, repairable: 0 },
  };
  const lines = LINES.map((line, index) => ({
    ...{ line: index + 2, url: lamp("x"), slug: null, nickname: null, title: "Desk lamp" },
    ...{
      labels: [],
      expiresAt: null,
      fallbackUrl: null,
      state: "pending",
      refusal: null,
      replacement: null,
    },
    ...{ domain: null, repairedUrl: null, isLost: false, shortUrl: null, ...line },
  }));
  await page.route("/api/imports", (route) => route.fulfill({ json: [shown] }));
  await page.route(`/api/imports/${served.id}?*`, (route) =>
    route.fulfill({ json: { ...shown, lines, nextAfter: null } }),
  );
  await page.goto(`/import?id=${served.id}`);
}

for (const [state, shown] of [
  ["running", "Cancel import"],
  ["finished", "Try 1,000 lines again"],
  ["cancelled", "Your Links"],
] as const) {
  test(`an import that is ${state} is accessible`, async ({ page }) => {
    test.slow();
    await serveImport(page, state, 1_000);
    await expect(page.getByRole("main").getByText(shown, { exact: true })).toBeVisible();
    await expectAccessiblePage(page);
  });
}
