import { expect, it } from "vitest";
import { linkAddress, linkFallback, linkRouting } from "./link-of-owner.ts";
import type { OwnerRecord } from "./owner.ts";
import type { LiveRecord } from "./record.ts";

const page = (store: string) => `https://www.amazon.${store}/dp/B0ZZ1Y2X3W`;
const metadata = { title: "A lamp", description: null, imageUrl: null, siteName: null };
const LINK: LiveRecord = {
  state: "live",
  revision: 1,
  webUrl: page("com"),
  expiresAt: null,
  ...metadata,
  soldIn: ["de"],
};
const OWNER: OwnerRecord = {
  state: "owner",
  revision: 1,
  isRouted: true,
  oneLink: [],
  defaultChannel: 1,
  channels: {
    1: { tags: { com: "me-20", de: "me-21", fr: "fr-21", moon: "moon-21" } },
    2: { tags: { de: "blog-21" } },
  },
};
const german = { marketplace: "de", tag: "me-21", isSold: true };

it.each<[string, Partial<LiveRecord>, Partial<OwnerRecord>, object | null]>([
  ["as the owner says", {}, {}, { stores: [german], searchTitle: null }],
  ["off by the owner", {}, { isRouted: false }, null],
  ["on by the link", { isRouted: true }, { isRouted: false }, { stores: [german], searchTitle: null }],
  ["off by the link", { isRouted: false }, {}, null],
  ["off for a page that is no product", { webUrl: "https://www.amazon.com/s?k=lamp" }, { searches: true }, null],
  ["not sold elsewhere", { soldIn: [] }, {}, null],
  ["sold where the owner has no tag, or in an unknown store", { soldIn: ["it", "moon"] }, {}, null],
  ["with the tag of its channel", { channelId: 2 }, {}, { stores: [{ ...german, tag: "blog-21" }] }],
  ["with the default tag, if its channel was deleted", { channelId: 3 }, {}, { stores: [german] }],
  [
    "where OneLink sends visitors itself",
    { soldIn: ["de", "fr"] },
    { oneLink: ["fr"] },
    { stores: [german], oneLink: ["fr"] },
  ],
  [
    "by a search",
    { productTitle: "The lamp" },
    { searches: true },
    { stores: [german, { marketplace: "fr", tag: "fr-21", isSold: false }], searchTitle: "The lamp" },
  ],
  ["by no search without a title", { title: null }, { searches: true }, { stores: [german], searchTitle: null }],
])("the routing of a link is %s", (_name, link, owner, expected) => {
  const routing = linkRouting({ ...LINK, ...link }, { ...OWNER, ...owner });
  if (expected === null) expect(routing).toBeNull();
  else expect(routing).toMatchObject(expected);
});

const ENDED = { expiresAt: 1, fallbackUrl: page("fr") };
const ofChannel = { channels: { 1: { tags: { de: "me-21" }, fallbackUrl: page("de") } } };
it.each<[string, Partial<LiveRecord>, Partial<OwnerRecord>, string | null]>([
  ["none while it always opens its own page", { fallbackUrl: page("fr") }, {}, null],
  ["its own, with the channel's tag", ENDED, {}, `${page("fr")}?tag=fr-21`],
  [
    "its own with another tag, which is replaced",
    { ...ENDED, fallbackUrl: `${page("fr")}?tag=x-21` },
    {},
    `${page("fr")}?tag=fr-21`,
  ],
  ["its own before the channel's", ENDED, ofChannel, page("fr")],
  ["the channel's", { startsAt: 1 }, ofChannel, `${page("de")}?tag=me-21`],
  ["the channel's, if its product is gone", { isProductGone: true }, ofChannel, `${page("de")}?tag=me-21`],
  ["none of another site", { ...ENDED, fallbackUrl: "https://evil.example/" }, {}, null],
  ["none of Amazon's short links", { ...ENDED, fallbackUrl: "https://amzn.to/abc1234" }, {}, null],
])("the fallback of a link is %s", (_name, link, owner, expected) => {
  expect(linkFallback({ ...LINK, ...link }, { ...OWNER, ...owner })?.webUrl ?? null).toBe(expected);
});

it.each<[string, string, Partial<LiveRecord>, string]>([
  ["the present tag of its channel", "?tag=", { followsChannel: true, channelId: 1 }, "?tag=me-20"],
  ["the last one of its channel, which was deleted", "?tag=", { followsChannel: true, channelId: 3 }, "?tag=kept-20"],
  ["that of another channel", ".de?th=1&tag=", { followsChannel: true, channelId: 2 }, ".de?th=1&tag=blog-21"],
  ["its own tag", "?tag=old-20", {}, "?tag=old-20"],
  [
    "the last one of its channel there",
    ".it?tag=&th=1",
    { followsChannel: true, channelId: 1 },
    ".it?tag=kept-21&th=1",
  ],
  ["none, if its channel had none there", ".fr?tag=", { followsChannel: true, channelId: 2 }, ".fr?tag="],
  ["none, if what is kept of its channel was deleted", ".fr?tag=x-21&th=1", { followsChannel: true }, ".fr?tag=&th=1"],
])("the address of a link has %s", (_name, address, link, expected) => {
  const urlOf = (text: string) => {
    const [, store = "com", query] = /^(?:[.](\w+))?(.*)$/.exec(text) ?? [];
    return page(store) + query;
  };
  const webUrl = urlOf(address);
  const keptTags = { 1: { it: "kept-21", com: "older-20" }, 3: { com: "kept-20" } };
  expect(linkAddress({ ...LINK, ...link, webUrl }, { ...OWNER, keptTags })).toBe(urlOf(expected));
});
