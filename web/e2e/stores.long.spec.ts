import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, testWithOwnAccount } from "./links.ts";
import { setFontSize } from "./text-fits.ts";

const test = testWithOwnAccount();

// The fixture `links` opens the dashboard.
test.beforeEach(async ({ links: { page } }) => {
  await page.goto("/account");
  await page.getByRole("main").getByRole("link", { name: "Manage stores" }).click();
  await expect(page).toHaveURL("/account/stores");
});

const german = "amazon.de (Germany)";

test("what a save says is in the window, on a phone with large text", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await setFontSize(page, "200%");
  const field = page.getByRole("textbox", { name: german });
  for (const [text, note] of [
    ["not a tag", /^A tag has only/],
    ["me-21", "Saved."],
    ["me-20", /^Saved\. /],
    ["", "Removed."],
  ] as const) {
    await field.fill(text);
    // The field is at the lower edge of the window.
    await field.evaluate((input) => input.scrollIntoView({ block: "end" }));
    await field.press("Enter");
    await expect(page.getByText(note)).toBeInViewport({ ratio: 1 });
    await expect(field).toBeInViewport({ ratio: 1 });
  }
});

test("the stores, with a warning, an error and a failure: accessible at each size, in each theme and by keyboard", async ({
  page,
}) => {
  test.slow();
  const field = (name: string) => page.getByRole("textbox", { name });
  await field(german).fill("me-22");
  await field("amazon.fr (France)").fill("not a tag");
  await field("amazon.fr (France)").press("Enter");
  await page.route("**/api/onelink-stores", (route) => route.abort());
  await page.getByRole("checkbox", { name: "amazon.es (Spain)" }).click();
  await expect(page.getByRole("button", { name: "Try again to save amazon.es" })).toBeVisible();
  await page.route("**/api/stores", (route) => route.abort());
  await field("amazon.it (Italy)").fill("me-21");
  await field("amazon.it (Italy)").press("Enter");
  await expect(page.getByText("Not saved. Please try again.", { exact: true })).toBeVisible();
  await expectAccessiblePage(page);
});
