import { expect, test } from "@playwright/test";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

for (const width of [360, 768, 1280]) {
  const title = `the API reference works at ${width} px, with files of this site only`;
  test(title, { tag: "@screenshots" }, async ({ page }) => {
    // The page renders every call of the document.
    test.slow();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    const origins = new Set<string>();
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "data:") origins.add(origin);
    });
    await page.setViewportSize({ width, height: 800 });

    await page.goto("/api/docs");
    await page.getByText("Create a link of the user", { exact: true }).click();
    await expect(page.getByText("not-an-amazon-link").first()).toBeVisible();

    const types = page.locator(".headers .header-col:last-child").filter({ hasText: "string" });
    const brokenTypes = await types.evaluateAll((cells) => {
      const range = document.createRange();
      return cells.filter((cell) => {
        range.selectNodeContents(cell);
        return range.getClientRects().length > 1;
      }).length;
    });
    expect(brokenTypes).toBe(0);
    if (isTakingScreenshots) await takeScreenshots(page, { widths: [width] });
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([new URL(page.url()).origin]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
}
