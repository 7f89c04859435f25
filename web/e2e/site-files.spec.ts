import { expect, test } from "./home.ts";
import { isTakingScreenshots, takeScreenshots } from "./screenshots.ts";

test("each page of the sitemap exists", async ({ page, request }) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const addresses = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? "");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).not.toContainText("404");
  }
});

test("the browser accepts the manifest, and images of the site have their sizes", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const session = await page.context().newCDPSession(page);
  const { data = "", errors } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const sizes = await page.evaluate((icons: { src: string }[]) => {
    const found = document.querySelectorAll("link[rel$=icon], meta[property='og:image']");
    const addresses = [...found].map((each) => each.getAttribute("href") ?? each.getAttribute("content") ?? "");
    return Promise.all(
      [...icons.map(({ src }) => src), ...addresses].map(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }),
    );
  }, JSON.parse(data).icons);
  expect(sizes.slice(0, 3)).toEqual(["192x192", "512x512", "512x512"]);
  expect(sizes).toContain("1200x630");
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // Playwright's windows are private. The headless shell, which installs nothing, reports no obstacle at all.
  const obstacles = installabilityErrors.map(({ errorId }) => errorId);
  expect(obstacles.filter((id) => id !== "in-incognito")).toEqual([]);
});

// Specification 2.5
test("an unknown path has the status 404 and shows the not-found page", async ({ page }) => {
  expect((await page.goto("/nowhere"))?.status()).toBe(404);
  await expect(page.getByRole("heading")).toHaveText("404 Page Not Found");
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
});

test("the API reference fits at each width, with files of this site only", { tag: "@screenshots" }, async ({
  page,
}) => {
  const origins = new Set<string>();
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:") origins.add(origin);
  });
  await page.goto("/api/docs");
  await page.getByRole("heading", { name: /^Links/ }).click();
  await page.getByText("Create a link of the user", { exact: true }).click();
  await expect(page.getByText("not-an-amazon-link").first()).toBeVisible();
  if (isTakingScreenshots) await takeScreenshots(page);
  for (const width of [1280, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
      .toBeLessThanOrEqual(0);
  }
  expect([...origins]).toEqual([new URL(page.url()).origin]);
});
