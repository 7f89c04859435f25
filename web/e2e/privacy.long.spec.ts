import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, test } from "./home.ts";

for (const name of ["Privacy policy", "Amazon Ads privacy"]) {
  test(`the footer opens "${name}" at its top, and the page is accessible`, async ({
    home,
    page,
  }) => {
    test.slow();
    await expect(home.field).toBeVisible();
    await page.getByRole("contentinfo").getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("rivacy policy");
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectAccessiblePage(page);
  });
}

// Specification 2.68
test("both policies name the configured contact", async ({ page, request }) => {
  const { contactEmail } = await (await request.get("/config.json")).json();
  for (const path of ["/privacy", "/privacy/amazon-ads-api"]) {
    await page.goto(path);
    const contact = page.getByRole("link", { name: contactEmail });
    await expect(contact).toHaveAttribute("href", `mailto:${contactEmail}`);
  }
});
