import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-link";
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
  it("redirects a desktop to the very address in the redirect record", async () => {
    const response = await get(await codeInRedis());
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe(WEB_URL);
    expect(response.body).toBe("");
  });

  it("finds a link that only Postgres knows and puts its record back", async () => {
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

  it("takes a code in capitals for the same code, and a trailing slash for none", async () => {
    const code = await codeInRedis();
    expect((await get(code.toUpperCase())).headers.location).toBe(WEB_URL);
    expect((await get(`${code}/`)).headers.location).toBe(WEB_URL);
  });

  it("answers 404 for a code nobody knows, and keeps nothing of it", async () => {
    const code = newCode();
    const response = await get(code);
    expect(response.statusCode).toBe(404);
    expect(linksIn(response.body)).toEqual([`${PUBLIC_BASE_URL}/`]);
    expect(await records().get(code)).toBeNull();
    await database.insertLink(code);
    expect((await get(code)).statusCode).toBe(302);
  });

  it.each([
    ["deleted", 404],
    ["expired", 410],
    ["taken-down", 410],
  ] as const)("answers for the tombstone of a %s link with %d", async (reason, status) => {
    const code = newCode();
    await records().put(code, { state: "gone", revision: 2, reason });
    expect((await get(code)).statusCode).toBe(status);
  });

  it.each([
    ["deleted", 404],
    ["expired", 410],
  ])(
    "answers for a code retired as %s with %d, and puts the tombstone back",
    async (reason, status) => {
      const code = newCode();
      await database.client.query("INSERT INTO retired_codes VALUES ($1, $2, 3)", [code, reason]);
      expect((await get(code)).statusCode).toBe(status);
      await vi.waitFor(
        async () => {
          expect(await records().get(code)).toEqual({ state: "gone", revision: 3, reason });
        },
        { timeout: 10_000 },
      );
    },
  );

  it("answers 410 for a link that Postgres knows as taken down", async () => {
    const code = newCode();
    await database.insertLink(code, { taken_down_at: new Date() });
    expect((await get(code)).statusCode).toBe(410);
  });

  it.each(["Redis", "Postgres"])(
    "ends a link from %s at its expiry, to the millisecond",
    async (home) => {
      const expiresAt = Date.now() + 3_600_000;
      const code = newCode();
      if (home === "Redis") await records().put(code, liveRecord({ expiresAt }));
      else await database.insertLink(code, { expires_at: new Date(expiresAt) });

      const clock = vi.spyOn(service.context.resolving.clock, "now");
      for (const _ of [home, "memory"]) {
        clock.mockReturnValue(expiresAt - 1);
        expect((await get(code)).statusCode).toBe(302);
        clock.mockReturnValue(expiresAt);
        const response = await get(code);
        expect(response.statusCode).toBe(410);
        expect(response.headers).not.toHaveProperty("location");
      }
    },
  );

  it("passes the visitor's parameters on and keeps the owner's", async () => {
    const query = "?utm_source=ig&TAG=evil-21&th=2&tt_esc=1&fbclid=a%2Fb";
    const response = await get(await codeInRedis(), { query });
    expect(response.headers.location).toBe(`${WEB_URL}&utm_source=ig&fbclid=a%2Fb`);
  });

  it("sends no answer to a cache, an index or a guessing browser", async () => {
    const code = await codeInRedis();
    const answers = await Promise.all([
      ...[DESKTOP, IPHONE, CRAWLER].map((agent) => get(code, { agent })),
      get(newCode()),
    ]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-content-type-options": "nosniff",
      });
    }
  });

  it("counts by answer, device and source, never by code", async () => {
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

it("shows what a replica keeps, how far it is behind, and whether Redis and Postgres answer", async () => {
  await get(await codeInRedis());
  const figure = async (name: string) => {
    const text = await service.context.registry.getSingleMetricAsString(name);
    return Number(text.trim().split(" ").at(-1));
  };
  expect(await figure("tapthru_redirect_cache_links")).toBeGreaterThan(0);
  expect(await figure("tapthru_redirect_cache_bytes")).toBeGreaterThan(0);
  expect(await figure("tapthru_redirect_changes_lag_seconds")).toBeGreaterThan(0);
  expect(Math.abs(await figure("tapthru_redirect_clock_ahead_seconds"))).toBeLessThan(60);
  expect(await figure("tapthru_redis_up")).toBe(1);
  expect(await figure("tapthru_postgres_up")).toBe(1);
});

describe("HEAD /l/{code}", () => {
  it.each([
    ["a desktop", DESKTOP],
    ["a phone", IPHONE],
    ["a link-preview crawler", CRAWLER],
  ])("answers %s as GET does, without the body", async (_, agent) => {
    const url = `/l/${await codeInRedis()}`;
    const headers = { "user-agent": agent };
    const got = await service.app.inject({ method: "GET", url, headers });
    const head = await service.app.inject({ method: "HEAD", url, headers });
    expect(head.statusCode).toBe(got.statusCode);
    expect({ ...head.headers, date: "" }).toEqual({ ...got.headers, date: "" });
    expect(head.body).toBe("");
  });
});

describe("the phone's page", () => {
  it.each([
    ["iOS", IPHONE, iosAppLink, "https://apps.apple.com/app/id297606951"],
    [
      "Android",
      ANDROID,
      (webUrl: string) => androidIntent(webUrl, "de"),
      "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
    ],
  ])(
    "links on %s to the app, the web and the store, byte for byte",
    async (_, agent, appLink, store) => {
      const code = await codeInRedis();
      const response = await get(code, { agent, query: "?utm_source=%22x%22" });
      const webUrl = `${WEB_URL}&utm_source=%22x%22`;
      expect(response.statusCode).toBe(200);
      expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(response.headers["content-security-policy"]).toMatch(
        /^default-src 'none';.* img-src 'self';.* script-src 'sha256-[\w+/]+='; connect-src 'self'$/,
      );
      expect(linksIn(response.body)).toEqual([
        appLink(webUrl),
        webUrl,
        store,
        `/report?code=${code}`,
      ]);
      expect(response.body).toContain(' data-automatic=""');
    },
  );

  it("leaves the app alone when the browser only fetches ahead", async () => {
    const headers = { "sec-purpose": "prefetch;prerender" };
    const response = await get(await codeInRedis(), { agent: IPHONE, headers });
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toContain("data-automatic");
  });
});

describe("the language of a page", () => {
  const inGerman = { "accept-language": "de-CH,de;q=0.9,en;q=0.5" };
  const languageIn = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];

  it("is the visitor's, on a phone and where no link is", async () => {
    const answers = [
      await get(await codeInRedis(), { agent: IPHONE, headers: inGerman }),
      await get(newCode(), { headers: inGerman }),
      await get("%zz", { headers: inGerman }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 400]);
    expect(answers.map(({ body }) => languageIn(body))).toEqual(["de", "de", "de"]);
  });

  it("is English for who names none of ours", async () => {
    const headers = { "accept-language": "zh-CN" };
    const response = await get(await codeInRedis(), { agent: ANDROID, headers });
    expect(languageIn(response.body)).toBe("en");
  });
});

describe("the crawler's card", () => {
  it("keeps a hostile title a title, under the short address", async () => {
    const title = `"><script>__pwned=1</script><meta http-equiv=refresh content="0;url=//evil.example">`;
    const code = await codeInRedis({ title });
    const response = await get(code, { agent: CRAWLER });
    expect(response.statusCode).toBe(200);
    const { document } = new Window();
    document.write(response.body);
    const content = (key: string) =>
      document.querySelector(`meta[property="${key}"]`)?.getAttribute("content");
    expect(content("og:title")).toBe(title);
    expect(content("og:url")).toBe(`${PUBLIC_BASE_URL}/l/${code}`);
    expect(document.querySelectorAll("script, meta[http-equiv]")).toHaveLength(0);
  });
});

describe("a poisoned record", () => {
  const hostile = "https://amazon.com.evil.example/dp/B0ZZ1Y2X3W";

  it("in Redis gives way to what Postgres says", async () => {
    const code = await codeInRedis({ webUrl: hostile });
    await database.insertLink(code);
    expect((await get(code)).headers.location).toBe(WEB_URL);
    await vi.waitFor(async () => expect(await records().get(code)).toEqual(liveRecord()), {
      timeout: 10_000,
    });
  });

  it("in Postgres is no link, and is not put into Redis", async () => {
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
  "Postgres takes no link that expires at %s, which no record can say",
  async (expiresAt) => {
    const inserting = database.insertLink(newCode(), { expires_at: expiresAt });
    await expect(inserting).rejects.toThrow("links_expires_at_in_range");
  },
);

describe("a malformed request", () => {
  beforeAll(() => service.app.listen({ host: "127.0.0.1", port: 0 }));

  function send(request: string): Promise<string> {
    const { port } = service.app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    socket.write(request, "latin1");
    return text(socket);
  }

  async function ask(path: string, method = "GET"): Promise<number> {
    const headers = "Host: go.example\r\nConnection: close";
    const request = Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    return Number((await send(request.toString("latin1"))).split(" ")[1]);
  }

  it.each([
    ...["/", "/l", "/l/", "/l//", "/l/abc", "/l/abc2345/x", "/l/../../etc/passwd", "/l/..%2f..%2f"],
    ...["/l/%", "/l/%0", "/l/%zz", "/l/%00", "/l/%E0%A4%A", "/l/%c0%ae", "/l/abc234%00", "/l/😀"],
    ...["/l/abc234l", "/l/abc 345", "/l/<script>", "/l/constructor", "/l/__proto__"],
  ])("for %s is refused", async (path) => {
    expect([400, 404]).toContain(await ask(path));
  });

  it.each([101, 15_000, 20_000])("of %d characters is refused, not failed", async (length) => {
    const status = await ask(`/l/${"a".repeat(length)}`);
    expect([404, 414, 431]).toContain(status);
  });

  it.each([
    ["GET /l/abc2345?\xff HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["GET /l/abc2345 HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n", 400],
    [`GET /l/abc2345 HTTP/1.1\r\nHost: a\r\nX-A: ${"b".repeat(20_000)}\r\n\r\n`, 431],
  ])("that is no HTTP is refused in a sentence, and not kept", async (request, status) => {
    const answer = await send(request);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain("\r\nCache-Control: no-store\r\nContent-Type: text/plain;");
    expect(answer).toMatch(/\r\n\r\nThe request could not be read\.$/);
  });

  it("of another method is refused", async () => {
    expect(await ask(`/l/${newCode()}`, "DELETE")).toBe(404);
  });
});

describe("the card of /redirect", () => {
  const ask = (query: string, method: "GET" | "HEAD" = "GET") =>
    service.app.inject({ method, url: `/redirect${query}`, headers: { "user-agent": CRAWLER } });
  const query = `?product_id=B0ZZ1Y2X3W&original_url=${encodeURIComponent(WEB_URL)}`;

  it("names the Amazon address of a deep link, under the deep link's own", async () => {
    const response = await ask(query);
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

  it("answers HEAD alike", async () => {
    const head = await ask(query, "HEAD");
    expect(head.statusCode).toBe(200);
    expect(head.headers["content-length"]).toBe((await ask(query)).headers["content-length"]);
    expect(head.body).toBe("");
  });

  it.each([
    "",
    "?product_id=jane-doe",
    "?product_id=B0ZZ1Y2X3W&original_url=https://evil.example/dp/B0ZZ1Y2X3W",
    "?product_id=%00%zz&original_url=%c0%ae",
  ])("is no page for %s", async (hostile) => {
    const response = await ask(hostile);
    expect(response.statusCode).toBe(404);
    expect(linksIn(response.body)).toEqual([`${PUBLIC_BASE_URL}/`]);
  });
});
