import { type ChannelTags, newLinkAddresses } from "@tapthru/core/links/channel-tags";
import { ownerKey } from "@tapthru/proto/redirect/owner";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { tagsOf } from "@tapthru/proto/rules/amazon/tag-health";
import { storesFor } from "@tapthru/proto/rules/routing/country-stores";
import fc from "fast-check";
import { expect, it } from "vitest";
import { addressesIn } from "./testing/addresses-in.ts";
import { startWorld } from "./testing/start-world.ts";
import { ANDROID, DESKTOP, IPHONE, newCode, newUserId, PUBLIC_BASE_URL } from "./testing/test-service.ts";

const { database, context, get } = await startWorld({ rateLimits: "off" });

const ASIN = "B0ZZ1Y2X3W";
const STORES = ["com", "de", "fr", "co.uk", "co.jp", "com.br"] as const satisfies Marketplace[];
const USER = newUserId();
/** Channels of the user, the first of which is the default. Channel 4 is another user's, with a tag in each store. */
const OWN_CHANNELS = [1, 2, 3];

await database.client.query(`
  INSERT INTO users (id, username, email, firebase_uid) VALUES (${USER}, 'a', 'a', 'a'), (${USER + 1}, 'b', 'b', 'b');
  DELETE FROM channels;
  INSERT INTO channels (id, user_id, name, name_key, is_default) VALUES
    (1, ${USER}, 'a', 'a', true), (2, ${USER}, 'b', 'b', false), (3, ${USER}, 'c', 'c', false), (4, ${USER + 1}, 'a', 'a', true);
  INSERT INTO products (canonical_url, marketplace, product_id)
  SELECT 'https://www.amazon.' || store || '/dp/${ASIN}', store, '${ASIN}'
  FROM unnest(ARRAY['${STORES.join("','")}']) AS store;
`);

const tagOf = (channel: number, store: string, isNew = false) =>
  `c${channel}-${store.replace(".", "")}${isNew ? "-new" : ""}-21`;
const stores = fc.subarray([...STORES]);

const scenario = fc.record({
  /** The stores in which each channel of the user has a tag. */
  tagged: fc.tuple(stores, stores, stores),
  from: fc.constantFrom(...STORES),
  query: fc.constantFrom("", "?th=1", "?ascsubtag=c1-de-21", "?tag=", "?%74ag="),
  pasted: fc.option(fc.constantFrom("mine-21", "c1-de-21", "c4-de-21"), { freq: 1 }),
  channel: fc.option(fc.constantFrom(...OWN_CHANNELS)),
  usesChannelTag: fc.boolean(),
  /** True if the tags of the channels change after the link was made. */
  isRetagged: fc.boolean(),
  routing: fc.boolean(),
  sold: stores,
  title: fc.option(fc.constant("A lamp")),
  oneLink: fc.subarray(["de", "fr"]),
  agent: fc.constantFrom(DESKTOP, IPHONE, ANDROID),
  country: fc.constantFrom(...STORES.map((store) => MARKETPLACES[store].country), "AT", "XX"),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

function pastedUrl({ from, query, pasted }: Scenario): string {
  const page = `https://www.amazon.${from}/dp/${ASIN}${query}`;
  if (pasted === null) return page;
  return `${page.replace(/[?&](?:tag|%74ag)=$/, "")}${query.includes("=1") || query.includes("sub") ? "&" : "?"}tag=${pasted}`;
}

/** Stores the link, and the tags as they are or become, as the api does. @returns the link's code and its destination */
async function store(given: Scenario): Promise<{ code: string; webUrl: string }> {
  const { tagged, channel: channelId, usesChannelTag, from } = given;
  const hasTag = (id: number, marketplace: string) => tagged[id - 1]?.some((each) => each === marketplace) ?? false;
  const channels: ChannelTags = {
    defaultId: 1,
    has: (id) => OWN_CHANNELS.includes(id),
    tagOf: (id, marketplace) => {
      return hasTag(id ?? 1, marketplace) ? tagOf(id ?? 1, marketplace) : undefined;
    },
  };
  const originalUrl = pastedUrl(given);
  const page = parseStorePage(originalUrl);
  if (page === null) throw new Error(originalUrl);
  const choice = { channelId, usesChannelTag };
  const link = newLinkAddresses(PUBLIC_BASE_URL, { originalUrl, page }, choice, channels);
  const tags = [...OWN_CHANNELS, 4].flatMap((channel) =>
    STORES.filter((marketplace) => channel === 4 || hasTag(channel, marketplace)).map((marketplace) => [
      channel,
      channel === 4 ? USER + 1 : USER,
      marketplace,
      tagOf(channel, marketplace, given.isRetagged),
    ]),
  );
  const code = newCode();
  const { client } = database;
  await client.query(`DELETE FROM channel_tags; DELETE FROM onelink_stores; DELETE FROM product_stores;
    DELETE FROM routing_settings`);
  await client.query(
    `INSERT INTO channel_tags SELECT (t->>0)::int, (t->>1)::int, t->>2, t->>3
     FROM jsonb_array_elements($1) AS t`,
    [JSON.stringify(tags)],
  );
  await client.query("INSERT INTO onelink_stores SELECT $1, unnest($2::text[])", [USER, given.oneLink]);
  await client.query(`INSERT INTO product_stores SELECT $1, unnest($2::text[]), true, 'page', now()`, [
    ASIN,
    given.sold,
  ]);
  await client.query("INSERT INTO routing_settings VALUES ($1, false, $2)", [
    USER,
    given.title === null ? "original" : "search",
  ]);
  await client.query(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, canonical_url, user_id, channel_id,
       follows_channel, routing, title)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      code,
      link.originalUrl,
      link.webUrl,
      link.deepLink,
      link.marketplace,
      `https://www.amazon.${from}/dp/${ASIN}`,
      USER,
      link.channelId,
      link.followsChannel,
      given.routing,
      given.title,
    ],
  );
  const { rows } = await client.query("UPDATE users SET revision = revision + 1 WHERE id = $1 RETURNING revision", [
    USER,
  ]);
  context.resolverStack.memory.apply({ shortCode: ownerKey(USER), revision: rows[0].revision });
  const { channelId: ofChannel } = link;
  const followed = link.followsChannel && ofChannel !== null;
  const withTag = followed ? setTag(link.webUrl, tagOf(ofChannel, from, given.isRetagged)) : null;
  return { code, webUrl: withTag ?? link.webUrl };
}

/** Returns null if the address is the link's own, or that of the visitor's store with the tag of the link's channel. */
function faultOf(address: string, webUrl: string, given: Scenario): string | null {
  if (address === webUrl) return null;
  const page = parseStorePage(address);
  if (page === null || !given.routing) return "not the original";
  const channel = given.channel ?? 1;
  if (tagsOf(page).join() !== tagOf(channel, page.marketplace, given.isRetagged)) return "not the channel's tag";
  if (!given.tagged[channel - 1]?.some((each) => each === page.marketplace)) return "no such tag";
  if (!storesFor(given.country).includes(page.marketplace)) return "not the visitor's store";
  return null;
}

/** Returns the fault of a destination, or null. */
function faultOfDestination(webUrl: string, given: Scenario): string | null {
  const channel = given.channel ?? 1;
  const page = parseStorePage(webUrl);
  const tags = page === null ? [] : tagsOf(page);
  const isTagged = given.tagged[channel - 1]?.some((each) => each === given.from) ?? false;
  if (given.pasted === null && given.usesChannelTag && isTagged) {
    return tags.join() === tagOf(channel, given.from, given.isRetagged) ? null : "not the channel's tag";
  }
  return webUrl === pastedUrl(given) ? null : "not the address that was pasted";
}

it("each visit opens the chosen tag, or the address that was pasted, and never another owner's tag", async () => {
  let routed = 0;
  let followed = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { code, webUrl } = await store(given);
      const reply = await get(`/l/${code}`, { agent: given.agent, headers: { "cf-ipcountry": given.country } });
      const addresses = addressesIn(reply);
      if (webUrl !== pastedUrl(given)) followed += 1;
      if (addresses.some((address) => address !== webUrl)) routed += 1;
      expect(addresses).not.toEqual([]);
      expect([faultOfDestination(webUrl, given)]).toEqual([null]);
      expect(addresses.map((address) => faultOf(address, webUrl, given)).filter(Boolean)).toEqual([]);
      // The proof is random.
      const body = reply.body.replace(/data-proof="[^"]*"/, "");
      if (given.pasted !== "c4-de-21") expect(body + reply.headers.location).not.toContain("c4-");
    }),
    { numRuns: 300 },
  );
  expect([routed > 10, followed > 10]).toEqual([true, true]);
});
