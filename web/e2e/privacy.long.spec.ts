import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./home.ts";

test("the policies open at their top, the site's from the footer, and are accessible", async ({ home, page }) => {
  test.slow();
  await expect(home.field).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  await expect(page.getByRole("heading", { name: "Privacy policy" })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectAccessiblePage(page);
  const adsPolicy = "Privacy policy for the Amazon Ads API integration";
  await page.getByRole("link", { name: adsPolicy }).click();
  await expect(page.getByRole("heading", { name: adsPolicy })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectAccessiblePage(page);
});

// Specification 2.68
test("both policies name the configured contact", async ({ page, request }) => {
  const { contactEmail } = await (await request.get("/config.json")).json();
  for (const path of ["/privacy", "/privacy/amazon-ads-api"]) {
    await page.goto(path);
    const contact = page.getByRole("link", { name: contactEmail });
    await expect(contact).toHaveAttribute("href", `mailto:${contactEmail}`);
  }
});
