import { createSealer } from "@tapthru/runtime/sealer";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AmazonAdsTest, connect, startAmazonAdsTest } from "../testing/test-amazon-ads.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

const OLD = "an old secret of more than 32 characters";
const NEW = "a new secret of more than 32 characters";

let test: AmazonAdsTest;
let user: TestUser;
beforeAll(async () => {
  test = await startAmazonAdsTest({ ENCRYPTION_KEYS: [NEW, OLD] });
  user = await signUpUser(test.api);
});
afterAll(() => test.stop());
beforeEach(async () => {
  await test.api.query("TRUNCATE amazon_ads_connections");
});

const keyIdOf = (secret: string) => createSealer([secret]).seal("", "").split(".")[0];

async function sealedToken(): Promise<string> {
  const [row] = await test.api.query(
    "SELECT sealed_refresh_token AS sealed FROM amazon_ads_connections",
  );
  return String(row?.sealed);
}

/** Creates a connection that was encrypted two hours ago with only this key. */
async function connectWithKey(secret: string): Promise<void> {
  await connect(test, user.browser);
  const { context } = test.api;
  const owner = `amazon ads refresh token of user ${user.user.id}`;
  const token = context.amazonAds?.openToken(await sealedToken(), user.user.id) ?? "";
  const sealed = createSealer([secret]).seal(token, owner);
  await test.api.query(`UPDATE amazon_ads_connections
    SET sealed_refresh_token = '${sealed}', checked_at = now() - interval '2 hours'`);
}

const connection = async () =>
  (await test.api.request("GET", "/api/amazon-ads/connection", user.browser)).json();

it("encrypts a new token with the newest key", async () => {
  await connect(test, user.browser);
  expect((await sealedToken()).split(".")[0]).toBe(keyIdOf(NEW));
});

it("encrypts a token of an older key again when it is used, and keeps the connection", async () => {
  await connectWithKey(OLD);
  expect((await sealedToken()).split(".")[0]).toBe(keyIdOf(OLD));
  expect(await connection()).toMatchObject({ connection: { hasEnded: false } });
  expect((await sealedToken()).split(".")[0]).toBe(keyIdOf(NEW));
  await test.api.query("UPDATE amazon_ads_connections SET checked_at = now() - interval '2 hours'");
  expect(await connection()).toMatchObject({ connection: { hasEnded: false } });
});

it("keeps a connection whose key is missing, and logs the error", async () => {
  await connectWithKey("a third secret of more than 32 characters");
  const sealed = await sealedToken();
  expect(await connection()).toMatchObject({ connection: { hasEnded: false } });
  expect(await sealedToken()).toBe(sealed);
  expect(JSON.stringify(test.api.lines)).toContain("No key for this sealed text");
});
