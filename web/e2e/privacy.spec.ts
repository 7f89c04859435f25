import { expectNoViolations } from "./axe.ts";
import { expect, test } from "./home.ts";

for (const width of [360, 768, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 800 }, colorScheme });

      for (const name of ["Privacy policy", "Amazon Ads privacy"]) {
        test(`axe finds nothing in "${name}", reached by the footer`, async ({ home, page }) => {
          await expect(home.field).toBeVisible();
          await page.getByRole("contentinfo").getByRole("link", { name }).click();
          await expect(page.getByRole("heading", { level: 1 })).toContainText("rivacy policy");
          expect(await page.evaluate(() => scrollY)).toBe(0);
          await expectNoViolations(page);
          const overflow = await page.evaluate(
            () => document.documentElement.scrollWidth - window.innerWidth,
          );
          expect(overflow).toBeLessThanOrEqual(0);
        });
      }
    });
  }
}

test("both name the configured contact", async ({ page, request }) => {
  const { contactEmail } = await (await request.get("/config.json")).json();
  for (const path of ["/privacy", "/privacy/amazon-ads-api"]) {
    await page.goto(path);
    const contact = page.getByRole("link", { name: contactEmail });
    await expect(contact).toHaveAttribute("href", `mailto:${contactEmail}`);
  }
});
