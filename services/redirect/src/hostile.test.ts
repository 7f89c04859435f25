import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { LOGO_SVG } from "@tapthru/proto/rules/page-style";
import { load } from "cheerio";
import { describe, expect, it } from "vitest";
import { HOSTILE_VALUES } from "./testing/hostile-values.ts";
import { startWorld } from "./testing/start-world.ts";
import { ANDROID, DESKTOP, IPHONE, PUBLIC_BASE_URL } from "./testing/test-service.ts";

const STORES = [
  "https://apps.apple.com/app/id297606951",
  "https://play.google.com/store/apps/details?id=com.amazon.mShop.android.shopping",
];

const { app, addRecord } = await startWorld({ rateLimits: "off" });
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as AddressInfo;

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
  socket.write(request, "latin1");
  const [head = "", ...body] = (await text(socket)).split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(statusLine.split(" ")[1]), headers: new Map(headers), body: body.join("\r\n\r\n") };
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
  if (/^(https|com\.amazon\.mobile\.shopping\.web):\/\/www\.amazon\.de\/[^#\s]*$/.test(href)) return true;
  const intent =
    /^intent:\/\/(www\.amazon\.de\/[^#\s]*)#Intent;scheme=https;package=com\.amazon\.mShop\.android\.shopping;S\.browser_fallback_url=([^;#]+);end$/.exec(
      href,
    );
  return intent !== null && decodeURIComponent(intent[2] ?? "") === `https://${intent[1]}`;
}

/** UTF-8 bytes as one character each. A line break in them ends the request line. */
const toPathPart = (value: string) => Buffer.from(value, "utf8").toString("latin1");

describe("hostile values", () => {
  it.each([
    ["desktops", DESKTOP],
    ["iPhones", IPHONE],
    ["Android phones", ANDROID],
  ])(
    "in the visitor's query do not change where %s go",
    async (_clients, agent) => {
      const code = await addRecord();
      for (const value of HOSTILE_VALUES) {
        const part = toPathPart(value);
        expectHarmless(await get(`/l/${code}?x=${part}&${part}`, agent));
      }
    },
    300_000,
  );

  it("hostile codes are unknown links", async () => {
    const malformed = ["/", "/l", "/l/", "/l//", "/l/abc", "/l/abc2345/x", "/l/../../etc/passwd", "/l/..%2f..%2f"];
    malformed.push("/l/%", "/l/%0", "/l/%00", "/l/%E0%A4%A", "/l/%c0%ae", "/l/abc234%00", "/l/abc 345", "/l/__proto__");
    const paths = [
      ...malformed,
      ...HOSTILE_VALUES.map((value) => `/l/${toPathPart(value)}`),
      `/l/${"a".repeat(15_000)}`,
    ];
    for (const path of paths) {
      const response = await get(path, IPHONE);
      expect([400, 404, 414]).toContain(response.status);
      expectHarmless(response);
    }
  }, 300_000);
});

it("a request that is not valid HTTP gets a text that is not cached", async () => {
  const { status, headers, body } = await get("/l/abc2345", "a\0b");
  expect([status, headers.get("cache-control")]).toEqual([400, "no-store"]);
  expect(body).toBe("The request could not be read.");
});
