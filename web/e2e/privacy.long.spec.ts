import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./home.ts";

test("the footer opens the policy at its top, and both policies are accessible", async ({
  home,
  page,
}) => {
  test.slow();
  await expect(home.field).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy policy" }).click();
  for (const title of ["Privacy policy", "Privacy policy for the Amazon Ads API integration"]) {
    await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectAccessiblePage(page);
    await page.getByRole("link", { name: /Amazon Ads API/ }).click();
  }
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
