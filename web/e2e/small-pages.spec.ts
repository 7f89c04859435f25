import type { Browser } from "@playwright/test";
import { type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/messages/pages/languages";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expectNoViolations } from "./axe.ts";
import { expect, makeLink, test } from "./home.ts";
import { newPhone, type RowId } from "./phones.ts";
import { expectRoomForText } from "./room-for-text.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

const LANGUAGES = Object.entries(PAGE_MESSAGES) as [Language, (typeof PAGE_MESSAGES)["en"]][];
const ROWS: RowId[] = ["browser-ios", "tiktok-ios", "kakaotalk-ios", "wechat-android"];
const NO_LINK = "/l/2222222";

/** A phone that fetches ahead, so that the page tries no app. */
async function newPageAhead(browser: Browser, row: RowId, locale = "en") {
  const phone = await newPhone(browser, row, { locale });
  const page = await phone.newPage();
  await page.setExtraHTTPHeaders({ purpose: "prefetch" });
  return page;
}

test.describe("the phone's page", () => {
  let shortUrl: string;

  test.beforeEach(async ({ request }) => {
    shortUrl = await makeLink(request);
  });

  for (const row of ROWS) {
    test(`by ${row} is sound`, async ({ browser }) => {
      test.slow();
      const page = await newPageAhead(browser, row);
      await page.goto(shortUrl);
      await expect(page.getByRole("heading")).toHaveText("Opening Amazon...");
      await expectAccessiblePage(page);
      await page.context().close();
    });
  }

  for (const [language, { openingAmazon, linkNotFound }] of LANGUAGES) {
    test(`in ${language} is sound, and the page for no link`, async ({ browser, baseURL }) => {
      const page = await newPageAhead(browser, "browser-android", language);
      for (const [address, heading] of [
        [shortUrl, openingAmazon],
        [`${baseURL}${NO_LINK}`, linkNotFound.heading],
      ] as const) {
        await page.goto(address);
        await expect(page.getByRole("heading")).toHaveText(heading);
        if (isTakingScreenshots) await takeScreenshots(page, { widths: [360] });
        else {
          await expectNoViolations(page);
          await expectRoomForText(page);
        }
      }
      await page.context().close();
    });
  }
});

for (const [what, path] of [
  ["no link", NO_LINK],
  ["no file", "/assets/nothing.js"],
] as const) {
  test(`the page for ${what} is sound`, async ({ page }) => {
    test.slow();
    await page.goto(path);
    await expect(page.getByRole("heading")).toHaveText(/not found$/);
    await expectAccessiblePage(page);
  });
}
