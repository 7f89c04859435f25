import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { androidIntent, iosAppLink } from "@tapthru/proto/rules/app-link";
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

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** By a bare socket: nothing of the path is checked or escaped on its way. */
async function ask(path: string, agent: string): Promise<Answer> {
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

/** Again while Postgres is asked for no more codes: a record that is refused has it asked. */
async function askLookedUp(path: string, agent: string): Promise<Answer> {
  return await vi.waitFor(
    async () => {
      const answer = await ask(path, agent);
      if (answer.status === 503) throw new Error("not looked up yet");
      return answer;
    },
    { timeout: 10_000 },
  );
}

/** That an answer leads nowhere but to our link's page, its app, the app's stores and our own site. */
function expectHarmless({ status, headers, body }: Answer): void {
  expect([200, 302, 400, 404, 414, 431]).toContain(status);
  for (const name of ["x-pwned", "set-cookie", "refresh"]) expect(headers.has(name)).toBe(false);
  const location = headers.get("location");
  if (location !== undefined) expect(location).toMatch(/^https:\/\/www\.amazon\.de\/[\x21-\x7e]*$/);

  const $ = load(body);
  expect($("base, iframe, img, svg, object, meta[http-equiv], [src], [style]")).toHaveLength(0);
  expect($("script")).toHaveLength($("#app").length);
  for (const element of $("*").toArray()) {
    const names = Object.keys($(element).attr() ?? {});
    expect(names.filter((name) => name.startsWith("on") || name === "autofocus")).toEqual([]);
  }
  for (const link of $("a").toArray()) expect(isKnown($(link).attr("href") ?? "")).toBe(true);
}

function isKnown(href: string): boolean {
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

/** What a request line cannot carry ends the request there: then it is another one. */
const asPathPart = (value: string) => Buffer.from(value, "utf8").toString("latin1");

describe("hostile values", () => {
  it("are at least 200", () => {
    expect(HOSTILE_VALUES.length).toBeGreaterThanOrEqual(200);
  });

  it.each([
    ["desktops", DESKTOP],
    ["iPhones", IPHONE],
    ["Android phones", ANDROID],
  ])("in the visitor's query lead %s nowhere else", async (_who, agent) => {
    const code = newCode();
    await service.context.redirectStore.put(code, liveRecord());
    for (const value of HOSTILE_VALUES) {
      const part = asPathPart(value);
      for (const query of [`?x=${part}`, `?${part}`, `?original_url=${part}&product_id=${part}`]) {
        expectHarmless(await ask(`/l/${code}${query}`, agent));
      }
    }
  });

  it("planted into Redis are no links", async () => {
    for (const webUrl of HOSTILE_VALUES) {
      const code = newCode();
      await service.context.redirectStore.put(code, liveRecord({ webUrl }));
      const answer = await askLookedUp(`/l/${code}`, IPHONE);
      expect([webUrl, answer.status]).toEqual([webUrl, 404]);
      expectHarmless(answer);
    }
  });

  it("planted into Postgres, where it takes them at all, are no links", async () => {
    for (const webUrl of HOSTILE_VALUES.filter((value) => value.startsWith("https://"))) {
      const code = newCode();
      await database.insertLink(code, { web_url: webUrl });
      const answer = await askLookedUp(`/l/${code}`, DESKTOP);
      expect([webUrl, answer.status]).toEqual([webUrl, 404]);
      expectHarmless(answer);
    }
  });

  it("in place of the code are no links", async () => {
    for (const value of HOSTILE_VALUES) {
      const answer = await ask(`/l/${asPathPart(value)}`, IPHONE);
      expect([400, 404, 414]).toContain(answer.status);
      expectHarmless(answer);
    }
  });
});

describe("honest addresses", () => {
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
  ])("arrive byte for byte: %s", async (webUrl) => {
    const code = newCode();
    await service.context.redirectStore.put(code, liveRecord({ webUrl }));
    expect((await ask(`/l/${code}`, DESKTOP)).headers.get("location")).toBe(webUrl);
    const apps = [
      [IPHONE, iosAppLink(webUrl)],
      [ANDROID, androidIntent(webUrl, "de")],
    ] as const;
    for (const [agent, appLink] of apps) {
      const answer = await ask(`/l/${code}`, agent);
      expectHarmless(answer);
      expect(load(answer.body)("#app").attr("href")).toBe(appLink);
    }
  });
});
