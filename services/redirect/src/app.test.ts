import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { Window } from "happy-dom";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  ANDROID,
  CRAWLER,
  createTestDatabase,
  DESKTOP,
  IPHONE,
  liveRecord,
  newCode,
  PUBLIC_BASE_URL,
  startTestService,
  type TestDatabase,
  type TestService,
  WEB_URL,
} from "./testing/test-service.ts";

let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({
    databaseUrl: database.url,
    redisUrl: process.env.TEST_REDIS_URL ?? "",
  });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const records = () => service.context.redirectStore;

function get(code: string, { agent = DESKTOP, query = "", headers = {} } = {}) {
  return service.app.inject({
    url: `/l/${code}${query}`,
    headers: { "user-agent": agent, ...headers },
  });
}

async function codeInRedis(fields = {}): Promise<string> {
  const code = newCode();
  await records().put(code, liveRecord(fields));
  return code;
}

function linksIn(html: string) {
  const { document } = new Window();
  document.write(html);
  return [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));
}

describe("GET /l/{code}", () => {
  it("redirects a desktop to exactly the address in the redirect record", async () => {
    const response = await get(await codeInRedis());
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe(WEB_URL);
    expect(response.body).toBe("");
  });

  it("finds a link that only Postgres knows and restores its record in Redis", async () => {
    const code = newCode();
    const expiresAt = Date.now() + 60_000;
    const canonicalUrl = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    await database.client.query(
      `INSERT INTO products (canonical_url, marketplace, product_id, title, image_url)
       VALUES ($1, 'de', 'B0ZZ1Y2X3W', 'The page''s title', 'https://m.media-amazon.com/images/I/71abc.jpg')`,
      [canonicalUrl],
    );
    await database.insertLink(code, {
      revision: 4,
      expires_at: new Date(expiresAt),
      canonical_url: canonicalUrl,
      title: "The owner's title",
    });

    const response = await get(code);
    expect(response.headers.location).toBe(WEB_URL);
    await vi.waitFor(
      async () => {
        expect(await records().get(code)).toEqual(
          liveRecord({
            revision: 4,
            expiresAt,
            title: "The owner's title",
            imageUrl: "https://m.media-amazon.com/images/I/71abc.jpg",
          }),
        );
      },
      { timeout: 10_000 },
    );
  });

  it("opens for an address in capitals, with a slash or with what stood beside it", async () => {
    const code = await codeInRedis();
    for (const text of [code.toUpperCase(), `${code}/`, `${code}.`, `${code}%E2%80%9D`])
      expect((await get(text)).headers.location).toBe(WEB_URL);
  });

  it("takes what follows `&`, `;` or `%3F` as the visitor's query", async () => {
    const code = await codeInRedis();
    for (const separator of ["&", "/&", ";", "%3F", ".%3f"]) {
      const response = await get(`${code}${separator}utm_source=ig&tag=evil-21`);
      expect(response.headers.location).toBe(`${WEB_URL}&utm_source=ig`);
    }
  });

  it("responds with 404 to an unknown code and writes no record", async () => {
    const code = newCode();
    const response = await get(code);
    expect(response.statusCode).toBe(404);
    expect(linksIn(response.body)).toEqual([`${PUBLIC_BASE_URL}/`]);
    expect(await records().get(code)).toBeNull();
    await database.insertLink(code);
    expect((await get(code)).statusCode).toBe(302);
  });

  it.each(["deleted", "expired", "taken-down"] as const)(
    "responds to the tombstone of a %s link with 410",
    async (reason) => {
      const code = newCode();
      await records().put(code, { state: "gone", revision: 2, reason });
      expect((await get(code)).statusCode).toBe(410);
    },
  );

  it.each(["deleted", "expired"])(
    "responds to a code retired as %s with 410 and restores the tombstone in Redis",
    async (reason) => {
      const code = newCode();
      await database.client.query("INSERT INTO retired_codes VALUES ($1, $2, 3)", [code, reason]);
      expect((await get(code)).statusCode).toBe(410);
      await vi.waitFor(
        async () => {
          expect(await records().get(code)).toEqual({ state: "gone", revision: 3, reason });
        },
        { timeout: 10_000 },
      );
    },
  );

  it("responds with 410 to a link that is taken down in Postgres", async () => {
    const code = newCode();
    await database.insertLink(code, { taken_down_at: new Date() });
    expect((await get(code)).statusCode).toBe(410);
  });

  it.each(["Redis", "Postgres"])("expires a link from %s exactly at its expiry", async (source) => {
    const expiresAt = Date.now() + 3_600_000;
    const code = newCode();
    if (source === "Redis") await records().put(code, liveRecord({ expiresAt }));
    else await database.insertLink(code, { expires_at: new Date(expiresAt) });

    const clock = vi.spyOn(service.context.resolverStack.clock, "now");
    for (const _ of [source, "memory"]) {
      clock.mockReturnValue(expiresAt - 1);
      expect((await get(code)).statusCode).toBe(302);
      clock.mockReturnValue(expiresAt);
      const response = await get(code);
      expect(response.statusCode).toBe(410);
      expect(response.headers).not.toHaveProperty("location");
    }
  });

  it("adds the visitor's parameters and keeps the owner's", async () => {
    const query = "?utm_source=ig&TAG=evil-21&th=2&tt_esc=1&fbclid=a%2Fb";
    const response = await get(await codeInRedis(), { query });
    expect(response.headers.location).toBe(`${WEB_URL}&utm_source=ig&fbclid=a%2Fb`);
  });

  it("sends headers against caching, indexing and content sniffing", async () => {
    const code = await codeInRedis();
    const responses = await Promise.all([
      ...[DESKTOP, IPHONE, CRAWLER].map((agent) => get(code, { agent })),
      get(newCode()),
    ]);
    for (const { headers } of responses) {
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-content-type-options": "nosniff",
      });
    }
  });

  it("counts by response, device and source, never by code", async () => {
    const code = await codeInRedis();
    const { registry } = service.context;
    await registry.metrics();
    registry.resetMetrics();
    await get(code);
    await get(code, { agent: IPHONE });
    await get(newCode());
    const text = await registry.getSingleMetricAsString("tapthru_redirects_total");
    expect(text).toMatch(/reply="redirect",device="desktop",source="redis".* 1$/m);
    expect(text).toMatch(/reply="app-page",device="ios",source="l1".* 1$/m);
    expect(text).toMatch(/reply="not-found",device="desktop",source="postgres".* 1$/m);
    expect(text).not.toContain(code);
  });
});

it("exports the cache's size, the lag of changes, the clock's offset and the state of Redis and Postgres", async () => {
  await get(await codeInRedis());
  const metric = async (name: string) => {
    const text = await service.context.registry.getSingleMetricAsString(name);
    return Number(text.trim().split(" ").at(-1));
  };
  expect(await metric("tapthru_redirect_cache_links")).toBeGreaterThan(0);
  expect(await metric("tapthru_redirect_cache_bytes")).toBeGreaterThan(0);
  expect(await metric("tapthru_redirect_changes_lag_seconds")).toBeGreaterThan(0);
  expect(Math.abs(await metric("tapthru_redirect_clock_ahead_seconds"))).toBeLessThan(60);
  expect(await metric("tapthru_redis_up")).toBe(1);
  expect(await metric("tapthru_postgres_up")).toBe(1);
});

describe("HEAD /l/{code}", () => {
  it.each([
    ["a desktop", DESKTOP],
    ["a phone", IPHONE],
    ["a link-preview crawler", CRAWLER],
  ])("responds to %s like GET, without the body", async (_, agent) => {
    const url = `/l/${await codeInRedis()}`;
    const headers = { "user-agent": agent };
    const getResponse = await service.app.inject({ method: "GET", url, headers });
    const head = await service.app.inject({ method: "HEAD", url, headers });
    expect(head.statusCode).toBe(getResponse.statusCode);
    expect({ ...head.headers, date: "" }).toEqual({ ...getResponse.headers, date: "" });
    expect(head.body).toBe("");
  });
});

describe("page for phones", () => {
  it.each([
    ["iOS", IPHONE, iosAppLink, "https://apps.apple.com/app/id297606951"],
    [
      "Android",
      ANDROID,
      (webUrl: string) => androidIntent(webUrl, "de"),
      "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
    ],
  ])("links on %s to exactly the addresses of the app, the web and the store", async (_, agent, appLink, store) => {
    const code = await codeInRedis();
    const response = await get(code, { agent, query: "?utm_source=%22x%22" });
    const webUrl = `${WEB_URL}&utm_source=%22x%22`;
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["content-security-policy"]).toMatch(
      /^default-src 'none';.* img-src 'self';.* script-src 'sha256-[\w+/]+='; connect-src 'self'$/,
    );
    expect(linksIn(response.body)).toEqual([appLink(webUrl), webUrl, store, `/report?code=${code}`]);
    expect(response.body).toContain(' data-automatic=""');
  });

  it("does not open the app when the browser prefetches the page", async () => {
    const headers = { "sec-purpose": "prefetch;prerender" };
    const response = await get(await codeInRedis(), { agent: IPHONE, headers });
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toContain("data-automatic");
  });
});

describe("language of a page", () => {
  const inGerman = { "accept-language": "de-CH,de;q=0.9,en;q=0.5" };
  const languageIn = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];

  it("is the visitor's, on app-opening and error pages", async () => {
    const responses = [
      await get(await codeInRedis(), { agent: IPHONE, headers: inGerman }),
      await get(newCode(), { headers: inGerman }),
      await get("%zz", { headers: inGerman }),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 404, 400]);
    expect(responses.map(({ body }) => languageIn(body))).toEqual(["de", "de", "de"]);
  });

  it("is English if the visitor accepts no supported language", async () => {
    const headers = { "accept-language": "zh-CN" };
    const response = await get(await codeInRedis(), { agent: ANDROID, headers });
    expect(languageIn(response.body)).toBe("en");
  });
});

describe("preview card", () => {
  it("escapes a hostile title and names the short link", async () => {
    const title = `"><script>__pwned=1</script><meta http-equiv=refresh content="0;url=//evil.example">`;
    const code = await codeInRedis({ title });
    const response = await get(code, { agent: CRAWLER });
    expect(response.statusCode).toBe(200);
    const { document } = new Window();
    document.write(response.body);
    const content = (key: string) => document.querySelector(`meta[property="${key}"]`)?.getAttribute("content");
    expect(content("og:title")).toBe(title);
    expect(content("og:url")).toBe(`${PUBLIC_BASE_URL}/l/${code}`);
    expect(document.querySelectorAll("script, meta[http-equiv]")).toHaveLength(0);
  });

  it("keeps the query of its address, so that crawlers read it again, without tags", async () => {
    const code = await codeInRedis();
    const ownUrl = async (query: string) => {
      const { body } = await get(code, { agent: CRAWLER, query });
      return /property="og:url" content="(.*?)"/.exec(body)?.[1];
    };
    const url = `${PUBLIC_BASE_URL}/l/${code}`;
    expect(await ownUrl("?v=2")).toBe(`${url}?v=2`);
    expect(await ownUrl("?v=3&tag=evil-21&tt_esc=1&b='%22%3E")).toBe(`${url}?v=3&amp;b=%27%22%3E`);
    expect(await ownUrl("")).toBe(url);
    expect(await ownUrl(`?v=${"x".repeat(8_192)}`)).toBe(url);
  });
});

describe("record with a hostile address", () => {
  const hostile = "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W";

  it("in Redis is replaced by the link in Postgres", async () => {
    const code = await codeInRedis({ webUrl: hostile });
    await database.insertLink(code);
    expect((await get(code)).headers.location).toBe(WEB_URL);
    await vi.waitFor(async () => expect(await records().get(code)).toEqual(liveRecord()), {
      timeout: 10_000,
    });
  });

  it("in Postgres is an unknown link and is not written to Redis", async () => {
    const code = newCode();
    await database.insertLink(code, { web_url: hostile });
    const response = await get(code, { agent: ANDROID });
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain("evil.example");
    expect(await records().get(code)).toBeNull();
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

describe("malformed request", () => {
  beforeAll(() => service.app.listen({ host: "127.0.0.1", port: 0 }));

  function send(request: string): Promise<string> {
    const { port } = service.app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.write(request, "latin1");
    return text(socket);
  }

  async function statusOf(path: string, method = "GET"): Promise<number> {
    const headers = "Host: go.example\r\nConnection: close";
    const request = Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    return Number((await send(request.toString("latin1"))).split(" ")[1]);
  }

  it.each([
    ...["/", "/l", "/l/", "/l//", "/l/abc", "/l/abc2345/x", "/l/../../etc/passwd", "/l/..%2f..%2f"],
    ...["/l/%", "/l/%0", "/l/%zz", "/l/%00", "/l/%E0%A4%A", "/l/%c0%ae", "/l/abc234%00", "/l/😀"],
    ...["/l/abc234l", "/l/abc 345", "/l/<script>", "/l/constructor", "/l/__proto__"],
  ])("for %s is rejected", async (path) => {
    expect([400, 404]).toContain(await statusOf(path));
  });

  it.each([101, 15_000, 20_000])("of %d characters is rejected without a server error", async (length) => {
    const status = await statusOf(`/l/${"a".repeat(length)}`);
    expect([404, 414, 431]).toContain(status);
  });

  it.each([
    ["GET /l/abc2345?\xff HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["GET /l/abc2345 HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n", 400],
    [`GET /l/abc2345 HTTP/1.1\r\nHost: a\r\nX-A: ${"b".repeat(20_000)}\r\n\r\n`, 431],
  ])("that is not valid HTTP gets a text response that is not cached", async (request, status) => {
    const response = await send(request);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(response).toContain("\r\nCache-Control: no-store\r\nContent-Type: text/plain;");
    expect(response).toMatch(/\r\n\r\nThe request could not be read\.$/);
  });

  it("with another method is rejected", async () => {
    expect(await statusOf(`/l/${newCode()}`, "DELETE")).toBe(404);
  });
});

describe("card of /redirect", () => {
  const getCard = (query: string, method: "GET" | "HEAD" = "GET") =>
    service.app.inject({ method, url: `/redirect${query}`, headers: { "user-agent": CRAWLER } });
  const query = `?product_id=B0ZZ1Y2X3W&original_url=${encodeURIComponent(WEB_URL)}`;

  it("links to the Amazon address and names the deep link", async () => {
    const response = await getCard(query);
    expect(response.statusCode).toBe(200);
    expect(linksIn(response.body)).toEqual([WEB_URL]);
    const { document } = new Window();
    document.write(response.body);
    expect(document.title).toBe("Tapthru - Open in Amazon App");
    expect(document.querySelector('meta[property="og:url"]')?.getAttribute("content")).toBe(
      `${PUBLIC_BASE_URL}/redirect${query}`,
    );
    expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("responds to HEAD like GET", async () => {
    const head = await getCard(query, "HEAD");
    expect(head.statusCode).toBe(200);
    expect(head.headers["content-length"]).toBe((await getCard(query)).headers["content-length"]);
    expect(head.body).toBe("");
  });

  it.each([
    "",
    "?product_id=jane-doe",
    "?product_id=B0ZZ1Y2X3W&original_url=https://evil.example/dp/B0ZZ1Y2X3W",
    "?product_id=%00%zz&original_url=%c0%ae",
  ])("does not exist for %s", async (hostile) => {
    const response = await getCard(hostile);
    expect(response.statusCode).toBe(404);
    expect(linksIn(response.body)).toEqual([`${PUBLIC_BASE_URL}/`]);
  });
});
