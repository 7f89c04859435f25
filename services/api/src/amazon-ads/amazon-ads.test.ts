import { getAttribution } from "@tapthru/proto/amazon-ads";
import { createLink } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  ADS_SETTINGS,
  connect,
  consent,
  followCallback,
  startAmazonAdsTest,
  startLogin,
} from "../testing/test-amazon-ads.ts";
import { startTestApi } from "../testing/test-api.ts";
import { logIn, signUpUser, type TestUser } from "../testing/test-user.ts";

const test = await startAmazonAdsTest();
afterAll(() => test.stop());
const { api, standIn } = test;
const [ada, bob] = [await signUpUser(api), await signUpUser(api)];
beforeEach(async () => {
  await api.query("TRUNCATE amazon_ads_connections CASCADE");
  standIn.requests.length = 0;
});

const connection = (user: TestUser, method = "GET") => api.request(method, "/api/amazon-ads/connection", user.browser);
const connections = () => api.query("SELECT user_id FROM amazon_ads_connections");
async function createLinkOf(user: TestUser, url: string, nickname: string): Promise<string> {
  const { shortCode } = await user.call(createLink, { body: { url, nickname } });
  return shortCode;
}
const tokenRequests = () => standIn.requests.filter(({ url }) => url === "/auth/o2/token");

describe("the login page at Amazon", () => {
  it("gets what Login with Amazon requires, with a new state and code challenge each time", async () => {
    const [one, other] = await Promise.all([startLogin(api, ada.browser), startLogin(api, ada.browser)]);
    const url = new URL(one);
    expect(url.origin + url.pathname).toBe("https://www.amazon.com/ap/oa");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "amzn1.application-oa2-client.stand-in",
      scope: "profile advertising::campaign_management",
      response_type: "code",
      redirect_uri: "http://localhost:8080/api/amazon-ads/callback",
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    for (const name of ["state", "code_challenge"])
      expect(new URL(other).searchParams.get(name)).not.toBe(url.searchParams.get(name));
  });
});

it("responds 503 if Amazon Ads is not configured", async () => {
  const other = await startTestApi();
  const { browser } = await signUpUser(other);
  const response = await other.request("GET", "/api/amazon-ads/auth-url", browser);
  expect([response.status, await response.text()]).toEqual([503, ERRORS["not-configured"].message]);
  const callback = new URL("http://localhost:8080/api/amazon-ads/callback?state=x&code=y");
  expect(await followCallback(other, browser, callback)).toBe("failed");
  await other.stop();
});

describe("the callback", () => {
  it("connects the user, who alone sees the account, and says so in the audit log", async () => {
    await api.query("DELETE FROM audit_log");
    expect(await connect(test, ada.browser)).toBe("connected");
    expect(await (await connection(ada)).json()).toEqual({
      connection: {
        accountName: "Anna Advertiser",
        accountEmail: "anna.advertiser@amazon.example",
        connectedAt: expect.any(String),
        state: "waiting",
        readAt: null,
      },
    });
    expect(await (await connection(bob)).json()).toEqual({ connection: null });
    expect(await api.query("SELECT actor, action, owner_id FROM audit_log")).toEqual([
      { actor: "user", action: "amazon-ads-connection.created", owner_id: ada.user.id },
    ]);
  });

  it("reports that the user did not consent", async () => {
    const page = await startLogin(api, ada.browser);
    const callback = await consent(standIn, page, { consent: "cancel" });
    expect(await followCallback(api, ada.browser, callback)).toBe("denied");
    expect(await connections()).toEqual([]);
  });

  it("works for one of many concurrent requests", async () => {
    const callback = await consent(standIn, await startLogin(api, ada.browser));
    const results = await Promise.all(Array.from({ length: 20 }, () => followCallback(api, ada.browser, callback)));
    expect(results.filter((result) => result === "connected")).toHaveLength(1);
    expect(tokenRequests()).toHaveLength(1);
  });

  it.each([
    ["without a state", (query: URLSearchParams) => query.delete("state")],
    ["with an unknown state", (query: URLSearchParams) => query.set("state", "x".repeat(43))],
    ["without a code", (query: URLSearchParams) => query.delete("code")],
  ])("fails %s, without a request to Amazon", async (_case, change) => {
    const callback = await consent(standIn, await startLogin(api, ada.browser));
    change(callback.searchParams);
    expect(await followCallback(api, ada.browser, callback)).toBe("failed");
    expect(tokenRequests()).toEqual([]);
    expect(await connections()).toEqual([]);
  });

  it("fails for another user and in another session, and connects nothing", async () => {
    for (const other of [bob.browser, await logIn(api, ada)]) {
      const callback = await consent(standIn, await startLogin(api, ada.browser));
      expect(await followCallback(api, other, callback)).toBe("failed");
    }
    expect(await connections()).toEqual([]);
  });

  it.each(["token-hangs", "token-is-a-page", "token-refused", "profile-refused"])(
    "fails for the outcome %s of Amazon, and keeps the previous connection",
    async (account) => {
      expect(await connect(test, ada.browser)).toBe("connected");
      expect(await connect(test, ada.browser, { account })).toBe("failed");
      expect(await connections()).toEqual([{ user_id: ada.user.id }]);
    },
    20_000,
  );
});

describe("what Amazon Attribution counted", () => {
  const figures = (campaign: string, group: string, { day = "2026-11-03", currency = "EUR" } = {}, user = ada) =>
    api.query(`INSERT INTO amazon_ads_figures
      VALUES (${user.user.id}, '${day}', 'Lamps', '${currency}', '${campaign}', '${group}', 10, 8, 4, 2, 1995)`);
  const SUMS = {
    advertiser: "Lamps",
    adGroupId: null,
    links: [],
    currency: "EUR",
    clicks: 10,
    detailPageViews: 8,
    cartAdditions: 4,
    purchases: 2,
    sales: 1995,
  };
  const TWICE = { clicks: 20, detailPageViews: 16, cartAdditions: 8, purchases: 4, sales: 3990 };
  const table = (user = ada) => user.call(getAttribution, { query: { from: "2026-11-01", to: "2026-11-30" } });
  const read = () => api.query("UPDATE amazon_ads_connections SET read_at = now(), has_attribution = true");

  it("is summed up by campaign and currency in the days, of the user alone", async () => {
    await connect(test, ada.browser);
    await connect(test, bob.browser);
    await read();
    await figures("mail", "top");
    await figures("mail", "end", { day: "2026-11-30" });
    await figures("mail", "top", { currency: "USD" });
    for (const day of ["2026-10-31", "2026-12-01"]) await figures("mail", "top", { day });
    await figures("video", "lamp", {}, bob);
    expect(await table()).toEqual({
      connection: { state: "read", readAt: expect.any(String) },
      rows: [
        { ...SUMS, ...TWICE, campaignId: "mail" },
        { ...SUMS, campaignId: "mail", currency: "USD" },
      ],
    });
  });

  it("is a link's if its address names campaign and ad group; several links share it", async () => {
    await connect(test, ada.browser);
    const at = (query: string) =>
      `https://www.amazon.de/dp/B08N5WRWNW?maas=maas_adg_api_1_static_9_99&ref_=aa_maas&tag=maas${query}`;
    const named = "&aa_campaignid=spring+mail&aa_adgroupid=top";
    const links = [
      await createLinkOf(ada, at(named), "One"),
      await createLinkOf(ada, at(`${named}&aa_creativeid=2`), "Two"),
    ];
    await createLinkOf(ada, at(""), "No campaign");
    await createLinkOf(bob, at(named), "Of another user");
    await createLinkOf(ada, `https://www.amazon.de/dp/B08N5WRWNW?tag=me-21${named}`, "Of an associate");
    await figures("spring mail", "top");
    await figures("spring mail", "end");
    const { rows } = await table();
    expect(rows).toEqual([
      { ...SUMS, ...TWICE, campaignId: "spring mail" },
      { ...SUMS, campaignId: "spring mail", adGroupId: "top", links: expect.any(Array) },
    ]);
    expect(rows[1]?.links.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { shortCode: links[0], name: "One" },
      { shortCode: links[1], name: "Two" },
    ]);
  });

  it("has a state, and has the 200 campaigns with the most clicks, however many they are", async () => {
    expect((await table()).connection).toBeNull();
    await connect(test, ada.browser);
    expect((await table()).connection).toEqual({ state: "waiting", readAt: null });
    await api.query("UPDATE amazon_ads_connections SET read_at = now(), has_attribution = false");
    expect((await table()).connection?.state).toBe("no-attribution");
    await api.query("UPDATE amazon_ads_connections SET is_revoked = true");
    expect((await table()).connection?.state).toBe("revoked");
    await api.query(`INSERT INTO amazon_ads_figures
      SELECT ${ada.user.id}, day, 'Lamps', 'EUR', n, 'g', 2000000000 + n, 0, 0, 0, 0
      FROM generate_series(1, 203) AS n, (VALUES (DATE '2026-11-03'), ('2026-11-04')) AS days (day)`);
    const { rows } = await table();
    expect([rows.length, rows[0]?.clicks, rows.at(-1)?.clicks]).toEqual([200, 4_000_000_406, 4_000_000_008]);
  });

  it("stays when the same account is connected again, which is read at once, and not when another is", async () => {
    await connect(test, ada.browser);
    await figures("mail", "top");
    await api.query("UPDATE amazon_ads_connections SET is_revoked = true, next_read_at = now() + interval '1 day'");
    await connect(test, ada.browser);
    expect(await table()).toMatchObject({ connection: { state: "waiting" }, rows: [{ campaignId: "mail" }] });
    expect(await api.query("SELECT FROM amazon_ads_connections WHERE next_read_at <= now()")).toHaveLength(1);
    await connect(test, ada.browser, { account: "no-attribution" });
    expect(await table()).toMatchObject({ connection: { state: "waiting" }, rows: [] });
  });
});

it("disconnecting deletes only the connection of the user, and is idempotent", async () => {
  await connect(test, ada.browser);
  await connect(test, bob.browser);
  for (const _time of ["first", "second"]) {
    const response = await connection(ada, "DELETE");
    expect([response.status, await response.json()]).toEqual([200, {}]);
  }
  expect(await connections()).toEqual([{ user_id: bob.user.id }]);
});

it("tokens are encrypted in Postgres, and in no log, metric or key of Redis", async () => {
  for (const account of ["token-refused", "token-is-a-page", "profile-refused", "anna"])
    await connect(test, ada.browser, { account });
  const Row = z.object({ all: z.string(), sealed: z.string() });
  const [row] = await api.query("SELECT c::text AS all, sealed_refresh_token AS sealed FROM amazon_ads_connections c");
  const { all, sealed } = Row.parse(row);
  expect(sealed).toMatch(/^[\w-]{8}\.[\w-]+$/);
  const forms = tokenRequests().map(({ body }) => new URLSearchParams(body));
  const secrets = forms.flatMap((form) =>
    ["code", "code_verifier", "client_secret"].map((name) => String(form.get(name))),
  );
  expect(secrets).toHaveLength(12);
  const outputs = [
    all,
    JSON.stringify(api.lines),
    await api.context.registry.metrics(),
    (await api.redis.keys("*")).join("\n"),
  ];
  for (const secret of [...secrets, ...(ADS_SETTINGS.ENCRYPTION_KEYS ?? []), "Atza|", "Atzr|"])
    for (const output of outputs) expect(output).not.toContain(secret);
});
