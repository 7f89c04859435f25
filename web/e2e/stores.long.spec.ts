import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, testWithOwnAccount } from "./links.ts";
import { setFontSize } from "./text-fits.ts";

const test = testWithOwnAccount();

// The fixture `links` opens the dashboard.
test.beforeEach(async ({ links }) => {
  await links.page.goto("/account/stores");
  await links.button("More stores").click();
});

test("what a save says is in the window, on a phone with large text", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await setFontSize(page, "200%");
  const field = page.getByRole("textbox", { name: "amazon.de (Germany)" });
  for (const [text, note] of [
    ["not a tag", /^A tag has only/],
    ["me-21", "Saved."],
    ["", "Saved."],
  ] as const) {
    await field.fill(text);
    await field.press("Enter");
    await expect(page.getByText(note)).toBeInViewport({ ratio: 1 });
    await expect(field).toBeInViewport({ ratio: 1 });
  }
});

test("the stores, with a warning, an error and failures: accessible at each size, in each theme and by keyboard", async ({
  links,
  page,
}) => {
  test.slow();
  const field = (name: string) => page.getByRole("textbox", { name });
  await field("amazon.de (Germany)").fill("me-22");
  await field("amazon.fr (France)").fill("not a tag");
  await page.route("**/api/onelink-stores", (route) => route.abort());
  await page.getByText("Show the stores of OneLink").click();
  await page.getByRole("checkbox", { name: "amazon.es (Spain)" }).click();
  await page.route("**/api/channels/*/tags", (route) => route.abort());
  await field("amazon.it (Italy)").fill("me-21");
  await links.button("Save").click();
  await expect(page.getByRole("alert")).toHaveText("Not saved. Please try again.");
  await expectAccessiblePage(page);
});

test("the account has no violations in its other sections", async ({ page }) => {
  test.slow();
  for (const [section, title] of [
    ["Profile", "Profile"],
    ["Data", "Your data"],
    ["Developers", "Developers"],
  ] as const) {
    await page.getByRole("main").getByRole("link", { name: section, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expectAccessiblePage(page);
  }
});
