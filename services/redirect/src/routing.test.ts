import { type OwnerRecord, ownerKey } from "@tapthru/proto/redirect/owner";
import type { LiveRecord } from "@tapthru/proto/redirect/record";
import { isMarketplace, MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { describe, expect, it } from "vitest";
import { addressesIn } from "./testing/addresses-in.ts";
import { parseHtml, startWorld } from "./testing/start-world.ts";
import { ANDROID, CRAWLER, DESKTOP, IPHONE, liveRecord, newCode, newUserId } from "./testing/test-service.ts";

const { service, context, database, addRecord, get } = await startWorld({ rateLimits: "off" });

const STORES = Object.keys(MARKETPLACES).filter(isMarketplace);
const ASIN = "B0ZZ1Y2X3W";
const ORIGINAL = `https://www.amazon.com/dp/${ASIN}/ref=x?tag=own-20&ascsubtag=spring&q='a%20b'`;

const tagOf = (store: Marketplace) => `own-${store.replaceAll(".", "_")}${MARKETPLACES[store].tagSuffix ?? "-20"}`;
const TAGS = Object.fromEntries(STORES.map((store) => [store, tagOf(store)]));
/** Their links have a tag in each store. */
const OWNER: Partial<OwnerRecord> = { isRouted: true, channels: { 1: { tags: TAGS } } };

const addLink = (fields: Partial<LiveRecord> = {}, owner = OWNER) =>
  addRecord({ webUrl: ORIGINAL, soldIn: STORES, title: "A lamp", ...fields }, owner);

interface VisitOptions {
  country?: string | undefined;
  address?: string;
  query?: string;
}

async function visit(code: string, agent: string, { country, address, query = "" }: VisitOptions = {}) {
  const headers = {
    ...(country !== undefined && { "cf-ipcountry": country }),
    ...(address !== undefined && { "x-forwarded-for": address }),
  };
  return get(`/l/${code}${query}`, { agent, headers });
}

async function locationOf(code: string, options: VisitOptions) {
  return (await visit(code, DESKTOP, options)).headers.location;
}

describe("a visitor of a routed link", () => {
  it.each([
    ["DE", `https://www.amazon.de/dp/${ASIN}?tag=own-de-21&ascsubtag=spring`],
    ["US", ORIGINAL],
    ["XX", ORIGINAL],
    ["DE, FR", ORIGINAL],
    [undefined, ORIGINAL],
  ])("a visitor from %j opens %s", async (country, expected) => {
    expect(await locationOf(await addLink(), { country })).toBe(expected);
  });

  it("uses the country of the visitor's address if no proxy says it", async () => {
    const code = await addLink();
    const german = `https://www.amazon.de/dp/${ASIN}?tag=own-de-21&ascsubtag=spring`;
    expect(await locationOf(code, { address: "193.99.144.80" })).toBe(german);
    expect(await locationOf(code, { address: "8.8.8.8" })).toBe(ORIGINAL);
    expect(await locationOf(code, { address: "193.99.144.80", country: "XX" })).toBe(ORIGINAL);
  });
});

it("a code without tag opens the destination, other stores and fallbacks without a tag", async () => {
  const code = await addLink({ isUntagged: true });
  const plain = ORIGINAL.replace("tag=own-20&ascsubtag=spring&", "");
  expect(await locationOf(code, { country: "US", query: "?tag=evil-21" })).toBe(plain);
  expect(await locationOf(code, { country: "DE" })).toBe(`https://www.amazon.de/dp/${ASIN}`);
  for (const agent of [IPHONE, ANDROID]) {
    expect((await visit(code, agent, { country: "DE" })).body).not.toMatch(/[?&]tag=/);
  }
  const gone = { isProductGone: true, fallbackUrl: "https://www.amazon.fr/?tag=own-21" };
  expect(await locationOf(await addLink({ isUntagged: true, ...gone }), {})).toBe("https://www.amazon.fr/");
});

it("parameters that visitors may not choose reach no destination: link, page, other store, fallback, code without tag, assistant", async () => {
  const CHOICES = [
    "smid=A1EVIL&m=A1EVIL",
    "offerListingId=x1evil",
    "%2573mid[]=EVIL;me.1=EVIL",
    "rh=p_6%3AEVIL&k=evil&ASIN.1=EVIL",
  ];
  const fallbackUrl = "https://www.amazon.fr/s?k=lamp";
  const links: [link: Partial<LiveRecord>, owner?: Partial<OwnerRecord>][] = [
    [{ isRouted: false }],
    [{}],
    [{ soldIn: [] }, { ...OWNER, searches: true }],
    [{ fallbackUrl, isProductGone: true }],
    [{ isUntagged: true }],
  ];
  const ASSISTANT =
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)";
  for (const link of links) {
    const code = await addLink(...link);
    for (const agent of [DESKTOP, IPHONE, ANDROID, ASSISTANT, CRAWLER]) {
      const plain = await visit(code, agent, { country: "DE", query: "?igsh=1" });
      for (const choice of CHOICES) {
        const chosen = await visit(code, agent, { country: "DE", query: `?${choice}&igsh=1` });
        expect(addressesIn(chosen)).toEqual(addressesIn(plain));
        // The proof is random.
        const body = chosen.body.replace(/data-proof="[^"]*"/, "");
        expect(JSON.stringify(chosen.headers) + body).not.toMatch(/evil/i);
      }
    }
  }
});

it("a fallback opens without being stored, also on the phone's page, and again not once it is not needed", async () => {
  const page = "https://www.amazon.fr/s?k=lamp";
  const code = await addLink({ fallbackUrl: page, isProductGone: true });
  const { statusCode, headers } = await visit(code, DESKTOP, { country: "DE" });
  const fallback = `${page}&tag=own-fr-21`;
  expect([statusCode, headers.location, headers["cache-control"]]).toEqual([302, fallback, "no-store"]);
  const { body } = await visit(code, IPHONE);
  const app = parseHtml(body).querySelector("#app")?.getAttribute("href");
  expect(app).toBe(fallback.replace("https", "com.amazon.mobile.shopping.web"));
  expect(body).not.toContain(ASIN);
  await context.redirectStore.put(code, liveRecord({ revision: 2, webUrl: ORIGINAL, fallbackUrl: page }));
  await expect.poll(() => locationOf(code, {})).toBe(ORIGINAL);
});

it("a crawler gets the card of the original, wherever it is", async () => {
  const code = await addLink();
  const [german, unknown] = await Promise.all([visit(code, CRAWLER, { country: "DE" }), visit(code, CRAWLER)]);
  expect(german.body).toBe(unknown.body);
  expect(german.body).not.toContain("amazon.de");
});

describe.each([
  ["iPhone", IPHONE],
  ["Android", ANDROID],
])("the page on %s", (_name, agent) => {
  it("opens the app at the chosen store, names it, and offers the original", async () => {
    const code = await addLink();
    const page = await visit(code, agent, { country: "DE", query: "?utm_source=ig" });
    const document = parseHtml(page.body);
    expect(document.body.textContent).toContain("This opens amazon.de, the store for your country.");
    const links = [...document.querySelectorAll("a")];
    const app = document.querySelector("#app")?.getAttribute("href");
    expect(app).toContain(`//www.amazon.de/dp/${ASIN}?tag=own-de-21&ascsubtag=spring&utm_source=ig`);
    const original = links.find(({ textContent }) => textContent === "Go to amazon.com instead");
    expect(original?.getAttribute("href")).toBe(`${ORIGINAL}&utm_source=ig`);
    expect(Buffer.byteLength(page.body)).toBeLessThan(6_500);
  });

  it("the card shows the visitor's store, also after visitors of other stores", async () => {
    const code = await addLink();
    const countries = ["DE", "FR", "US", "XX", "AT", "DE", "US", "FR"];
    for (const country of countries) {
      const { body } = await visit(code, agent, { country });
      const opened = ["DE", "AT"].includes(country) ? "de" : country === "FR" ? "fr" : null;
      const tags = [...body.matchAll(/[?&]tag=([\w-]+)/g)].map(([, tag]) => tag);
      const expected = opened === null ? ["own-20"] : ["own-20", `own-${opened}-21`];
      expect([country, ...new Set(tags)].sort()).toEqual([country, ...expected].sort());
      expect(body.includes("the store for your country")).toBe(opened !== null);
    }
  });

  it("is byte for byte that of a link without routing for visitors of the original store", async () => {
    const code = await addLink();
    const [own, unrouted] = await Promise.all([
      visit(code, agent, { country: "US" }),
      visit(await addLink({ isRouted: false }), agent, { country: "DE" }),
    ]);
    const addresses = (html: string) => html.match(/href="[^"]*amazon[^"]*"/g);
    expect(addresses(own.body)).toEqual(addresses(unrouted.body));
  });
});

it("a page shows the name that the owner chose, and no name for a link without an account", async () => {
  const [own, anonymous] = [newCode(), newCode()];
  const userId = newUserId();
  await database.client.query(`
    INSERT INTO users (id, username, email, firebase_uid, displayed_name, shows_disclosure)
    VALUES (${userId}, 'v', 'v', 'v', 'Anna <b>', true)
  `);
  await database.insertLink(own, { user_id: userId });
  await database.insertLink(anonymous);
  const creatorOf = async (code: string) =>
    parseHtml((await visit(code, IPHONE)).body).querySelector(".creator")?.textContent;
  expect(await creatorOf(own)).toBe("Shared by \u2068Anna <b>\u2069");
  expect(await creatorOf(anonymous)).toBeUndefined();
  const said = { creatorName: "Anna <b>", showsDisclosure: true };
  expect(await context.redirectStore.get(ownerKey(userId))).toMatchObject(said);
});

it("a link of which a newer release wrote the opening opens its own destination, and is not stored in Redis", async () => {
  const code = newCode();
  const userId = newUserId();
  await database.client.query(`
    INSERT INTO users (id, username, email, firebase_uid) VALUES (${userId}, 'u', 'u', 'u');
    INSERT INTO channel_tags VALUES (default_channel(${userId}), ${userId}, 'de', 'me-21');
    INSERT INTO products (canonical_url, marketplace, product_id) VALUES ('page', 'com', '${ASIN}');
    INSERT INTO product_stores VALUES ('${ASIN}', 'de', true, 'page', now());
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id, routing, opening)
    VALUES ('${code}', 'x', 'https://www.amazon.com/dp/${ASIN}?tag=own-20', 'x?product_id=x', 'page', ${userId}, true, 'hologram')
  `);
  expect(await locationOf(code, { country: "DE" })).toBe(`https://www.amazon.com/dp/${ASIN}?tag=own-20`);
  expect(await context.redirectStore.get(code)).toBeNull();
  expect(service.lines.at(-1)).toMatchObject({ event: "unreadable_row", shortCode: code });
});
