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

test("going back to a list of 500 links keeps its position", async ({ links, page }) => {
  await serveMany(links, 500);
  for (const count of [350, 500]) {
    await links.button("Show more").click();
    await expect(links.cards).toHaveCount(count);
  }
  const middle = links.cards.getByRole("link", { name: "Lamp 100", exact: true });
  await middle.click();
  await expect(links.name).toHaveText("Lamp 100");
  await page.goBack();
  await expect(middle).toBeInViewport();
});

test("the focus is on 'Select' after a dialog asked about many links and they were deleted", async ({
  links,
  page,
}) => {
  await serveMany(links, 30);
  await page.route("/api/links/bulk", (route) => route.fulfill({ json: [] }));
  await links.button("Select").press("Enter");
  await links.button("Select all").press("Enter");
  await links.cards.last().click();
  await links.button("Delete").press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
  await expect(links.toast).toContainText("29 links deleted");
  await expect(links.button("Select")).toBeFocused();
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
