import { AccountExport } from "@tapthru/proto/own-account";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AmazonAdsTest, connect, startAmazonAdsTest } from "../testing/test-amazon-ads.ts";
import { addReport } from "../testing/test-earnings.ts";
import { addUserLinks } from "../testing/test-links.ts";
import { logIn, signUpUser, type TestUser } from "../testing/test-user.ts";

let test: AmazonAdsTest;
let ada: TestUser;
let eve: TestUser;
beforeAll(async () => {
  test = await startAmazonAdsTest();
  ada = await signUpUser(test.api);
  eve = await signUpUser(test.api);
});
afterAll(() => test.stop());

const download = (user: TestUser) => test.api.request("GET", "/api/account/export", user.browser);
const exported = async (user: TestUser) => AccountExport.parse(await (await download(user)).json());

describe("GET /api/account/export", () => {
  it("returns a JSON file with the user, links, sessions and connection", async () => {
    await addUserLinks(test.api, ada.user.id, 2);
    await addUserLinks(test.api, eve.user.id, 1);
    await logIn(test.api, ada);
    await connect(test, ada.browser);
    const response = await download(ada);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="account.json"');
    const { user, links, sessions, amazonAds } = AccountExport.parse(await response.json());
    expect(user).toEqual({ ...ada.user, firebaseUid: ada.uid });
    expect(links.map(({ shortCode }) => shortCode)).toEqual([`u${ada.user.id}n2`, `u${ada.user.id}n1`]);
    expect(sessions).toHaveLength(2);
    expect(amazonAds).toMatchObject({ accountName: expect.any(String) });
  });

  it("contains no token, key or hash", async () => {
    const text = await (await download(ada)).text();
    for (const secret of ["oken", "ash", "sealed", "revision", "canonical"]) {
      expect(text).not.toContain(secret);
    }
    const [row] = await test.api.query("SELECT sealed_refresh_token FROM amazon_ads_connections");
    expect(text).not.toContain(row?.sealed_refresh_token);
  });

  it("contains the clicks of each link by day", async () => {
    await test.api.query(`
      SELECT create_click_partitions('2026-11-01');
      INSERT INTO clicks SELECT id, '2026-11-20', '{"p": "3 4:2", "d:ios": "3", "o:opened": "3"}'
      FROM links WHERE short_code = 'u${ada.user.id}n2'
    `);
    const { links } = await exported(ada);
    const counts = { person: 3, "device ios": 1, opened: 1 };
    expect(links.map(({ clicks }) => clicks)).toEqual([[{ day: "2026-11-20", counts }], []]);
  });

  it("contains the labels, also those of each link", async () => {
    const [link] = (await exported(ada)).links;
    const body = { ids: [link?.id], addLabels: ["Gifts"] };
    await test.api.request("PATCH", "/api/links/bulk", ada.browser, body);
    const { labels, links } = await exported(ada);
    expect(labels).toEqual([{ id: expect.any(Number), name: "Gifts", colour: expect.any(String) }]);
    expect(links.map((link) => link.labels)).toEqual([labels, []]);
    expect(await exported(eve)).toMatchObject({ labels: [] });
  });

  it("contains the reports of earnings with their rows", async () => {
    const sale = { day: "2026-11-03", tag: "me-21", asin: "B0AAAAAAAA", earnings: 100 };
    // Two equal sales, and more than a page of others.
    const others = Array.from({ length: 2_100 }, (_, n) => ({
      day: `2026-11-${String((n % 28) + 1).padStart(2, "0")}`,
      tag: `tag${n}-21`,
    }));
    for (const [user, sales] of [
      [ada, [sale, sale, ...others]],
      [eve, [{ ...sale, earnings: 7 }]],
    ] as const) {
      const period = ["2026-11-01", "2026-11-30"] as const;
      await addReport(test.api, { userId: user.user.id, period, sales });
    }
    await test.api.query(`
      INSERT INTO earnings_products VALUES (${ada.user.id}, 'B0AAAAAAAA', 'Mug')
    `);
    const { earnings, earningsImports, earningsRates } = await exported(ada);
    expect(earningsImports).toMatchObject([{ state: "stored", marketplace: "de" }]);
    expect(earningsRates).toEqual({ currency: null, rates: [] });
    expect(new Set(earnings.map(({ tag }) => tag)).size).toBe(2_101);
    expect(earnings).toHaveLength(2_102);
    const sold = earnings.filter(({ asin }) => asin !== "");
    const expected = { ...sale, report: "earnings", productName: "Mug", currency: "EUR" };
    expect(sold).toMatchObject([expected, expected]);
  });

  it("is valid for a user without data", async () => {
    const newUser = await signUpUser(test.api);
    expect(await exported(newUser)).toMatchObject({ links: [], amazonAds: null });
  });

  it("contains each of many links once", async () => {
    const activeUser = await signUpUser(test.api);
    await addUserLinks(test.api, activeUser.user.id, 1_001);
    const { links } = await exported(activeUser);
    expect(new Set(links.map(({ id }) => id)).size).toBe(1_001);
  });
});
