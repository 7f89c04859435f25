import { expect, test } from "@playwright/test";

for (const width of [360, 768, 1280]) {
  test(`the API reference works at ${width} px, with files of this site only`, async ({ page }) => {
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

    expect(problems).toEqual([]);
    expect([...origins]).toEqual([new URL(page.url()).origin]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
}
