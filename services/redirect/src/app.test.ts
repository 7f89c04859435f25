import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { afterEach, describe, expect, it, vi } from "vitest";
import { eventually, linksIn, parseHtml, startWorld } from "./testing/start-world.ts";
import {
  ANDROID,
  CRAWLER,
  DESKTOP,
  IPHONE,
  liveRecord,
  newCode,
  PUBLIC_BASE_URL,
  WEB_URL,
} from "./testing/test-service.ts";

const { service, context, database, records, addRecord, get } = await startWorld();
afterEach(() => {
  vi.restoreAllMocks();
});

const statusOf = async (code: string) => (await get(`/l/${code}`)).statusCode;

describe("GET /l/{code}", () => {
  it("redirects a desktop to exactly the address in the redirect record", async () => {
    const { statusCode, headers, body } = await get(`/l/${await addRecord()}`);
    expect([statusCode, headers.location, body]).toEqual([302, WEB_URL, ""]);
  });

  it("finds a link that only Postgres knows and restores its record in Redis", async () => {
    const code = newCode();
    const expiresAt = Date.now() + 3_600_000;
    const canonicalUrl = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const imageUrl = "https://m.media-amazon.com/images/I/71abc.jpg";
    await database.client.query(
      `INSERT INTO products (canonical_url, marketplace, product_id, title, image_url)
       VALUES ($1, 'de', 'B0ZZ1Y2X3W', 'The page''s title', $2)`,
      [canonicalUrl, imageUrl],
    );
    const title = "The owner's title";
    const columns = { revision: 4, expires_at: new Date(expiresAt), canonical_url: canonicalUrl, title };
    await database.insertLink(code, columns);
    expect((await get(`/l/${code}`)).headers.location).toBe(WEB_URL);
    const record = liveRecord({ revision: 4, expiresAt, title, imageUrl });
    await eventually(async () => expect(await records.get(code)).toEqual(record));
  });

  it("opens for an address in capitals, with a slash, and with a query after another separator", async () => {
    const code = await addRecord();
    for (const text of [code.toUpperCase(), `${code}/`, `${code}%E2%80%9D`])
      expect((await get(`/l/${text}`)).headers.location).toBe(WEB_URL);
    const { headers } = await get(`/l/${code}%3Futm_source=ig&tag=evil-21`);
    expect(headers.location).toBe(`${WEB_URL}&utm_source=ig`);
  });

  it("responds with 404 to an unknown code and writes no record", async () => {
    const code = newCode();
    const { statusCode, body } = await get(`/l/${code}`);
    expect([statusCode, linksIn(body)]).toEqual([404, [`${PUBLIC_BASE_URL}/`]]);
    expect(await records.get(code)).toBeNull();
  });

  it.each(["deleted", "expired"])(
    "responds to a code retired as %s with 410 and restores the tombstone in Redis",
    async (reason) => {
      const code = newCode();
      await database.client.query("INSERT INTO retired_codes VALUES ($1, $2, 3)", [code, reason]);
      expect(await statusOf(code)).toBe(410);
      await eventually(async () => expect(await records.get(code)).toEqual({ state: "gone", revision: 3, reason }));
    },
  );

  it("responds with 410 to a link that is taken down in Postgres", async () => {
    const code = newCode();
    await database.insertLink(code, { taken_down_at: new Date() });
    expect(await statusOf(code)).toBe(410);
  });

  it.each(["Redis", "Postgres"])("expires a link from %s exactly at its expiry", async (source) => {
    const expiresAt = Date.now() + 3_600_000;
    const code = newCode();
    if (source === "Redis") await records.put(code, liveRecord({ expiresAt }));
    else await database.insertLink(code, { expires_at: new Date(expiresAt) });
    const clock = vi.spyOn(context.resolverStack.clock, "now");
    for (const _ of [source, "memory"]) {
      clock.mockReturnValue(expiresAt - 1);
      expect(await statusOf(code)).toBe(302);
      clock.mockReturnValue(expiresAt);
      const { statusCode, headers } = await get(`/l/${code}`);
      expect([statusCode, headers.location]).toEqual([410, undefined]);
    }
  });

  it("adds the visitor's parameters and keeps the owner's", async () => {
    const query = "?utm_source=ig&TAG=evil-21&th=2&tt_esc=1&fbclid=a%2Fb";
    const { headers } = await get(`/l/${await addRecord()}${query}`);
    expect(headers.location).toBe(`${WEB_URL}&utm_source=ig&fbclid=a%2Fb`);
  });

  it.each([
    ["a desktop", DESKTOP, true],
    ["a phone", IPHONE, true],
    ["a crawler", CRAWLER, true],
    ["an unknown code", DESKTOP, false],
  ])("has headers against caching, indexing and content sniffing, also for HEAD: %s", async (_, agent, exists) => {
    const url = `/l/${exists ? await addRecord() : newCode()}`;
    const response = await get(url, { agent });
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-content-type-options": "nosniff",
    });
    const head = await get(url, { agent, method: "HEAD" });
    expect([head.statusCode, head.body]).toEqual([response.statusCode, ""]);
    expect({ ...head.headers, date: "" }).toEqual({ ...response.headers, date: "" });
  });

  it("counts by response, device and source, never by code", async () => {
    const code = await addRecord();
    await context.registry.metrics();
    context.registry.resetMetrics();
    await get(`/l/${code}`);
    await get(`/l/${code}`, { agent: IPHONE });
    await get(`/l/${newCode()}`);
    const text = await context.registry.getSingleMetricAsString("tapthru_redirects_total");
    expect(text).toMatch(/reply="redirect",device="desktop",source="redis".* 1$/m);
    expect(text).toMatch(/reply="app-page",device="ios",source="l1".* 1$/m);
    expect(text).toMatch(/reply="not-found",device="desktop",source="postgres".* 1$/m);
    expect(text).not.toContain(code);
  });
});

it("exports the cache's size, the lag of changes, the clock's offset and the state of Redis and Postgres", async () => {
  await get(`/l/${await addRecord()}`);
  const metric = async (name: string) => {
    const text = await context.registry.getSingleMetricAsString(name);
    return Number(text.trim().split(" ").at(-1));
  };
  for (const name of ["cache_links", "cache_bytes", "changes_lag_seconds"])
    expect(await metric(`tapthru_redirect_${name}`)).toBeGreaterThan(0);
  expect(await metric("tapthru_redirect_clock_ahead_seconds")).not.toBeNaN();
  expect([await metric("tapthru_redis_up"), await metric("tapthru_postgres_up")]).toEqual([1, 1]);
});

it.each([
  ["iOS", IPHONE, iosAppLink, "https://apps.apple.com/app/id297606951"],
  [
    "Android",
    ANDROID,
    (webUrl: string) => androidIntent(webUrl, "de"),
    "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
  ],
])("the page on %s links to exactly the addresses of the app, the web and the store", async (_, agent, app, store) => {
  const code = await addRecord();
  const { statusCode, headers, body } = await get(`/l/${code}?utm_source=%22x%22`, { agent });
  const webUrl = `${WEB_URL}&utm_source=%22x%22`;
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none';.* img-src 'self';.* script-src 'sha256-[\w+/]+='; connect-src 'self'$/,
  );
  expect(linksIn(body)).toEqual([app(webUrl), webUrl, store, `/report?code=${code}`]);
  expect(body).toContain(' data-automatic=""');
});

it("pages are in the visitor's language, also those of errors", async () => {
  const headers = { "accept-language": "de-CH,de;q=0.9,en;q=0.5" };
  const codes = [await addRecord(), newCode(), "%zz"];
  const responses = await Promise.all(codes.map((code) => get(`/l/${code}`, { agent: IPHONE, headers })));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 404, 400]);
  for (const { body } of responses) expect(body).toContain('<html lang="de"');
});

it("a preview card keeps the query of its address, so that crawlers read it again, without tags", async () => {
  const url = `/l/${await addRecord()}`;
  const ownUrl = async (query: string) => {
    const { body } = await get(url + query, { agent: CRAWLER });
    return /property="og:url" content="(.*?)"/.exec(body)?.[1];
  };
  const expected = `${PUBLIC_BASE_URL}${url}`;
  expect(await ownUrl("?v=2")).toBe(`${expected}?v=2`);
  expect(await ownUrl("?v=3&tag=evil-21&tt_esc=1&b='%22%3E")).toBe(`${expected}?v=3&amp;b=%27%22%3E`);
  expect(await ownUrl("")).toBe(expected);
  expect(await ownUrl(`?v=${"x".repeat(8_192)}`)).toBe(expected);
});

describe("record with a hostile address", () => {
  const hostile = "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W";

  it("replaces a record with a hostile address in Redis by the link in Postgres", async () => {
    const code = await addRecord({ webUrl: hostile });
    await database.insertLink(code);
    expect((await get(`/l/${code}`)).headers.location).toBe(WEB_URL);
    await eventually(async () => expect(await records.get(code)).toEqual(liveRecord()));
  });

  it("a link with a hostile address in Postgres is unknown and is not written to Redis", async () => {
    const code = newCode();
    await database.insertLink(code, { web_url: hostile });
    const { statusCode, body } = await get(`/l/${code}`, { agent: ANDROID });
    expect(statusCode).toBe(404);
    expect(body).not.toContain("evil.example");
    expect(await records.get(code)).toBeNull();
    expect(service.lines.at(-1)?.msg).toBe("link in Postgres does not lead to an Amazon store");
  });
});

it.each(["infinity", "-infinity", "294276-12-31"])(
  "Postgres rejects a link that expires at %s, which no record can express",
  async (expiresAt) => {
    const inserting = database.insertLink(newCode(), { expires_at: expiresAt });
    await expect(inserting).rejects.toThrow("links_expires_at_in_range");
  },
);

describe("card of /redirect", () => {
  const query = `?product_id=B0ZZ1Y2X3W&original_url=${encodeURIComponent(WEB_URL)}`;
  it("links to the Amazon address and names the deep link", async () => {
    const { statusCode, body, headers } = await get(`/redirect${query}`, { agent: CRAWLER });
    const document = parseHtml(body);
    expect([statusCode, linksIn(body), document.title]).toEqual([200, [WEB_URL], "Tapthru - Open in Amazon App"]);
    const address = document.querySelector('meta[property="og:url"]')?.getAttribute("content");
    expect(address).toBe(`${PUBLIC_BASE_URL}/redirect${query}`);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    const head = await get(`/redirect${query}`, { agent: CRAWLER, method: "HEAD" });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(headers["content-length"]);
  });
  it.each([
    "",
    "?product_id=jane-doe",
    "?product_id=B0ZZ1Y2X3W&original_url=https://evil.example/dp/B0ZZ1Y2X3W",
    "?product_id=%00%zz&original_url=%c0%ae",
  ])("does not exist for %s", async (hostile) => {
    const { statusCode, body } = await get(`/redirect${hostile}`, { agent: CRAWLER });
    expect([statusCode, linksIn(body)]).toEqual([404, [`${PUBLIC_BASE_URL}/`]]);
  });
});
