import { expectAccessiblePage, keepToastOpen } from "./accessible-page.ts";
import { expect, type Home, test } from "./home.ts";

const STATES: Record<string, (home: Home) => Promise<void>> = {
  "Home in its initial state": async () => {},
  "a validation message": async (home) => {
    await home.submitNothing();
    await keepToastOpen(home.page);
  },
  "a link that is being created": async ({ page, ...home }) => {
    await page.route("/api/generate", () => {});
    await home.field.fill("https://www.amazon.com/dp/B0CX23V2ZK");
    await expect(home.field).toBeDisabled();
  },
  "a result and its toast": async (home) => {
    await home.createLink();
    await expect(home.toast).toBeVisible();
    await keepToastOpen(home.page);
  },
  "an error": async (home) => {
    await home.paste("https://amzn.to/missing");
    await expect(home.toast).toBeVisible();
    await keepToastOpen(home.page);
  },
  "a page whose script fails to load": async ({ page }) => {
    await page.route(/\/assets\/site-policy-.*\.js$/, (route) => route.abort());
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  },
  "the not-found page": async ({ page }) => {
    await page.goto("/nowhere");
    await expect(page.getByRole("heading")).toBeVisible();
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state} is accessible at each size, in each theme and by keyboard`, async ({ home, page }) => {
    test.slow();
    await reach(home);
    await expectAccessiblePage(page);
  });
}

test.describe("small screen", () => {
  test.use({ viewport: { width: 360, height: 800 } });

  test("the menu is accessible at each size, in each theme and by keyboard", async ({ home, page }) => {
    test.slow();
    await expect(home.field).toBeVisible();
    await page.getByRole("button", { name: "Open menu" }).click();
    await expectAccessiblePage(page, { widths: [320, 360] });
  });
});
