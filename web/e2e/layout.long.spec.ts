import { expect, test } from "./home.ts";

for (const width of [360, 768, 1280]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("the result moves nothing, and nothing is wider than the screen", async ({ home, page }) => {
      const positions = () =>
        page.evaluate(() => ({
          field: document.querySelector("input")?.getBoundingClientRect().top,
          footer: document.querySelector("footer")?.getBoundingClientRect().top,
          overflow: document.documentElement.scrollWidth - window.innerWidth,
        }));
      const before = await positions();
      expect(before.overflow).toBeLessThanOrEqual(0);
      await home.createLink();
      expect(await positions()).toEqual(before);
    });

    // Specification 2.6
    test("the theme switch does not cover the top bar, and is in the menu of a small screen", async ({
      home,
      page,
    }) => {
      await expect(home.field).toBeVisible();
      if (width < 768) {
        await expect(page.getByRole("combobox", { name: "Theme" })).toBeHidden();
        await page.getByRole("button", { name: "Open menu" }).click();
        await page.getByRole("dialog").getByLabel("Theme").selectOption("Dark");
        await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
        return;
      }
      const floating = await page.getByRole("combobox", { name: "Theme" }).boundingBox();
      const actions = page.locator("header").locator("a:visible, button:visible");
      for (const action of await actions.all()) {
        const box = await action.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(floating?.x ?? 0);
      }
    });
  });
}

test.describe("320 px", () => {
  test.use({ viewport: { width: 320, height: 900 } });

  test("a short link that needs two lines wraps before its path", async ({ home }) => {
    await home.createLink();
    const lines = await home.shortLink.evaluate((link) => {
      const path = document.createRange();
      path.selectNodeContents(link.lastChild ?? link);
      return path.getClientRects().length;
    });
    expect(lines).toBe(1);
  });
});

// Specification 2.71
test("toasts are peach, at most 420 px wide, and close on a swipe of 50 px", async ({ home, page }) => {
  await home.createLink();
  await expect(home.toast).toHaveCSS("background-color", "rgb(255, 205, 178)");
  expect((await home.toast.boundingBox())?.width).toBe(420);

  const swipe = async (distance: number) => {
    const box = await home.toast.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance / 2, y);
    await page.mouse.move(x + distance, y);
    await page.mouse.up();
  };
  await swipe(40);
  await expect(home.toast).toHaveAttribute("data-swipe", "cancel");
  await expect(home.toast).toBeVisible();
  await swipe(60);
  await expect(home.toast).toHaveCount(0);
});

// Specification 2.21
test("the version label shows the content of /version.txt", async ({ home, page, request }) => {
  await expect(home.field).toBeVisible();
  const response = await request.get("/version.txt");
  expect(response.headers()["content-type"]).toMatch(/^text\/plain/);
  await expect(page.getByText(`Version ${(await response.text()).trim()}`)).toBeVisible();
});

// Specification 2.12, 2.13
test("Home has its title, its tagline and a placeholder that names the accepted links", async ({ home, page }) => {
  await expect(page).toHaveTitle("Tapthru");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText(/^Paste a link, share the short one\./)).toBeVisible();
  await expect(home.field).toHaveAttribute("placeholder", /\bdp\b.*\bgp\b.*storefront/);
});

// Specification 2.7
test("the top bar is fixed and translucent", async ({ page }) => {
  await page.goto("/privacy");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const bar = page.getByRole("banner");
  const before = await bar.boundingBox();
  await page.mouse.wheel(0, 600);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  expect(await bar.boundingBox()).toEqual(before);
  const { backgroundColor, backdropFilter } = await bar.evaluate((element) => {
    const { backgroundColor, backdropFilter } = getComputedStyle(element);
    return { backgroundColor, backdropFilter };
  });
  expect(backgroundColor).toMatch(/\/ 0?\.75\)$/);
  expect(backdropFilter).toContain("blur");
});
