import { afterAll, beforeAll, expect, it } from "vitest";
import {
  ADS_SETTINGS,
  type AmazonAdsTest,
  connect,
  consent,
  followCallback,
  startAmazonAdsTest,
  startLogin,
} from "../testing/test-amazon-ads.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";

let test: AmazonAdsTest;
let user: TestUser;
beforeAll(async () => {
  test = await startAmazonAdsTest();
  user = await signUpUser(test.api);
});
afterAll(() => test.api.stop());

/** Runs every outcome of a login, and uses a successful connection. */
async function runAllOutcomes(): Promise<void> {
  await connect(test, user.browser, { account: "token-refused" });
  await connect(test, user.browser, { account: "ads-refused" });
  await connect(test, user.browser, { account: "token-is-a-page" });
  const page = await startLogin(test.api, user.browser);
  await followCallback(
    test.api,
    user.browser,
    await consent(test.standIn, page, { consent: "cancel" }),
  );
  const callback = await consent(test.standIn, await startLogin(test.api, user.browser));
  await followCallback(test.api, user.browser, callback);
  await followCallback(test.api, user.browser, callback);
  await test.api.query("UPDATE amazon_ads_connections SET checked_at = now() - interval '2 hours'");
  await test.api.request("GET", "/api/amazon-ads/connection", user.browser);
  const failedCallback = await consent(test.standIn, await startLogin(test.api, user.browser));
  await test.standIn.stop();
  await followCallback(test.api, user.browser, failedCallback);
}

/** Secrets in the requests to Amazon. */
function secretsSent(): string[] {
  const names = ["state", "code", "code_verifier", "refresh_token", "client_secret"];
  return test.standIn.requests.flatMap(({ url, headers, body }) => {
    const query = new URLSearchParams(url.split("?")[1]);
    const form = new URLSearchParams(body);
    const values = names.flatMap((name) => [query.get(name), form.get(name)]);
    return [...values, headers.authorization?.replace("Bearer ", "") ?? null].filter(
      (value) => value !== null,
    );
  });
}

it("logs, metrics and Redis keys contain no code, state, token, secret or email address", async () => {
  await runAllOutcomes();
  const secrets = new Set([...secretsSent(), ...(ADS_SETTINGS.ENCRYPTION_KEYS ?? [])]);
  for (const kind of [/^AN/, /^Atza\|/, /^Atzr\|/, /secret/]) {
    expect([...secrets].some((secret) => kind.test(secret))).toBe(true);
  }
  const outputs = [
    JSON.stringify(test.api.lines),
    await test.api.context.registry.metrics(),
    (await test.api.redis.keys("*")).join("\n"),
  ];
  for (const secret of [...secrets, "amazon.example", "Atza|", "Atzr|"]) {
    for (const output of outputs) expect(output).not.toContain(secret);
  }
  expect(outputs[0]).toContain("failed to connect Amazon Ads");
  expect(outputs[0]).toContain("api.amazon.com did not respond");
});
