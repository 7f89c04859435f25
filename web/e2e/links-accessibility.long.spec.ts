import { DELETE_UNDO_MS } from "@tapthru/proto/rules/limits";
import { expectAccessiblePage } from "./accessible-page.ts";
import { serveTaps } from "./clicks-data.ts";
import { expect, type Links, newProduct, test } from "./links.ts";

const LIST = /\/api\/links\?/;
const LONG = "Wireless-Noise-Cancelling-Headphones".repeat(5);

/** The states of the pages of a user's links, each with the steps to it from the list. */
const STATES: Record<string, (links: Links) => Promise<void>> = {
  "the list": async (links) => {
    await links.create();
    await links.create(newProduct().url);
    await links.page.reload();
    await expect(links.cards.nth(1)).toBeVisible();
  },
  "a list that is loading": async ({ page }) => {
    await page.route(LIST, () => {});
    await page.reload();
    await expect(page.getByRole("heading", { name: "Your Links", exact: true })).toBeVisible();
    await expect(page.getByText("Loading your links...")).toBeVisible();
  },
  "a list that failed to load": async ({ page }) => {
    await page.route(LIST, (route) => route.fulfill({ status: 403, body: "Not allowed." }));
    await page.reload();
    await expect(page.getByRole("alert")).toHaveText("Oops! Please try to refresh this page");
  },
  "an empty list": async ({ page }) => {
    await page.route(LIST, (route) => route.fulfill({ json: [] }));
    await page.reload();
    await expect(page.getByText("You haven't created any links yet.")).toBeVisible();
  },
  "a search without a match": async ({ page }) => {
    await page.goto(`/dashboard?q=${LONG}`);
    await expect(page.getByText(/^No links match/)).toBeVisible();
  },
  "filters without a match": async ({ page }) => {
    await page.goto("/dashboard?store=cn&show=no-tag");
    await expect(page.getByText("No links match these filters.")).toBeVisible();
  },
  "a list with every kind of card and open filters": async (links) => {
    await showEveryKindOfCard(links);
    await links.page.setViewportSize({ width: 360, height: 800 });
    await links.button("Filters").click();
  },
  "the open menu of a card": async (links) => {
    await links.createAndList();
    await links.page
      .getByRole("button", { name: /^More actions for/ })
      .first()
      .press("Enter");
    await expect(links.page.getByRole("menuitem", { name: "Copy link" })).toBeFocused();
  },
  "a list whose links are being selected": async (links) => {
    await showEveryKindOfCard(links);
    await links.button("Select").click();
    await links.page.getByRole("checkbox").first().press("Space");
    await expect(links.page.getByText("1 selected")).toBeVisible();
  },
  "a deletion that can be undone": async (links) => {
    await links.page.addInitScript((undoMs) => {
      const original = setTimeout;
      // The time for undoing never ends.
      Object.assign(window, {
        setTimeout: (callback: () => void, ms: number) => (ms === undoMs ? 0 : original(callback, ms)),
      });
    }, DELETE_UNDO_MS);
    await showEveryKindOfCard(links);
    await links.button("Select").click();
    await links.page.getByRole("checkbox").first().click();
    await links.button("Delete").click();
    await expect(links.button("Undo")).toBeFocused();
  },
  "labels that some links could not get": async (links) => {
    await showEveryKindOfCard(links);
    await links.button("Select").click();
    await links.button("Select all").click();
    await links.button("Label").click();
    const dialog = links.page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "New label" }).fill("Gifts");
    await dialog.getByRole("button", { name: "Add" }).click();
    await links.page.route("/api/links/bulk", (route) =>
      route.fulfill({ json: { results: [{ id: 0, error: "too-many-labels-on-link" }] } }),
    );
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(/^1 link was not changed/);
  },
  "the form of a new link": async (links) => {
    await links.button("Create link").click();
    await expect(links.field).toBeVisible();
  },
  "a link that is being created": async (links) => {
    await links.page.route("/api/generate", () => {});
    await links.button("Create link").click();
    await links.field.fill(newProduct().url);
    await links.field.press("Enter");
    await expect(links.field).toBeDisabled();
  },
  "the details of a link that are loading": async ({ page }) => {
    const isRequested = Promise.withResolvers<void>();
    await page.route(/\/api\/links\/zzzzzzz$/, () => isRequested.resolve());
    await page.goto("/link/zzzzzzz");
    await isRequested.promise;
  },
  "a link's details": async (links) => {
    await links.openNew();
  },
  "a link's settings": async (links) => {
    await links.openNew("/settings");
    await expect(links.button("Edit short link name")).toBeVisible();
  },
  "a link without title and image": async (links) => {
    await openChangedLink(links, { title: null, imageUrl: null });
  },
  "a link with a long name": async (links) => {
    await openChangedLink(links, { nickname: LONG, title: LONG });
  },
  "a link after a takedown": async (links) => {
    await openChangedLink(links, { takenDown: true });
    await expect(links.page.getByText(/^This link was taken down\./)).toBeVisible();
  },
  "a link whose product is gone": async (links) => {
    const checkedAt = "2026-11-20T08:00:00.000Z";
    const health = { state: "product-gone", since: checkedAt, checkedAt, source: "page" };
    await openChangedLink(links, {
      health: { ...health, attemptedAt: checkedAt, fallbackUrl: null },
    });
    await expect(links.page.getByText(/^Amazon no longer has this product\./)).toBeVisible();
  },
  "an expired link": async (links) => {
    await openChangedLink(links, { expiresAt: "2026-01-01T00:00:00.000Z" });
    await expect(links.page.getByText(/^This link has expired\./)).toBeVisible();
  },
  "an invalid link": async (links) => {
    await openChangedLink(links, { invalid: true, webUrl: "", deepLink: "", imageUrl: null });
    await expect(links.page.getByText("Invalid link", { exact: true })).toBeVisible();
  },
  "a form with a validation message": async (links) => {
    await links.openNew();
    await links.edit("title", " ");
    await expect(links.page.getByText("Title is required")).toBeVisible();
  },
  "the confirmation of a deletion": async (links) => {
    await links.openNew();
    await links.button("Delete").click();
    await expect(links.dialog).toBeVisible();
  },
  "an unknown link": async ({ page }) => {
    await page.goto("/link/zzzzzzz");
    await expect(page.getByRole("alert")).toBeVisible();
  },
};

/** Changes the api's response so that the list has a card of each kind. */
async function showEveryKindOfCard(links: Links) {
  const changes = [
    { nickname: LONG, takenDown: true },
    { nickname: "مصباح مكتبي للقراءة (Lamp 2)", expiresAt: "2999-11-28T08:00:00.000Z" },
    { webUrl: `https://www.amazon.com.mx/dp/B0CX23V2ZK?tag=${"long-tag".repeat(8)}` },
    { webUrl: "https://www.amazon.sa/dp/B0CX23V2ZK", expiresAt: "2020-11-28T08:00:00.000Z" },
    { invalid: true, webUrl: "", deepLink: "", imageUrl: null },
    { shortUrl: `https://${"links-of-a-company.".repeat(3)}example/l/abcdefg` },
  ];
  await links.create();
  await serveTaps(links.page);
  await links.page.route(LIST, async (route) => {
    const [link] = await (await route.fetch()).json();
    await route.fulfill({ json: changes.map((change, id) => ({ ...link, id, ...change })) });
  });
  await links.page.reload();
  await expect(links.cards).toHaveCount(changes.length);
  await expect(links.cards.getByText("taps in 30 days")).toHaveCount(changes.length);
}

/** Opens a new link and changes the api's response for it. */
async function openChangedLink(links: Links, changes: object) {
  const shortCode = await links.create();
  await links.page.route(`/api/links/${shortCode}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), ...changes } });
  });
  await links.page.goto(`/link/${shortCode}`);
  // The heading is also displayed while the page loads, so wait for the button.
  await expect(links.button("Delete")).toBeVisible();
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state}: accessible at each size, in each theme and by keyboard`, async ({ links, page }) => {
    test.slow();
    await reach(links);
    await expectAccessiblePage(page);
  });
}

test("a card on a phone shows its badge and its whole short URL", async ({ links, page }) => {
  const shortCode = await links.create();
  await page.route(LIST, async (route) => {
    const found = await (await route.fetch()).json();
    await route.fulfill({
      json: found.map((link: object) => ({ ...link, nickname: LONG, takenDown: true })),
    });
  });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.reload();
  const card = links.cards.filter({ has: page.locator(`a[href="/link/${shortCode}"]`) });
  const shown = `${new URL(page.url()).host}/l/${shortCode}`;
  const ends = await Promise.all([
    card.boundingBox(),
    card.getByText(shown).boundingBox(),
    card.getByText("Taken down").boundingBox(),
  ]);
  const [cardEnd, ...textEnds] = ends.map((box) => (box ? box.y + box.height : Number.NaN));
  expect(textEnds).toEqual([expect.any(Number), expect.any(Number)]);
  for (const end of textEnds) expect(end).toBeLessThanOrEqual(cardEnd as number);
  const { clientWidth, scrollWidth } = await card
    .getByText(shown)
    .evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
  expect(scrollWidth).toBe(clientWidth);
});
