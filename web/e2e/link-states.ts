import { serveTaps } from "./clicks-data.ts";
import { expect, type Links, newProduct } from "./links.ts";
import type { States } from "./states.ts";

const LIST = /\/api\/links\?/;
const LONG = "Wireless-Noise-Cancelling-Headphones".repeat(5);
/** As long as the longest titles of Amazon's pages on phones. */
const TITLE = "Over-ear wireless headphones with noise cancelling and a microphone for calls, ".repeat(3).slice(0, 183);
const RTL_TITLE = "سماعات لاسلكية ".repeat(9).trim();
const CHECKED = "2026-11-20T08:00:00.000Z";
const GONE = { state: "product-gone", since: CHECKED, checkedAt: CHECKED, source: "page", attemptedAt: CHECKED };

/** The texts of the cards of a list, all at once. */
const KINDS = [
  { nickname: LONG, takenDown: true },
  { nickname: "مصباح مكتبي للقراءة (Lamp 2)", expiresAt: "2999-11-28T08:00:00.000Z" },
  { webUrl: `https://www.amazon.com.mx/dp/B0CX23V2ZK?tag=${"long-tag".repeat(8)}` },
  { webUrl: "https://www.amazon.sa/dp/B0CX23V2ZK", expiresAt: "2020-11-28T08:00:00.000Z" },
  { invalid: true, webUrl: "", deepLink: "", imageUrl: null },
  { shortUrl: `https://${"links-of-a-company.".repeat(3)}example/l/abcdefg` },
];

async function showEveryKindOfCard(links: Links) {
  const link = await links.fetch(await links.create());
  await serveTaps(links.page);
  await links.page.route(LIST, (route) => route.fulfill({ json: KINDS.map((kind, id) => ({ ...link, id, ...kind })) }));
  await links.page.reload();
  await expect(links.cards.getByText("taps in 30 days")).toHaveCount(KINDS.length);
}

async function select(links: Links, name: string) {
  await showEveryKindOfCard(links);
  await links.button("Select").click();
  await links.button(name).click();
}

async function openWarning(links: Links, changes: object, warning: RegExp) {
  await links.openChanged(changes);
  await expect(links.page.getByText(warning).first()).toBeVisible();
}

/** From the dashboard, to states of the pages of a user's links. */
export const LINK_STATES: States<Links> = {
  "a list with every kind of card and open filters": async (links) => {
    await showEveryKindOfCard(links);
    for (const text of [
      "Expires Nov 28, 2999",
      "Expired",
      "No tag",
      "Invalid link",
      /^links-of-a.*\.\.\.\/l\/abcdefg$/,
    ]) {
      await expect(links.cards.getByText(text).first()).toBeVisible();
    }
    await links.page.setViewportSize({ width: 360, height: 800 });
    await links.button("More").click();
  },
  "labels that some of the selected links could not get": async (links) => {
    await select(links, "Select all");
    await links.button("Label").click();
    const dialog = links.page.getByRole("dialog");
    const name = `Weihnachtsgeschenkideen für Kinder ${newProduct().asin.slice(-4)}`;
    await dialog.getByRole("textbox", { name: "New label" }).fill(name);
    const results = [{ id: 0, error: "too-many-labels-on-link" }];
    await links.page.route("/api/links/bulk", (route) => route.fulfill({ json: { results } }));
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(/^1 link was not changed/);
  },
  "the options of a new link, whose name is taken": async (links) => {
    const taken = `lamp-${newProduct().asin.toLowerCase()}`;
    const headers = { Origin: new URL(links.page.url()).origin };
    await links.page.request.post("/api/links", { data: { url: newProduct().url, slug: taken }, headers });
    await links.page.goto("/link-creation");
    await links.button("Options").press("Enter");
    await links.page.getByLabel("Short link name").fill(taken);
    await links.field.fill(newProduct().url);
    await expect(links.page.getByText("This short link name is taken. Please choose another.")).toBeVisible();
  },
  "a link's settings": async (links) => {
    await links.openNew("/settings");
    await expect(links.button("Edit short link name")).toBeVisible();
  },
  "a link without title, image and tag": async (links) => {
    await links.openChanged({ title: null, imageUrl: null, nickname: null }, "https://www.amazon.com/dp/B0CX23V2ZK");
    for (const text of ["Give it a name that only you see.", /^localhost/]) {
      await expect(links.page.getByRole("main").getByText(text).first()).toBeVisible();
    }
    await expect(links.page.getByRole("main").locator("img[src^=http]")).toHaveCount(0);
  },
  "a link whose names are long words": (links) => links.openChanged({ nickname: LONG, title: LONG }),
  "a link whose long title is shown whole": async (links) => {
    await links.page.setViewportSize({ width: 360, height: 800 });
    await links.openChanged({ title: TITLE });
  },
  "a link with a title from right to left": async (links) => {
    await links.openChanged({ title: RTL_TITLE });
    await expect(links.page.getByText("Visitors see this title.")).toBeVisible();
  },
  "a link after a takedown": async (links) => {
    await openWarning(links, { takenDown: true }, /^This link was taken down\./);
    await expect(links.page.getByRole("button", { name: /^Edit|^Copy link/ })).toHaveCount(0);
  },
  "a link whose product is gone": async (links) => {
    await openWarning(links, { health: { ...GONE, fallbackUrl: null } }, /^Amazon no longer has this product\./);
    for (const text of ["Product gone", /^Change the destination to another/, /^Since Nov 20, 2026.*Nov 20, 2026/]) {
      await expect(links.page.getByText(text).first()).toBeVisible();
    }
  },
  "an expired link": (links) =>
    openWarning(links, { expiresAt: "2026-01-01T00:00:00.000Z" }, /^This link has expired\./),
  "an invalid link": async (links) => {
    await openWarning(links, { invalid: true, webUrl: "", deepLink: "", imageUrl: null }, /^Invalid link$/);
    await expect(links.page.getByRole("button", { name: /^Copy|^Edit|^Share|QR/ })).toHaveCount(0);
    await expect(links.page.getByRole("main").getByRole("link", { name: /^http/ })).toHaveCount(0);
  },
  "a destination that is not Amazon's": async (links) => {
    await links.openNew();
    await links.button("Change destination").press("Enter");
    const input = links.page.getByRole("textbox", { name: "New Amazon link" });
    await input.fill("https://example.com/lamp");
    await input.press("Enter");
    await expect(input).toHaveAttribute("aria-invalid", "true");
  },
  "the confirmation of a deletion": async (links) => {
    await links.openNew();
    await links.button("Delete").click();
    await expect(links.dialog).toBeVisible();
  },
  "the QR code of a link": async (links) => {
    await links.openNew();
    await links.button("Show QR code").click();
    await expect(links.page.getByRole("dialog")).toBeVisible();
  },
  "where visitors of a link go": async (links) => {
    await links.openNew("/opening");
    await expect(links.page.getByText("Every visitor opens the original link now.")).toBeVisible();
  },
  "results and errors of links pasted on the dashboard": async (links) => {
    await links.createAndList();
    await links.paste(newProduct().url, "https://amzn.to/missing", newProduct().url);
    await expect(links.newLinks.getByRole("status")).toHaveText("2 links are ready, 1 failed");
  },
};
