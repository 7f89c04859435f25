import { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { EMULATOR_START_MS } from "../testing/test-accounts.ts";
import { type AmazonAdsTest, connect, startAmazonAdsTest } from "../testing/test-amazon-ads.ts";
import { newBrowser, signUpUser, type TestUser } from "../testing/test-user.ts";

let test: AmazonAdsTest;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  test = await startAmazonAdsTest();
  ada = await signUpUser(test.api);
  bob = await signUpUser(test.api);
}, EMULATOR_START_MS);
afterAll(() => test.stop());
beforeEach(async () => {
  await test.api.rows("TRUNCATE amazon_ads_connections");
});

const ask = (method: string, browser: Record<string, string>) =>
  test.api.ask(method, "/api/amazon-ads/connection", browser);

async function readConnection(user: TestUser): Promise<AmazonAdsConnection | null> {
  const answer = await ask("GET", user.browser);
  expect(answer.status).toBe(200);
  const Reply = z.object({ connection: z.nullable(AmazonAdsConnection) });
  return Reply.parse(await answer.json()).connection;
}

const sealedToken = async () =>
  String(
    (await test.api.rows("SELECT sealed_refresh_token AS sealed FROM amazon_ads_connections"))[0]
      ?.sealed,
  );

/** As if so much time had passed since Amazon was asked. */
const letPass = (time: string) =>
  test.api.rows(`UPDATE amazon_ads_connections SET checked_at = now() - interval '${time}'`);

const refreshes = () =>
  test.standIn.requests.filter(({ body }) => body.includes("grant_type=refresh_token")).length;

describe("a connection", () => {
  it("is shown to its user, without anything secret", async () => {
    await connect(test, ada.browser, { region: "na" });
    const text = await (await ask("GET", ada.browser)).text();
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

  it("may be of an account without profiles", async () => {
    await connect(test, ada.browser, { account: "ben" });
    expect(await readConnection(ada)).toMatchObject({
      accountName: "Ben Beginner",
      profiles: [],
    });
  });

  it("takes the place of the one before", async () => {
    await connect(test, ada.browser, { region: "na" });
    await connect(test, ada.browser, { region: "eu", account: "ben" });
    expect(await readConnection(ada)).toMatchObject({ region: "eu", accountName: "Ben Beginner" });
  });

  it("lies encrypted in the database", async () => {
    await connect(test, ada.browser);
    expect(await sealedToken()).toMatch(/^[\w-]{8}\.[\w-]+$/);
    const [row] = await test.api.rows("SELECT c::text AS all FROM amazon_ads_connections c");
    expect(row?.all).not.toMatch(/Atz[ar]/);
  });

  it.each(["GET", "DELETE"])("is nobody's to %s who is signed out", async (method) => {
    const answer = await ask(method, newBrowser(test.api));
    expect([answer.status, await answer.text()]).toEqual([401, messages.loginRequired]);
  });
});

describe("disconnecting", () => {
  it("erases the user's connection and no other, and may be repeated", async () => {
    await connect(test, ada.browser);
    await connect(test, bob.browser);
    for (const _time of ["first", "second"]) {
      const answer = await ask("DELETE", ada.browser);
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
      expect(await readConnection(ada)).toBeNull();
    }
    expect(await test.api.rows("SELECT user_id FROM amazon_ads_connections")).toEqual([
      { user_id: bob.user.id },
    ]);
  });

  it("is refused to other sites", async () => {
    await connect(test, ada.browser);
    const answer = await ask("DELETE", { ...ada.browser, origin: "https://evil.example" });
    expect([answer.status, await answer.text()]).toEqual([403, messages.foreignOrigin]);
    expect(await readConnection(ada)).not.toBeNull();
  });

  it("comes with the end of the account", async () => {
    const eve = await signUpUser(test.api);
    await connect(test, eve.browser);
    await test.api.rows(`DELETE FROM users WHERE id = ${eve.user.id}`);
    expect(await test.api.rows("SELECT user_id FROM amazon_ads_connections")).toEqual([]);
  });
});

describe("whether a connection still holds", () => {
  it("is asked of Amazon once an hour, also by many at once", async () => {
    await connect(test, ada.browser);
    const before = refreshes();
    await letPass("59 minutes");
    await readConnection(ada);
    expect(refreshes()).toBe(before);
    await letPass("61 minutes");
    await Promise.all(Array.from({ length: 10 }, () => readConnection(ada)));
    expect(refreshes()).toBe(before + 1);
  });

  it("is no longer once Amazon refuses its token, which is forgotten then", async () => {
    await connect(test, ada.browser, { account: "consent-withdrawn" });
    await letPass("2 hours");
    expect(await readConnection(ada)).toMatchObject({ hasEnded: true });
    expect(await sealedToken()).toBe("null");
    const before = refreshes();
    await letPass("2 hours");
    expect(await readConnection(ada)).toMatchObject({ hasEnded: true });
    expect(refreshes()).toBe(before);
    expect(await connect(test, ada.browser)).toBe("connected");
    expect(await readConnection(ada)).toMatchObject({ hasEnded: false });
  });

  it("is believed while Amazon cannot tell", async () => {
    const own = await startAmazonAdsTest();
    const { browser } = await signUpUser(own.api);
    await connect(own, browser);
    await own.standIn.stop();
    await own.api.rows("UPDATE amazon_ads_connections SET checked_at = now() - interval '2 hours'");
    const answer = await own.api.ask("GET", "/api/amazon-ads/connection", browser);
    expect(await answer.json()).toMatchObject({
      connection: { accountName: "Anna Advertiser", hasEnded: false },
    });
    expect(own.api.lines).toContainEqual(
      expect.objectContaining({ msg: "failed to check Amazon Ads connection" }),
    );
    await own.api.stop();
  });
});
