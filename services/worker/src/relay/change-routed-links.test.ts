import { addMassChange, type MASS_CHANGES } from "@tapthru/core/links/mass-changes";
import { beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { massChange, useDatabase } from "../testing/test-database.ts";

const database = await useDatabase();
const { rows } = database;

const ASIN = "B0ZZ1Y2X3W";
const PAGE = `https://www.amazon.com/dp/${ASIN}`;

/** User 1 has a tag in amazon.de, a link for each choice, and the account's routing off. */
beforeEach(async () => {
  await rows(`INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, n, n, n FROM generate_series(1, 2) AS n`);
  await rows(`INSERT INTO products (canonical_url, marketplace, product_id, title)
    VALUES ('${PAGE}', 'com', '${ASIN}', 'A lamp')`);
  await addLink("default", "NULL");
  await addLink("on", "true");
  await addLink("off", "false");
  await addLink("others", "true", 2);
  await rows(
    "INSERT INTO channel_tags VALUES (default_channel(1), 1, 'de', 'me-21'), (default_channel(2), 2, 'de', 'other-21')",
  );
});

async function addLink(code: string, routing: string, userId = 1): Promise<void> {
  await rows(`INSERT INTO links
    (short_code, original_url, web_url, deep_link, canonical_url, user_id, routing)
    VALUES ('${code}', 'x', '${PAGE}', 'x?product_id=x', '${PAGE}', ${userId}, ${routing})`);
}

/** The codes whose records a change changes. */
async function changedBy(change: z.input<typeof MASS_CHANGES.routing>, statement = ""): Promise<unknown[]> {
  await rows(statement);
  await addMassChange(database.db, "routing", change);
  while (await massChange(database, "routing"));
  return takeChanges();
}

async function takeChanges(): Promise<unknown[]> {
  const found = await rows("DELETE FROM link_changes RETURNING short_code");
  return found.map((row) => row.short_code).sort();
}

async function routingOf(code: string): Promise<unknown> {
  const [row] = await rows("SELECT record->'routing' AS routing FROM redirect_records WHERE short_code = $1", [code]);
  return row?.routing;
}

const SOLD = `INSERT INTO product_stores VALUES ('${ASIN}', 'de', true, 'page', now())`;
const settings = (isOn: boolean, fallback = "original") =>
  `INSERT INTO routing_settings VALUES (1, ${isOn}, '${fallback}')
   ON CONFLICT (user_id) DO UPDATE SET is_on = excluded.is_on, fallback = excluded.fallback`;

describe("links whose records change", () => {
  beforeEach(() => takeChanges());

  it.each([
    ["the account's routing is switched on", { userId: 1, includesDefault: true }, ["default", "on"]],
    ["the settings are saved as they were by default", { userId: 1, includesDefault: false }, ["on"]],
    ["assistants get the tag", { userId: 1, includesAll: true }, ["default", "off", "on"]],
    ["a tag of the default channel or a store that OneLink serves changes", { userId: 1 }, ["on"]],
    ["a store begins or ceases to sell the product", { asin: ASIN }, ["on", "others"]],
    ["a store begins or ceases to sell another product", { asin: "B000000001" }, []],
  ])("when %s", async (_name, change, expected) => {
    expect(await changedBy(change)).toEqual(expected);
  });

  it("are those that do as the account says, while it says on", async () => {
    await rows(settings(true));
    expect(await changedBy({ userId: 1 })).toEqual(["default", "on"]);
    expect(await changedBy({ asin: ASIN })).toEqual(["default", "on", "others"]);
    expect(await changedBy({ userId: 1, includesDefault: true }, settings(false))).toEqual(["default", "on"]);
  });

  it("are not those that are expired, taken down or of a deleted user", async () => {
    await addLink("expired", "true");
    await addLink("taken", "true");
    await rows("UPDATE links SET expires_at = now() WHERE short_code = 'expired'");
    await rows("UPDATE links SET taken_down_at = now() WHERE short_code = 'taken'");
    expect(await changedBy({ userId: 1, includesDefault: true })).toEqual(["default", "on"]);
    const deletion = "DELETE FROM links WHERE user_id = 2; DELETE FROM users WHERE id = 2";
    expect(await changedBy({ userId: 2 }, deletion)).toEqual([]);
  });
});

describe("the record of a link", () => {
  const german = { marketplace: "de", tag: "me-21", isSold: true };

  it("has the stores that sell the product, for which its owner has a tag", async () => {
    expect(await routingOf("on")).toBeNull();
    await rows(SOLD);
    await rows(
      "INSERT INTO channel_tags VALUES (default_channel(1), 1, 'fr', 'fr-21'), (default_channel(1), 1, 'com', 'me-20')",
    );
    const routing = { stores: [german], oneLink: [], searchTitle: null };
    expect(await routingOf("on")).toEqual(routing);
    expect(await routingOf("default")).toBeNull();
    expect(await routingOf("off")).toBeNull();
    await rows(settings(true));
    expect(await routingOf("default")).toEqual(routing);
    expect(await routingOf("off")).toBeNull();
  });

  it("has the stores that are not known to sell it, if visitors search there", async () => {
    await rows(SOLD.replace("true", "NULL"));
    await rows(settings(false, "search"));
    const stores = [{ ...german, isSold: false }];
    expect(await routingOf("on")).toEqual({ stores, oneLink: [], searchTitle: "A lamp" });
    await rows("UPDATE products SET title = NULL");
    expect(await routingOf("on")).toBeNull();
    await rows("UPDATE links SET title = 'My lamp'");
    expect(await routingOf("on")).toEqual({ stores, oneLink: [], searchTitle: "My lamp" });
  });

  it("has the stores that OneLink serves, and none of them as a store to route to", async () => {
    await rows(SOLD);
    await rows(SOLD.replace("'de'", "'fr'"));
    await rows("INSERT INTO channel_tags VALUES (default_channel(1), 1, 'fr', 'fr-21')");
    await rows("INSERT INTO onelink_stores VALUES (1, 'de'), (2, 'fr')");
    const stores = [{ marketplace: "fr", tag: "fr-21", isSold: true }];
    expect(await routingOf("on")).toEqual({ stores, oneLink: ["de"], searchTitle: null });
  });

  it("has no routing without an owner", async () => {
    await rows(SOLD);
    await rows("UPDATE links SET user_id = NULL WHERE short_code = 'on'");
    expect(await routingOf("on")).toBeNull();
  });
});

describe("fallbacks", () => {
  const OWN = "https://www.amazon.de/s?k=lamp";
  const OF_CHANNEL = "https://www.amazon.fr/";
  const fallbackOf = async (code: string) => {
    const [row] = await rows("SELECT record->'fallback' AS fallback FROM redirect_records WHERE short_code = $1", [
      code,
    ]);
    return row?.fallback;
  };
  const gone = (state = "product-gone") => `UPDATE products SET check_state = '${state}'`;
  const ofChannel = `UPDATE channels SET fallback_url = '${OF_CHANNEL}' WHERE user_id = 1`;

  it("are those of links that can expire or whose product is gone: their own, else the channel's, with its tag", async () => {
    await rows(`UPDATE links SET fallback_url = '${OWN}' WHERE short_code = 'on'`);
    await rows(ofChannel);
    expect(await fallbackOf("on")).toBeNull();
    await rows("UPDATE links SET expires_at = now() + interval '1 day'");
    const own = { webUrl: OWN, tag: "me-21", isProductGone: false };
    expect(await fallbackOf("on")).toEqual(own);
    expect(await fallbackOf("off")).toEqual({ ...own, webUrl: OF_CHANNEL, tag: null });
    expect(await fallbackOf("others")).toBeNull();
    await rows("UPDATE links SET expires_at = NULL");
    await rows(gone());
    expect(await fallbackOf("on")).toEqual({ ...own, isProductGone: true });
    await rows("UPDATE links SET taken_down_at = now()");
    expect(await fallbackOf("on")).toBeNull();
  });

  it("change the records of links with an owner when their product is gone, or returns", async () => {
    await addLink("guest", "NULL");
    await rows("UPDATE links SET user_id = NULL WHERE short_code = 'guest'");
    await takeChanges();
    const all = ["default", "off", "on", "others"];
    expect(await changedBy({ asin: ASIN, ofFallbacks: true })).toEqual(all);
  });

  it("change the records of links that expire or start, with their channel or its tags", async () => {
    await rows("UPDATE links SET expires_at = now() WHERE short_code IN ('off', 'others')");
    await rows("UPDATE links SET starts_at = now() WHERE short_code = 'on'");
    await takeChanges();
    expect(await changedBy({ userId: 1, ofFallbacks: true }, ofChannel)).toEqual(["off", "on"]);
  });
});
