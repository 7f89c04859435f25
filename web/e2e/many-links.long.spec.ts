import type { Page } from "@playwright/test";
import type { Link } from "@tapthru/proto/links";
import { eachOwnerField } from "@tapthru/proto/owner-fields";
import { expect, test } from "./links.ts";

const COUNT = 10_000;

function link(id: number): Link {
  const shortCode = `many${id}`;
  return {
    ...eachOwnerField(() => null),
    id,
    shortCode,
    domain: null,
    untaggedUrl: null,
    shortUrl: `http://localhost/l/${shortCode}`,
    originalUrl: "https://www.amazon.com/dp/B0CX23V2ZK",
    deepLink: "http://localhost/redirect?product_id=B0CX23V2ZK",
    webUrl: "https://www.amazon.com/dp/B0CX23V2ZK",
    title: `Lamp ${id}`,
    description: null,
    imageUrl: null,
    siteName: null,
    userId: 1,
    createdAt: "2026-11-20T08:00:00.000Z",
    labels: [],
    labelsRevision: "",
    channelId: null,
    tagSource: "own",
    takenDown: false,
    invalid: false,
    health: {
      state: "ok",
      since: null,
      checkedAt: null,
      source: null,
      attemptedAt: null,
      fallbackUrl: null,
    },
  };
}

async function serveMany(page: Page): Promise<void> {
  await page.route(/\/api\/links\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    const first = Number(searchParams.get("cursor") ?? COUNT + 1) - 1;
    const length = Math.min(Number(searchParams.get("limit")), first);
    const last = first - length + 1;
    const next = `</api/links?cursor=${last}>; rel="next"`;
    return route.fulfill({
      json: Array.from({ length }, (_, index) => link(first - index)),
      ...(last > 1 && { headers: { Link: next } }),
    });
  });
}

async function loadMore(page: Page, count: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    scrollTo(0, document.documentElement.scrollHeight);
    const positions = [...document.querySelectorAll("main li")].map((item) =>
      Number(item.getAttribute("aria-posinset")),
    );
    return Math.max(...positions) > wanted;
  }, count);
}

test("cards fill the window after something above a long list disappears", async ({ links, page }) => {
  test.slow();
  await serveMany(page);
  await page.reload();
  await expect(links.cards.first()).toHaveText(/^Lamp 10000/);
  await page.getByRole("main").evaluate((main) => {
    const above = document.createElement("div");
    above.id = "above";
    above.style.setProperty("height", "1600px");
    main.prepend(above);
  });
  await loadMore(page, 300);
  await page.evaluate(() => document.getElementById("above")?.remove());
  await page.evaluate(() => scrollTo(0, 8_000));
  const isCovered = () =>
    page.evaluate(() =>
      [100, innerHeight / 2, innerHeight - 100].every((y) =>
        [0, 14].some((gap) => document.elementFromPoint(innerWidth / 2, y + gap)?.closest("li")),
      ),
    );
  await expect.poll(isCovered).toBe(true);
});

test("a long list is printed whole, with one line for each link", async ({ links, page }) => {
  test.slow();
  await serveMany(page);
  await page.reload();
  await expect(links.cards.first()).toHaveText(/^Lamp 10000/);
  await loadMore(page, 300);
  const [count, height] = await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    const items = [...document.querySelectorAll("main li")];
    const result = [items.length, items[0]?.getBoundingClientRect().height];
    dispatchEvent(new Event("afterprint"));
    return result;
  });
  expect(count).toBeGreaterThan(300);
  expect(height).toBe(44);
});

test("a list of ten thousand links scrolls to its end, renders fewer than 50 cards and keeps its position when going back", async ({
  links,
  page,
}) => {
  test.slow();
  await serveMany(page);
  await page.route(/\/api\/links\/many\d+$/, (route) =>
    route.fulfill({ json: link(Number(route.request().url().split("many")[1])) }),
  );
  await page.reload();
  await expect(links.cards.first()).toHaveText(/^Lamp 10000/);

  await page.evaluate(async () => {
    const isComplete = () => document.querySelector("main li[aria-setsize='10000']") !== null;
    while (!isComplete()) {
      scrollTo(0, document.documentElement.scrollHeight);
      await new Promise(requestAnimationFrame);
    }
    scrollTo(0, document.documentElement.scrollHeight);
  });
  await expect(links.cards.last()).toHaveText(/^Lamp 1localhost/);
  expect(await links.cards.count()).toBeLessThan(50);

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  const middle = links.cards.getByRole("link", { name: "Lamp 5000", exact: true });
  await middle.click();
  await expect(links.name).toHaveText("Lamp 5000");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(middle).toBeInViewport();
});
