import { freePort } from "@tapthru/core/platform/testing/free-port";
import { sharedGateway } from "@tapthru/gateway/testing/start-gateway";
import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { createApiKey } from "@tapthru/stack/testing/callers";
import { startService } from "@tapthru/stack/testing/service-process";
import { afterAll, expect, it } from "vitest";

const port = await freePort();
const publicBaseUrl = `http://127.0.0.1:${port}`;
const database = await createThrowawayDatabase();
// A database of its own: users have the same ids in several tests.
const redis = { REDIS_CACHE_URL: `${process.env.TEST_REDIS_URL}/3`, REDIS_QUEUE_URL: process.env.TEST_REDIS_URL };
const settings = { ...redis, PUBLIC_BASE_URL: publicBaseUrl, RATE_LIMITS: "off" };
const api = await startService("api", { ...settings, DATABASE_URL: await database.urlAs("tapthru_api") });
const redirect = await startService("redirect", {
  ...settings,
  DATABASE_URL: await database.urlAs("tapthru_redirect"),
});
afterAll(async () => {
  await Promise.all([api.stop(), redirect.stop()]);
  await database.drop();
});
await sharedGateway({
  PORT: port,
  PUBLIC_BASE_URL: publicBaseUrl,
  api: [new URL(api.url).host],
  redirect: [new URL(redirect.url).host],
});
const key = await createApiKey(publicBaseUrl, database.url);
await database.rows(`
  WITH owner AS (UPDATE users SET shows_disclosure = true RETURNING id), link AS (
    INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, tag, asin, user_id, starts_at,
      canonical_url, fallback_url)
    SELECT code, page || '?tag=own-21', page || '?tag=own-21', 'x?product_id=x', 'de', 'own-21', asin, id, starts_at, page,
      'https://www.amazon.de/shop/ada'
    FROM owner, (VALUES ('answered', 'B0ZZ1Y2X3W', NULL), ('goneone', 'B0ZZ1Y2X3V', NULL), ('later', 'B0ZZ1Y2X3W',
      now() + interval '1 day')) AS each (code, asin, starts_at), concat('https://www.amazon.de/dp/', asin) AS page
    RETURNING id, short_code
  ), product AS (
    INSERT INTO products (canonical_url, marketplace, product_id, check_state)
    VALUES ('https://www.amazon.de/dp/B0ZZ1Y2X3V', 'de', 'B0ZZ1Y2X3V', 'product-gone')
  ) INSERT INTO link_codes (short_code, link_id, is_untagged)
  SELECT short_code || '-print', id, true FROM link WHERE short_code = 'answered'`);

it("the live redirect keeps all promises of the answer, and its requests are no visits", async () => {
  const response = await fetch(`${publicBaseUrl}/api/compliance-report`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/html" },
  });
  const html = await response.text();
  expect([response.status, html.match(/<td>(yes|NO|not seen)<\/td>/g)]).toEqual([200, Array(8).fill("<td>yes</td>")]);
  const metrics = await (await fetch(`${redirect.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^tapthru_redirects_total\{.*reply="app-page"/m);
  expect(metrics).not.toMatch(/^tapthru_clicks_total\{.*\} [1-9]/m);
});
