import { ADS_CLIENT } from "@tapthru/amazon-stand-in/login-with-amazon/client";
import { createTokenSealer } from "@tapthru/core/amazon-ads";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { beforeEach, describe, expect, it } from "vitest";
import { NEVER, useDatabase } from "../../testing/test-database.ts";
import { useStandIn } from "../../testing/test-source.ts";
import { addUser } from "../../testing/test-webhooks.ts";
import { readAmazonAds } from "./read-amazon-ads.ts";
import { createReadAttribution, MAX_REQUESTS } from "./read-attribution.ts";

const KEYS = ["a-key-that-seals-the-tokens-of-tests"];
const standIn = await useStandIn();
const database = await useDatabase("amazon_ads_connections");
const { db, rows } = database;
const { logger, lines } = createTestLogger();
const CONFIG = {
  AMAZON_ADS_CLIENT_ID: ADS_CLIENT.id,
  AMAZON_ADS_CLIENT_SECRET: ADS_CLIENT.secret,
  ENCRYPTION_KEYS: KEYS,
};
const readAttribution = createReadAttribution(CONFIG, standIn.fetchWithin(60_000));
beforeEach(() => {
  lines.length = 0;
});

/** @param account of the stand-in @returns the user */
async function connect(account: string): Promise<number> {
  const userId = await addUser(database);
  const token = createTokenSealer(KEYS).seal(`Atzr|${account}.x`, userId);
  await rows("INSERT INTO amazon_ads_connections (user_id, sealed_refresh_token) VALUES ($1, $2)", [userId, token]);
  return userId;
}
const readAll = (read = readAttribution) => readAmazonAds({ db, logger, readAttribution: read }, {}, { signal: NEVER });
const connection = async (userId: number) => {
  const [row] = await rows(
    `SELECT read_at IS NOT NULL AS was_read, has_attribution, is_revoked,
       round(extract(epoch FROM next_read_at - now()) / 60)::int AS minutes
     FROM amazon_ads_connections WHERE user_id = $1`,
    [userId],
  );
  return row;
};
const figures = () =>
  rows(`
    SELECT user_id, currency, count(DISTINCT day)::int AS days, count(DISTINCT (campaign_id, ad_group_id))::int AS groups
    FROM amazon_ads_figures GROUP BY 1, 2 ORDER BY 1, 2
  `);
const due = () => rows("UPDATE amazon_ads_connections SET next_read_at = now()");
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const DONE = { was_read: true, has_attribution: true, is_revoked: false, minutes: 1_440 };

describe("a connection that is due", () => {
  it("is read in all regions, profile by profile and page by page, for 90 days, and again after a day", async () => {
    const userId = await connect("anna");
    await readAll();
    expect(await figures()).toEqual(
      ["EUR", "USD"].map((currency) => ({ user_id: userId, currency, days: 90, groups: 3 })),
    );
    expect(await connection(userId)).toEqual(DONE);
    const [row] = await rows(
      `SELECT advertiser, campaign_id, ad_group_id, clicks, detail_page_views, cart_additions, purchases, sales::int
       FROM amazon_ads_figures WHERE day = $1 AND currency = 'USD' AND ad_group_id = 'header'`,
      [yesterday],
    );
    const clicks = Number(row?.clicks);
    const purchases = Math.floor(clicks / 9);
    expect(row).toEqual({
      advertiser: "Lamps and More",
      campaign_id: "autumn-newsletter",
      ad_group_id: "header",
      clicks,
      detail_page_views: clicks - 2,
      cart_additions: Math.floor(clicks / 4),
      purchases,
      sales: purchases * 2_495,
    });
    const [token, ...requests] = standIn.requests;
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({ grant_type: "refresh_token" });
    const scopes = requests.map(({ headers }) => headers["amazon-advertising-api-scope"] ?? "");
    expect([...new Set(scopes)]).toEqual(["", "777001", "777002", "777003"]);
    expect(requests.filter(({ url }) => url === "/attribution/report")).toHaveLength(14);
    await readAll();
    expect(standIn.requests).toHaveLength(1 + requests.length);
  });

  it("replaces the last 30 days afterwards", async () => {
    const userId = await connect("anna");
    await readAll();
    await rows(`INSERT INTO amazon_ads_figures
      SELECT user_id, '${yesterday}', 'Old', 'USD', 'c', 'g', 1, 1, 1, 1, 1 FROM amazon_ads_connections`);
    await due();
    standIn.requests.length = 0;
    await readAll();
    expect(await figures()).toEqual(
      ["EUR", "USD"].map((currency) => ({ user_id: userId, currency, days: 90, groups: 3 })),
    );
    expect(standIn.requests.filter(({ url }) => url === "/attribution/report")).toHaveLength(6);
  });

  it("keeps what anybody can write into an address, up to 500 characters", async () => {
    await connect("anna");
    const fetch = standIn.fetchWithin(60_000);
    const hostile = JSON.stringify(`\0\ud800${"x".repeat(600)}`);
    await readAll(
      createReadAttribution(CONFIG, async (request) => {
        const { body, ...response } = await fetch(request);
        const bytes = Buffer.from(body.bytes.toString().replaceAll('"header"', hostile));
        return { ...response, body: { ...body, bytes } };
      }),
    );
    expect(await rows("SELECT DISTINCT length(ad_group_id) FROM amazon_ads_figures ORDER BY 1")).toEqual(
      ["desk-lamp".length, "product-list".length, 499].map((length) => ({ length })),
    );
  });

  it.each([
    ["of a disabled user", "UPDATE users SET state = 'disabled'"],
    [
      "of an account that is being deleted",
      "INSERT INTO account_deletions (firebase_uid, user_id) SELECT firebase_uid, id FROM users",
    ],
  ])("%s is not read", async (_case, statement) => {
    const userId = await connect("anna");
    await rows(statement);
    await readAll();
    await rows("TRUNCATE account_deletions");
    expect([standIn.requests, await connection(userId)]).toMatchObject([[], { minutes: 0 }]);
  });

  it("without an Attribution account is read, and has none", async () => {
    const userId = await connect("no-attribution");
    await readAll();
    expect([await connection(userId), await figures()]).toEqual([{ ...DONE, has_attribution: false }, []]);
  });

  it.each([
    ["is not read again once the consent was withdrawn", "consent-revoked", { is_revoked: true }, "invalid_grant"],
    ["waits as long as Amazon says when it is throttled", "ads-throttled", { minutes: 10 }, "responded 429"],
    ["is read later if a report never ends", "ads-endless", { minutes: 60 }, `more than ${MAX_REQUESTS} requests`],
  ])("%s, and the next ones are read", async (_title, account, expected, message) => {
    const failing = await connect(account);
    const other = await connect("anna");
    await readAll();
    expect(await connection(failing)).toMatchObject({ was_read: false, ...expected });
    expect(await connection(other)).toEqual(DONE);
    const [line] = lines.filter(({ event }) => event === "amazon_ads_not_read");
    expect(JSON.stringify(line)).toContain(message);
    standIn.requests.length = 0;
    await readAll();
    expect(standIn.requests).toEqual([]);
    expect(JSON.stringify(lines)).not.toMatch(/Atz[ar]\|/);
  });

  it("whose token cannot be opened is set aside, and the next ones are read", async () => {
    const failing = await connect("anna");
    await rows("UPDATE amazon_ads_connections SET sealed_refresh_token = 'x'");
    const other = await connect("anna");
    await readAll();
    expect(await rows("SELECT kind, key FROM failed_items")).toEqual([
      { kind: "read-amazon-ads", key: String(failing) },
    ]);
    expect(await connection(other)).toEqual(DONE);
  });

  it.each([
    ["disconnected", "DELETE FROM amazon_ads_connections", undefined],
    [
      "connected again",
      "UPDATE amazon_ads_connections SET sealed_refresh_token = 'new', next_read_at = now()",
      { was_read: false, has_attribution: null, is_revoked: false, minutes: 0 },
    ],
  ])("that the user %s while it was read keeps nothing of it", async (_case, statement, expected) => {
    const userId = await connect("anna");
    await readAll(async (...args) => {
      const found = await readAttribution?.(...args);
      await rows(statement);
      return found ?? { hasAttribution: true, rows: [] };
    });
    expect([await connection(userId), await figures()]).toEqual([expected, []]);
  });
});

it("disconnecting deletes the figures", async () => {
  await connect("anna");
  await readAll();
  await rows("DELETE FROM amazon_ads_connections");
  expect(await figures()).toEqual([]);
});

it("nothing is read where Amazon Ads is not set up", async () => {
  await connect("anna");
  await readAll(null);
  expect(standIn.requests).toEqual([]);
});
