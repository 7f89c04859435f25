import type { Browser } from "@playwright/test";
import { type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/messages/pages/languages";
import { expectAccessiblePage } from "./accessible-page.ts";
import { expectNoViolations } from "./axe.ts";
import { createLink, expect, test } from "./home.ts";
import { newPhone, openingHeading, type StrategyId } from "./phones.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";
import { expectTextFits } from "./text-fits.ts";

const LANGUAGES = Object.entries(PAGE_MESSAGES) as [Language, (typeof PAGE_MESSAGES)["en"]][];
const STRATEGIES: StrategyId[] = ["browser-ios", "tiktok-ios", "kakaotalk-ios", "wechat-android"];
const UNKNOWN_LINK = "/l/2222222";

/** Opens a page on a phone. Its requests are marked as prefetch, so the page does not try to open the app. */
async function newPrefetchingPage(browser: Browser, strategy: StrategyId, locale = "en") {
  const phone = await newPhone(browser, strategy, { locale });
  const page = await phone.newPage();
  await page.setExtraHTTPHeaders({ purpose: "prefetch" });
  return page;
}

test.describe("app-opening page", () => {
  let shortUrl: string;

  test.beforeEach(async ({ request }) => {
    shortUrl = await createLink(request);
  });

  for (const strategy of STRATEGIES) {
    test(`${strategy} is accessible`, async ({ browser }) => {
      test.slow();
      const page = await newPrefetchingPage(browser, strategy);
      await page.goto(shortUrl);
      await expect(page.getByRole("heading")).toHaveText(openingHeading(strategy));
      await expectAccessiblePage(page);
      await page.context().close();
    });
  }

  for (const [language, { openingAmazon, linkNotFound }] of LANGUAGES) {
    test(`and the page for an unknown link are accessible in ${language}`, async ({ browser, baseURL }) => {
      const page = await newPrefetchingPage(browser, "browser-android", language);
      for (const [address, heading] of [
        [shortUrl, openingAmazon],
        [`${baseURL}${UNKNOWN_LINK}`, linkNotFound.heading],
      ] as const) {
        await page.goto(address);
        await expect(page.getByRole("heading")).toHaveText(heading);
        if (isTakingScreenshots) await takeScreenshots(page, { widths: [360] });
        else {
          await expectNoViolations(page);
          await expectTextFits(page);
        }
      }
      await page.context().close();
    });
  }
});

for (const [target, path] of [
  ["an unknown link", UNKNOWN_LINK],
  ["an unknown file", "/assets/nothing.js"],
] as const) {
  test(`the page for ${target} is accessible`, async ({ page }) => {
    test.slow();
    await page.goto(path);
    await expect(page.getByRole("heading")).toHaveText(/not found$/);
    await expectAccessiblePage(page);
  });
}
