import { expectNoViolations } from "./axe.ts";
import { expect, type Home, test } from "./home.ts";

const STATES: Record<string, (home: Home) => Promise<void>> = {
  "Home at rest": async () => {},
  "a complaint": async ({ field, toast }) => {
    await field.press("Enter");
    await expect(toast).toBeVisible();
  },
  "a generation under way": async ({ page, ...home }) => {
    await page.route("/api/generate", () => {});
    await home.field.fill("https://www.amazon.com/dp/B0CX23V2ZK");
    await expect(home.field).toBeDisabled();
  },
  "a result and its toast": async (home) => {
    await home.makeLink();
    await expect(home.toast).toBeVisible();
  },
  "an error": async (home) => {
    await home.paste("https://amzn.to/missing");
    await expect(home.toast).toBeVisible();
  },
  "the theme switch": async ({ page }) => {
    await page.getByRole("button", { name: /^Theme/ }).click();
    await expect(page.getByRole("radio", { name: "System" })).toBeFocused();
  },
  "the not-found page": async ({ page }) => {
    await page.goto("/nowhere");
    await expect(page.getByRole("heading")).toBeVisible();
  },
};

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 } });

      for (const [state, reach] of Object.entries(STATES)) {
        test(`axe finds nothing in ${state}`, async ({ home, page }) => {
          await reach(home);
          await expectNoViolations(page);
        });
      }

      if (width === 360) {
        test("axe finds nothing in the menu", async ({ home, page }) => {
          await expect(home.field).toBeVisible();
          await page.getByRole("button", { name: "Open menu" }).click();
          await expectNoViolations(page);
        });
      }
    });
  }
}
