import { expect, test } from "./home.ts";

test("each page of the sitemap exists", async ({ page, request }) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const addresses = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? "");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).not.toContainText("404");
  }
});

test("the browser accepts the manifest, and its icons load", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const session = await page.context().newCDPSession(page);
  const { data = "", errors } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const sizes = await page.evaluate(
    async (icons: { src: string }[]) =>
      Promise.all(
        icons.map(async ({ src }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    JSON.parse(data).icons,
  );
  expect(sizes).toEqual(["192x192", "512x512", "512x512"]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // Playwright's windows are private. The headless shell, which installs nothing, reports no obstacle at all.
  const obstacles = installabilityErrors.map(({ errorId }) => errorId);
  expect(obstacles.filter((id) => id !== "in-incognito")).toEqual([]);
});

for (const rel of ["icon", "apple-touch-icon"]) {
  test(`each ${rel} of the page is an image`, async ({ home, page, request }) => {
    await expect(home.field).toBeVisible();
    const links = await page.locator(`link[rel="${rel}"]`).all();
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const response = await request.get((await link.getAttribute("href")) ?? "");
      expect(response.headers()["content-type"]).toMatch(/^image\//);
    }
  });
}

test("the image of the site's preview card has 1200x630 pixels", async ({ home, page }) => {
  await expect(home.field).toBeVisible();
  const size = await page.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector('meta[property="og:image"]')?.getAttribute("content") ?? "";
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
  expect(size).toEqual([1200, 630]);
});

// Specification 2.5
test("an unknown path has the status 404 and shows the not-found page", async ({ page }) => {
  expect((await page.goto("/nowhere"))?.status()).toBe(404);
  await expect(page.getByRole("heading")).toHaveText("404 Page Not Found");
  await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
});
