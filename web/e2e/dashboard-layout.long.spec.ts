import { expect, testWithOwnAccount } from "./links.ts";

const test = testWithOwnAccount();

test("a name from right to left is cut at its end", async ({ links, page }) => {
  const shortCode = await links.create();
  const nickname = "\u0633\u0645\u0627\u0639\u0627\u062a ".repeat(25).trim();
  await page.request.patch(`/api/links/${shortCode}`, {
    data: { nickname },
    headers: { Origin: new URL(page.url()).origin },
  });
  await page.reload();
  const name = page.getByRole("link", { name: nickname });
  await expect(name).toHaveCSS("direction", "rtl");
  await expect(name).toHaveCSS("text-align", "left");
});

test("find in page finds the last of 200 links without scrolling", async ({ links, page }) => {
  test.slow();
  const shortCode = await links.create();
  const link = await (await page.request.get(`/api/links/${shortCode}`)).json();
  await page.route(/\/api\/links\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    const first = Number(searchParams.get("cursor") ?? 201) - 1;
    const length = Math.min(Number(searchParams.get("limit")), first);
    const json = Array.from({ length }, (_, index) => {
      const id = first - index;
      return {
        ...link,
        id,
        shortCode: `find${id}`,
        nickname: id === 1 ? "The last lamp" : "A lamp",
      };
    });
    const next = `</api/links?cursor=${first - length + 1}>; rel="next"`;
    return route.fulfill({ json, ...(first > length && { headers: { Link: next } }) });
  });
  await page.reload();
  await expect(links.cards).toHaveCount(200, { timeout: 30_000 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const isFound = await page.evaluate(() =>
    (window as unknown as { find(text: string): boolean }).find("The last lamp"),
  );
  expect(isFound).toBe(true);
  await expect(links.cards.last()).toBeInViewport();
});

for (const size of ["130%", "200%"]) {
  test(`the placeholder of the search fits in its field with text of ${size} at 360 px`, async ({ links, page }) => {
    await links.create();
    await page.setViewportSize({ width: 360, height: 800 });
    await page.reload();
    await expect(links.search).toBeVisible();
    await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
    await links.search.fill((await links.search.getAttribute("placeholder")) ?? "");
    const { scrollWidth, clientWidth } = await links.search.evaluate(({ scrollWidth, clientWidth }) => ({
      scrollWidth,
      clientWidth,
    }));
    expect(scrollWidth).toBe(clientWidth);
  });
}

test("the controls fill one row at 1280 px; at 360 px a button opens the filters, and the list begins within 380 px", async ({
  links,
  page,
}) => {
  await links.createAndList();
  const sort = page.getByRole("combobox", { name: "Sort" });
  const controls = [links.search, sort, links.button("Filters"), links.button("Select")];
  await expect(sort).toBeVisible();
  const tops = await Promise.all(controls.map((control) => control.boundingBox()));
  expect(new Set(tops.map((box) => box?.y)).size).toBe(1);

  await page.setViewportSize({ width: 360, height: 800 });
  await expect(sort).toBeHidden();
  expect((await links.cards.first().boundingBox())?.y).toBeLessThanOrEqual(380);
  await links.button("Filters").click();
  await expect(sort).toBeVisible();
});

test("each control of a card and of the toolbar is at least 44 px high and wide", async ({ links, page }) => {
  await links.create();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.reload();
  await links.button("Filters").click();
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("main :is(a, button, select, label:has(input), input[type=search])")]
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

test("a card and its gap have the height that the virtual list expects", async ({ links, page }) => {
  await links.create();
  await links.create();
  await page.reload();
  await expect(links.cards.nth(1)).toBeVisible();
  const tops = await links.cards.evaluateAll((cards) =>
    cards.slice(0, 2).map((card) => card.getBoundingClientRect().top),
  );
  expect((tops[1] ?? 0) - (tops[0] ?? 0)).toBe(6.75 * 16);
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 800, height: 1_000 } });

  test("the page does not say that a link can be pasted", async ({ links, page }) => {
    await links.createAndList();
    await expect(page.getByText("Paste an Amazon link anywhere on this page")).toBeHidden();
  });
});
