import { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type AmazonAdsTest, connect, startAmazonAdsTest } from "../testing/test-amazon-ads.ts";
import { newBrowser, signUpUser, type TestUser } from "../testing/test-user.ts";

let test: AmazonAdsTest;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  test = await startAmazonAdsTest();
  ada = await signUpUser(test.api);
  bob = await signUpUser(test.api);
});
afterAll(() => test.stop());
beforeEach(async () => {
  await test.api.query("TRUNCATE amazon_ads_connections");
});

const request = (method: string, browser: Record<string, string>) =>
  test.api.request(method, "/api/amazon-ads/connection", browser);

async function readConnection(user: TestUser): Promise<AmazonAdsConnection | null> {
  const response = await request("GET", user.browser);
  expect(response.status).toBe(200);
  const Reply = z.object({ connection: z.nullable(AmazonAdsConnection) });
  return Reply.parse(await response.json()).connection;
}

const sealedToken = async () =>
  String(
    (await test.api.query("SELECT sealed_refresh_token AS sealed FROM amazon_ads_connections"))[0]
      ?.sealed,
  );

/** Sets how long ago the connection was checked with Amazon. */
const setLastCheckAge = (time: string) =>
  test.api.query(`UPDATE amazon_ads_connections SET checked_at = now() - interval '${time}'`);

const refreshes = () =>
  test.standIn.requests.filter(({ body }) => body.includes("grant_type=refresh_token")).length;

describe("a connection", () => {
  it("is visible to its user, without secrets", async () => {
    await connect(test, ada.browser, { region: "na" });
    const text = await (await request("GET", ada.browser)).text();
    expect(JSON.parse(text)).toEqual({
      connection: {
        region: "na",
        accountName: "Anna Advertiser",
        accountEmail: "anna.advertiser@amazon.example",
        profiles: [
          { id: "9007199254740993", name: "Lamp store US", countryCode: "US" },
          { id: "3200000000000002", name: "Lamp store CA", countryCode: "CA" },
        ],
        connectedAt: expect.any(String),
        hasEnded: false,
      },
    });
    expect(await readConnection(bob)).toBeNull();
  });

  it("may have no profiles", async () => {
    await connect(test, ada.browser, { account: "ben" });
    expect(await readConnection(ada)).toMatchObject({
      accountName: "Ben Beginner",
      profiles: [],
    });
  });

  it("replaces the previous one", async () => {
    await connect(test, ada.browser, { region: "na" });
    await connect(test, ada.browser, { region: "eu", account: "ben" });
    expect(await readConnection(ada)).toMatchObject({ region: "eu", accountName: "Ben Beginner" });
  });

  it("is encrypted in the database", async () => {
    await connect(test, ada.browser);
    expect(await sealedToken()).toMatch(/^[\w-]{8}\.[\w-]+$/);
    const [row] = await test.api.query("SELECT c::text AS all FROM amazon_ads_connections c");
    expect(row?.all).not.toMatch(/Atz[ar]/);
  });

  it.each(["GET", "DELETE"])("requires a session for %s", async (method) => {
    const response = await request(method, newBrowser(test.api));
    expect([response.status, await response.text()]).toEqual([401, messages.loginRequired]);
  });
});

describe("disconnecting", () => {
  it("deletes only the connection of the user, and is idempotent", async () => {
    await connect(test, ada.browser);
    await connect(test, bob.browser);
    for (const _time of ["first", "second"]) {
      const response = await request("DELETE", ada.browser);
      expect([response.status, await response.json()]).toEqual([200, {}]);
      expect(await readConnection(ada)).toBeNull();
    }
    expect(await test.api.query("SELECT user_id FROM amazon_ads_connections")).toEqual([
      { user_id: bob.user.id },
    ]);
  });

  it("is rejected for other sites", async () => {
    await connect(test, ada.browser);
    const response = await request("DELETE", { ...ada.browser, origin: "https://evil.example" });
    expect([response.status, await response.text()]).toEqual([403, messages.foreignOrigin]);
    expect(await readConnection(ada)).not.toBeNull();
  });

  it("happens when the user is deleted", async () => {
    const eve = await signUpUser(test.api);
    await connect(test, eve.browser);
    await test.api.query(`DELETE FROM users WHERE id = ${eve.user.id}`);
    expect(await test.api.query("SELECT user_id FROM amazon_ads_connections")).toEqual([]);
  });
});

describe("the check of a connection", () => {
  it("is made once an hour, even for concurrent requests", async () => {
    await connect(test, ada.browser);
    const before = refreshes();
    await setLastCheckAge("59 minutes");
    await readConnection(ada);
    expect(refreshes()).toBe(before);
    await setLastCheckAge("61 minutes");
    await Promise.all(Array.from({ length: 10 }, () => readConnection(ada)));
    expect(refreshes()).toBe(before + 1);
  });

  it("ends the connection and deletes the token when Amazon rejects the token", async () => {
    await connect(test, ada.browser, { account: "consent-withdrawn" });
    await setLastCheckAge("2 hours");
    expect(await readConnection(ada)).toMatchObject({ hasEnded: true });
    expect(await sealedToken()).toBe("null");
    const before = refreshes();
    await setLastCheckAge("2 hours");
    expect(await readConnection(ada)).toMatchObject({ hasEnded: true });
    expect(refreshes()).toBe(before);
    expect(await connect(test, ada.browser)).toBe("connected");
    expect(await readConnection(ada)).toMatchObject({ hasEnded: false });
  });

  it("keeps the connection while Amazon is unavailable", async () => {
    const separate = await startAmazonAdsTest();
    const { browser } = await signUpUser(separate.api);
    await connect(separate, browser);
    await separate.standIn.stop();
    await separate.api.query(
      "UPDATE amazon_ads_connections SET checked_at = now() - interval '2 hours'",
    );
    const response = await separate.api.request("GET", "/api/amazon-ads/connection", browser);
    expect(await response.json()).toMatchObject({
      connection: { accountName: "Anna Advertiser", hasEnded: false },
    });
    expect(separate.api.lines).toContainEqual(
      expect.objectContaining({ msg: "failed to check Amazon Ads connection" }),
    );
    await separate.api.stop();
  });
});
