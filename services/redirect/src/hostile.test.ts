import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-opening/app-link";
import { LOGO_SVG } from "@tapthru/proto/rules/page-style";
import { load } from "cheerio";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { HOSTILE_VALUES } from "./testing/hostile-values.ts";
import {
  ANDROID,
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

const STORES = [
  "https://apps.apple.com/app/id297606951",
  "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
];

let database: TestDatabase;
let service: TestService;
let port: number;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({
    databaseUrl: database.url,
    redisUrl: process.env.TEST_REDIS_URL ?? "",
    rateLimits: "off",
  });
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = service.app.server.address() as AddressInfo);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

interface RawResponse {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Uses a plain socket, so that the path is neither validated nor escaped. */
async function get(path: string, agent: string): Promise<RawResponse> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const request = `GET ${path} HTTP/1.1\r\nHost: go.example\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`;
  socket.write(request);
  const [head = "", ...body] = (await text(socket)).split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: new Map(headers),
    body: body.join("\r\n\r\n"),
  };
}

/** Repeats the request while lookups in Postgres are limited: a rejected record causes a lookup. */
async function getWhenLookedUp(path: string, agent: string): Promise<RawResponse> {
  return await vi.waitFor(
    async () => {
      const response = await get(path, agent);
      if (response.status === 503) throw new Error("not looked up yet");
      return response;
    },
    { timeout: 10_000 },
  );
}

/** The response leads only to the link's destination, the app, the app's stores and this site. */
function expectHarmless({ status, headers, body }: RawResponse): void {
  expect([200, 302, 400, 404, 414, 431]).toContain(status);
  for (const name of ["x-pwned", "set-cookie", "refresh"]) expect(headers.has(name)).toBe(false);
  const location = headers.get("location");
  if (location !== undefined) expect(location).toMatch(/^https:\/\/www\.amazon\.de\/[\x21-\x7e]*$/);

  const $ = load(body.replace(LOGO_SVG, ""));
  expect($("base, iframe, img, svg, object, meta[http-equiv], [src], [style]")).toHaveLength(0);
  expect($("script")).toHaveLength($("#app").length);
  for (const element of $("*").toArray()) {
    const names = Object.keys($(element).attr() ?? {});
    expect(names.filter((name) => name.startsWith("on") || name === "autofocus")).toEqual([]);
  }
  for (const link of $("a").toArray()) expect(isExpectedAddress($(link).attr("href") ?? "")).toBe(true);
}

function isExpectedAddress(href: string): boolean {
  if (STORES.includes(href) || href === `${PUBLIC_BASE_URL}/`) return true;
  if (/^\/report\?code=[2-9a-z]{7}$/.test(href)) return true;
  if (/^(https|com\.amazon\.mobile\.shopping\.web):\/\/www\.amazon\.de\/[^#\s]*$/.test(href)) {
    return true;
  }
  const intent =
    /^intent:\/\/(www\.amazon\.de\/[^#\s]*)#Intent;scheme=https;package=com\.amazon\.mShop\.android\.shopping;S\.browser_fallback_url=([^;#]+);end$/.exec(
      href,
    );
  return intent !== null && decodeURIComponent(intent[2] ?? "") === `https://${intent[1]}`;
}

/** UTF-8 bytes as one character each. A line break in them ends the request line. */
const toPathPart = (value: string) => Buffer.from(value, "utf8").toString("latin1");

describe("hostile values", () => {
  it("include at least 200", () => {
    expect(HOSTILE_VALUES.length).toBeGreaterThanOrEqual(200);
  });

  it.each([
    ["desktops", DESKTOP],
    ["iPhones", IPHONE],
    ["Android phones", ANDROID],
  ])("in the visitor's query do not change where %s go", async (_clients, agent) => {
    const code = newCode();
    await service.context.redirectStore.put(code, liveRecord());
    for (const value of HOSTILE_VALUES) {
      const part = toPathPart(value);
      for (const query of [`?x=${part}`, `?${part}`, `?original_url=${part}&product_id=${part}`]) {
        expectHarmless(await get(`/l/${code}${query}`, agent));
      }
    }
  });

  it("in Redis are unknown links", async () => {
    for (const webUrl of HOSTILE_VALUES) {
      const code = newCode();
      await service.context.redirectStore.put(code, liveRecord({ webUrl }));
      const response = await getWhenLookedUp(`/l/${code}`, IPHONE);
      expect([webUrl, response.status]).toEqual([webUrl, 404]);
      expectHarmless(response);
    }
  });

  it("in Postgres, if it accepts them, are unknown links", async () => {
    for (const webUrl of HOSTILE_VALUES.filter((value) => value.startsWith("https://"))) {
      const code = newCode();
      await database.insertLink(code, { web_url: webUrl });
      const response = await getWhenLookedUp(`/l/${code}`, DESKTOP);
      expect([webUrl, response.status]).toEqual([webUrl, 404]);
      expectHarmless(response);
    }
  });

  it("as a code are unknown links", async () => {
    for (const value of HOSTILE_VALUES) {
      const response = await get(`/l/${toPathPart(value)}`, IPHONE);
      expect([400, 404, 414]).toContain(response.status);
      expectHarmless(response);
    }
  });
});

describe("valid addresses", () => {
  it.each([
    WEB_URL,
    "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&th=1&psc=1",
    "https://www.amazon.de/-/en/Lampe/dp/B0ZZ1Y2X3W/ref=sr_1_1?keywords=a+b&q=%C3%A9",
    "https://www.amazon.de/s?k=lamp&rh=n%3A1%2Cp_1%3A2&ref=nb_sb_noss",
    "https://www.amazon.de/shop/jane-doe/list/1A2B3C4D5E?ref=x",
    "https://www.amazon.de/stores/page/0A1B2C3D-0000-4000-8000-000000000000?maas=maas_adg_1",
    "https://www.amazon.de/gp/aw/d/B0ZZ1Y2X3W?x=a;b;c",
    "https://www.amazon.de/dp/B0ZZ1Y2X3W?u=https%3A%2F%2Fevil.example%2F",
    "https://www.amazon.de/dp/B0ZZ1Y2X3W?a='b'&c=(d)!*~",
    "https://www.amazon.de/b?node=1&&=&x",
  ])("stay unchanged: %s", async (webUrl) => {
    const code = newCode();
    await service.context.redirectStore.put(code, liveRecord({ webUrl }));
    expect((await get(`/l/${code}`, DESKTOP)).headers.get("location")).toBe(webUrl);
    const apps = [
      [IPHONE, iosAppLink(webUrl)],
      [ANDROID, androidIntent(webUrl, "de")],
    ] as const;
    for (const [agent, appLink] of apps) {
      const response = await get(`/l/${code}`, agent);
      expectHarmless(response);
      expect(load(response.body)("#app").attr("href")).toBe(appLink);
    }
  });
});
