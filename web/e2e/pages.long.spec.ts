import type { Browser } from "@playwright/test";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";
import { expectAccessiblePage, expectReadablePage } from "./accessible-page.ts";
import { ACCOUNT_STATES, LOGIN_STATES } from "./account-states.ts";
import { expectNoViolations } from "./axe.ts";
import { FIGURE_STATES } from "./figure-states.ts";
import { createLink, expect, PRODUCT, test as visitorTest } from "./home.ts";
import { LINK_STATES } from "./link-states.ts";
import { testWithOwnAccount } from "./links.ts";
import { OPERATOR_STATES } from "./operator-states.ts";
import { newPhone, openingHeading, type StrategyId } from "./phones.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";
import { expectTextFits, expectWholeWords } from "./text-fits.ts";
import { VISITOR_STATES } from "./visitor-states.ts";

const HOW = "is accessible at each size, in each theme and by keyboard";
const SMALL = [320, 360];

for (const [state, reach] of Object.entries(VISITOR_STATES)) {
  visitorTest(`${state} ${HOW}`, async ({ home, page }) => {
    await reach(home);
    await expectAccessiblePage(page);
  });
}

visitorTest(`the menu of a small screen ${HOW}`, async ({ home, page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(home.field).toBeVisible();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expectAccessiblePage(page, { widths: SMALL });
});

const test = testWithOwnAccount();
for (const [testOfAccount, states] of [
  [test, { ...LINK_STATES, ...ACCOUNT_STATES, ...FIGURE_STATES }],
  [testWithOwnAccount(), LOGIN_STATES],
] as const) {
  for (const [state, reach] of Object.entries(states)) {
    testOfAccount(`${state} ${HOW}`, async ({ links, page }) => {
      await reach(links);
      await expectAccessiblePage(page);
    });
  }
}

test("the menu of a card and the dialogs of the list are accessible at each size and in each theme", async ({
  links,
  page,
}) => {
  const { id } = await links.fetch(await links.create());
  const headers = { Origin: new URL(page.url()).origin };
  await page.request.patch("/api/links/bulk", { data: { ids: [id], addLabels: ["Gifts"] }, headers });
  await page.reload();
  await links.button("More").click();
  const more = page.getByRole("button", { name: /^More actions for/ }).first();
  const dialog = page.getByRole("dialog");
  const choose = (item: string) => async () => {
    await more.press("Enter");
    await page.getByRole("menuitem", { name: item }).click();
  };
  for (const [opened, open] of [
    [page.getByRole("menu"), () => more.press("Enter")],
    ...["Rename", "Labels", "Change destination", "QR code"].map((item) => [dialog, choose(item)] as const),
    [dialog, () => links.button("Manage labels").click()],
  ] as const) {
    await open();
    await expect(opened).toBeVisible();
    await expectReadablePage(page, { widths: SMALL });
    await page.keyboard.press("Escape");
    await expect(opened).toBeHidden();
  }
  await links.button("Manage labels").click();
  await expectWholeWords(dialog.getByRole("heading"));
});

const operatorTest = testWithOwnAccount({ isOperator: true });
for (const [state, reach] of Object.entries(OPERATOR_STATES)) {
  operatorTest(`${state} ${HOW}`, async ({ links, page }) => {
    await reach(links);
    await expectAccessiblePage(page);
  });
}

/** Opens an address on a phone. Its requests are marked as prefetch, so the page does not try to open the app. */
async function openOnPhone(browser: Browser, strategy: StrategyId, address: string, locale = "en") {
  const page = await (await newPhone(browser, strategy, { locale })).newPage();
  await page.setExtraHTTPHeaders({ purpose: "prefetch" });
  await page.goto(address);
  return page;
}

for (const strategy of ["browser-ios", "kakaotalk-ios", "wechat-android"] as const) {
  visitorTest(
    `the app-opening page for ${strategy}, of the redirect and of the web app, ${HOW}`,
    async ({ browser, request }) => {
      const shortUrl = await createLink(request);
      const deepLink = buildDeepLink(new URL(shortUrl).origin, "B0CX23V2ZK", PRODUCT);
      for (const [address, heading] of [
        [shortUrl, openingHeading(strategy)],
        [deepLink, "Opening Amazon..."],
      ] as const) {
        const page = await openOnPhone(browser, strategy, address);
        await expect(page.getByRole("heading")).toHaveText(heading);
        await expectAccessiblePage(page);
        await page.context().close();
      }
    },
  );
}

for (const language of Object.keys(PAGE_MESSAGES) as Language[]) {
  visitorTest(
    `the app-opening page and the one for an unknown link are accessible in ${language}`,
    async ({ browser, request }) => {
      const shortUrl = await createLink(request);
      for (const [address, heading] of [
        [shortUrl, PAGE_MESSAGES[language].openingAmazon],
        [shortUrl.replace(/\w+$/, "2222222"), PAGE_MESSAGES[language].linkNotFound.heading],
      ] as const) {
        const page = await openOnPhone(browser, "browser-android", address, language);
        await expect(page.getByRole("heading")).toHaveText(heading);
        if (isTakingScreenshots) await takeScreenshots(page, { widths: [360] });
        else {
          await expectNoViolations(page);
          await expectTextFits(page);
        }
        await page.context().close();
      }
    },
  );
}
