import { expect, type Links, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();
const LAST = "The last lamp";

/** The list has this many links, of which the api returns pages. */
async function serveMany(links: Links, count: number): Promise<void> {
  const { page } = links;
  const template = await links.fetch(await links.create());
  const linkOf = (id: number) => ({
    ...template,
    id,
    shortCode: `many${id}`,
    title: `Lamp ${id}`,
    nickname: id === 1 ? LAST : null,
  });
  await page.route(/\/api\/links\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    const first = Number(searchParams.get("cursor") ?? count + 1) - 1;
    const length = Math.min(Number(searchParams.get("limit")), first);
    const next = `</api/links?cursor=${first - length + 1}>; rel="next"`;
    return route.fulfill({
      json: Array.from({ length }, (_, index) => linkOf(first - index)),
      ...(first > length && { headers: { Link: next } }),
    });
  });
  await page.route(/\/api\/links\/many\d+$/, (route) =>
    route.fulfill({ json: linkOf(Number(route.request().url().split("many")[1])) }),
  );
  await page.reload();
}

/** Scrolls to the end until more than this many links are loaded. */
async function loadMore({ page }: Links, count: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    scrollTo(0, document.documentElement.scrollHeight);
    const positions = [...document.querySelectorAll("main li")].map((item) =>
      Number(item.getAttribute("aria-posinset")),
    );
    return Math.max(...positions) > wanted;
  }, count);
}

test("find in page finds the last of 200 links without scrolling", async ({ links, page }) => {
  await serveMany(links, 200);
  await expect(links.cards).toHaveCount(200);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const isFound = await page.evaluate(
    (text) => (window as unknown as { find(text: string): boolean }).find(text),
    LAST,
  );
  expect(isFound).toBe(true);
  await expect(links.cards.last()).toBeInViewport();
});

test("cards fill the window after something above a long list disappears", async ({ links, page }) => {
  await serveMany(links, 10_000);
  await expect(links.cards.first()).toHaveText(/^Lamp 10000/);
  await page.getByRole("main").evaluate((main) => {
    const above = document.createElement("div");
    above.id = "above";
    above.style.setProperty("height", "1600px");
    main.prepend(above);
  });
  await loadMore(links, 300);
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

test("a list of ten thousand links scrolls to its end, renders fewer than 50 cards and keeps its position when going back", async ({
  links,
  page,
}) => {
  await serveMany(links, 10_000);
  await expect(links.cards.first()).toHaveText(/^Lamp 10000/);
  await loadMore(links, 9_999);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(links.cards.last()).toContainText(LAST);
  await expect(links.cards.last()).toHaveAttribute("aria-setsize", "10000");
  expect(await links.cards.count()).toBeLessThan(50);

  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  const middle = links.cards.getByRole("link", { name: "Lamp 5000", exact: true });
  await middle.click();
  await expect(links.name).toHaveText("Lamp 5000");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(middle).toBeInViewport();
});

test("each control of a card and of the toolbar is at least 44 px high and wide", async ({ links, page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await links.createAndList();
  await links.button("More").click();
  const small = () =>
    page.evaluate(() =>
      [
        ...document.querySelectorAll(
          "main :is(a:not([href^='#']), button, select, label:has(input), input[type=search])",
        ),
      ]
        // Those within a sentence are as high as its line.
        .filter((control) => control.checkVisibility() && control.closest("p") === null)
        .filter((control) => {
          // A card's link and checkbox have the size of the card.
          const shown = control.matches("li a") ? control.closest("li") : control;
          const { width, height } = shown?.getBoundingClientRect() ?? new DOMRect();
          return width < 44 || height < 44;
        })
        .map((control) => control.outerHTML),
    );
  expect(await small()).toEqual([]);
  await links.button("Select").click();
  expect(await small()).toEqual([]);
});
