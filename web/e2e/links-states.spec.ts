import { expectAccessiblePage } from "./accessible-page.ts";
import { expect, type Links, newProduct, test } from "./links.ts";

const LIST = /\/api\/links\?/;
const LONG = "Wireless-Noise-Cancelling-Headphones".repeat(5);

/** Each state of the pages of a user's links, and how it is reached from the list. */
const STATES: Record<string, (links: Links) => Promise<void>> = {
  "the list": async (links) => {
    await links.make();
    await links.make(newProduct().url);
    await links.page.reload();
    await expect(links.cards.nth(1)).toBeVisible();
  },
  "a list that loads": async ({ page }) => {
    await page.route(LIST, () => {});
    await page.reload();
    await expect(page.getByRole("heading", { name: "Your Links", exact: true })).toBeVisible();
    await expect(page.getByText("Loading your links...")).toBeVisible();
  },
  "a list that failed": async ({ page }) => {
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
  "the form of a new link": async (links) => {
    await links.button("Create link").click();
    await expect(links.field).toBeVisible();
  },
  "a link that is being made": async (links) => {
    await links.page.route("/api/generate", () => {});
    await links.button("Create link").click();
    await links.field.fill(newProduct().url);
    await links.field.press("Enter");
    await expect(links.field).toBeDisabled();
  },
  "a link's details that load": async ({ page }) => {
    const isAsked = Promise.withResolvers<void>();
    await page.route(/\/api\/links\/zzzzzzz$/, () => isAsked.resolve());
    await page.goto("/link/zzzzzzz");
    await isAsked.promise;
  },
  "a link's details": async (links) => {
    await links.openNew();
  },
  "a link without title and image": async (links) => {
    await changeLink(links, { title: null, imageUrl: null });
  },
  "a link with a long name": async (links) => {
    await changeLink(links, { nickname: LONG, title: LONG });
  },
  "a link that was taken down": async (links) => {
    await changeLink(links, { takenDown: true });
    await expect(links.page.getByText(/^This link was taken down\./)).toBeVisible();
  },
  "an invalid link": async (links) => {
    await changeLink(links, { invalid: true, webUrl: "", deepLink: "", imageUrl: null });
    await expect(links.page.getByText("Invalid link", { exact: true })).toBeVisible();
  },
  "a form with a complaint": async (links) => {
    await links.openNew();
    await links.edit("title", " ");
    await expect(links.page.getByText("Title is required")).toBeVisible();
  },
  "the confirmation of a deletion": async (links) => {
    await links.openNew();
    await links.button("Delete").click();
    await expect(links.dialog).toBeVisible();
  },
  "a link that is not there": async ({ page }) => {
    await page.goto("/link/zzzzzzz");
    await expect(page.getByRole("alert")).toBeVisible();
  },
};

/** Opens a new link that the server tells of otherwise than it is. */
async function changeLink(links: Links, changes: object) {
  const shortCode = await links.make();
  await links.page.route(`/api/links/${shortCode}`, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ json: { ...(await reply.json()), ...changes } });
  });
  await links.page.goto(`/link/${shortCode}`);
  // The heading of a page that still loads is one as well.
  await expect(links.button("Delete")).toBeVisible();
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state}: sound at each size, in each theme and by keyboard`, async ({ links, page }) => {
    test.slow();
    await reach(links);
    await expectAccessiblePage(page);
  });
}

test("a card on a phone shows 30 characters of its short URL and whatever else it tells", async ({
  links,
  page,
}) => {
  const shortCode = await links.make();
  await page.route(LIST, async (route) => {
    const found = await (await route.fetch()).json();
    await route.fulfill({
      json: found.map((link: object) => ({ ...link, nickname: LONG, takenDown: true })),
    });
  });
  await page.setViewportSize({ width: 360, height: 800 });
  await page.reload();
  const card = links.cards.filter({ has: page.locator(`a[href="/link/${shortCode}"]`) });
  const shown = `${new URL(`/l/${shortCode}`, page.url())}`.slice(0, 30);
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
