import { expect, it } from "vitest";
import { sharedGateway } from "../testing/start-gateway.ts";

const NAME = `Tap & "thru" $& é</script><!--`;
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
const ESCAPED = "Tap &amp; &quot;thru&quot; $&amp; é&lt;/script&gt;&lt;!--";

const gateway = sharedGateway({ productName: NAME });
const get = (path: string) => gateway().send(path);

it("allows preview crawlers to read links, and names the sitemap", async () => {
  const { text } = await get("/robots.txt");
  expect(text).toMatch(/^Allow: \/l\/$/m);
  expect(text).toContain("\nSitemap: https://links.example/sitemap.xml\n");
  expect((await get("/sitemap.xml")).text).toContain("<loc>https://links.example/login</loc>");
});

it("says where to report a vulnerability, for less than a year", async () => {
  const { text } = await get("/.well-known/security.txt");
  expect(text).toContain("Contact: mailto:hello@links.example\n");
  expect(text).toContain("\nCanonical: https://links.example/.well-known/security.txt\n");
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + YEAR_MS);
});

it("can be installed as an app with the product's name", async () => {
  expect(JSON.parse((await get("/manifest.webmanifest")).text)).toMatchObject({
    name: NAME,
    display: "standalone",
    share_target: { action: "/share", method: "GET" },
  });
});

it("serves the offline page, which needs no other file", async () => {
  const { status, headers, text } = await get("/offline.html");
  expect(status).toBe(200);
  expect(headers["content-security-policy"]).toContain("style-src 'sha256-");
  expect(text).toContain(`<title>You're offline - ${ESCAPED}</title>`);
  expect(text).not.toMatch(/<link|<script|src=/);
});

it.each(["/", "/login", "/index.html", "/dashboard"])(
  "%s has the product's name as its title, and the meta tags of the site's preview card",
  async (path) => {
    const { text } = await get(path);
    expect(text).toContain('<meta property="og:image" content="https://links.example/social-card.png">\n');
    expect(text).toContain('<meta property="og:url" content="https://links.example/">\n');
    expect(text).toContain(`<meta property="og:site_name" content="${ESCAPED}">\n`);
    expect(text).toContain(`<title>${ESCAPED}</title>`);
    expect(text).toContain("<p>The SPA</p>");
  },
);

it.each([
  ["/?from=card", "Home of"],
  ["/dashboard?sort=name", "Dashboard of"],
])("serves the prerendered page at %s, with the product's name", async (path, text) => {
  expect((await get(path)).text).toContain(`<p>${text} ${ESCAPED}</p>`);
});

it("serves prerendered pages at their paths only", async () => {
  for (const path of ["/index.html", "/login", "//", "/dashboard/", "/home.html"]) {
    expect((await get(path)).text).not.toMatch(/(Home|Dashboard) of/);
  }
});

it.each(["/", "/login", "/dashboard"])("writes the configuration into %s", async (path) => {
  const { text } = await get(path);
  const [, json = ""] = /<script type="application\/json" id="config">([^<]*)<\/script>/.exec(text) ?? [];

  expect(JSON.parse(json)).toEqual(JSON.parse((await get("/config.json")).text));
  expect(JSON.parse(json).productName).toBe(NAME);
});
