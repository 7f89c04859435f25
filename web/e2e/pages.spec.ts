import { paths } from "@tapthru/proto/rules/paths";
import { expectReadablePage } from "./accessible-page.ts";
import { test as guestTest } from "./home.ts";
import { expectNoLayoutShift } from "./layout-shift.ts";
import { testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount({ isOperator: true });

const PATHS = Object.values(paths).filter((path) => typeof path === "string");
/** They lead a user to the dashboard. */
const ONLY_OF_GUESTS: string[] = [paths.login, paths.signup];
const ALSO_OF_GUESTS: string[] = [
  paths.home,
  paths.resetPassword,
  paths.confirmEmail,
  paths.join,
  paths.share,
  paths.abuseReport,
  paths.appOpeningStatus,
  paths.linkAudit,
  paths.privacy,
  paths.amazonAdsPrivacy,
  paths.shared,
  "/nowhere",
];
/** It has no content without a product. */
const EMPTY: string[] = [paths.redirect];
const OF_USERS = PATHS.filter((path) => ![...ONLY_OF_GUESTS, ...ALSO_OF_GUESTS, ...EMPTY].includes(path));

for (const path of [...ONLY_OF_GUESTS, ...ALSO_OF_GUESTS]) {
  guestTest(`${path} loads without layout shift and is accessible at each size and in each theme`, async ({ page }) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoLayoutShift(page, path);
    }
    await expectReadablePage(page);
  });
}

for (const path of [...OF_USERS, paths.home, "a link's page"]) {
  test(`a user's ${path} loads without layout shift and is accessible at each size and in each theme`, async ({
    links,
    page,
  }) => {
    const { shortCode } = await links.openNew();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoLayoutShift(page, path.startsWith("/") ? path : paths.link(shortCode));
    }
    await expectReadablePage(page);
  });
}
