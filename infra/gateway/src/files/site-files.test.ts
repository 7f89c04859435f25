import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { GatewaySettings } from "../settings.ts";
import { gatewayForTest, sharedGateway } from "../testing/start-gateway.ts";

const NAME = `Tap & "thru" $& é</script><!--`;
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
const ESCAPED = "Tap &amp; &quot;thru&quot; $&amp; é&lt;/script&gt;&lt;!--";

const gateway = await sharedGateway({ PRODUCT_NAME: NAME });
const get = (path: string) => gateway.send(path);

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

it.each(["/", "/login", "/dashboard"])(
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

it.each(["/", "/dashboard"])("writes the configuration into %s", async (path) => {
  const { text } = await get(path);
  const [, json = ""] = /<script type="application\/json" id="config">([^<]*)<\/script>/.exec(text) ?? [];
  const config = JSON.parse((await get("/config.json")).text);
  expect(JSON.parse(json)).toEqual(config);
  expect(config).toEqual({
    publicBaseUrl: "https://links.example",
    productName: NAME,
    contactEmail: "hello@links.example",
    firebase: null,
    signUp: "open",
    hasPasswordLogin: true,
    openIdConnect: null,
    hasAmazonAds: false,
    hasDomains: false,
  });
});

it("the policy of the SPA allows the page's inline script by its hash, and no other", async () => {
  const { headers, text } = await get("/");
  const script = text.slice(text.indexOf("<script>") + 8, text.indexOf("</script>"));
  const hash = createHash("sha256").update(script).digest("base64");
  expect(String(headers["content-security-policy"]).split("; ")).toContain(`script-src 'self' 'sha256-${hash}'`);
});

describe("the policy of the SPA allows", () => {
  const sourcesOf = async (directive: string, settings: Partial<GatewaySettings>) => {
    const { headers } = await (await gatewayForTest(settings)).send("/");
    const directives = String(headers["content-security-policy"]).split("; ");
    return directives.find((one) => one.startsWith(`${directive} `));
  };

  it("requests to Google only with a Firebase project", async () => {
    const FIREBASE_WEB_CONFIG = { apiKey: "key", projectId: "project" };
    expect(await sourcesOf("connect-src", {})).toBe("connect-src 'self'");
    expect(await sourcesOf("connect-src", { FIREBASE_WEB_CONFIG })).toBe(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com",
    );
  });

  it("the icon of the OpenID provider", async () => {
    const provider = { OIDC_ISSUER: "https://login.acme.example", OIDC_ICON: "https://cdn.acme.example/icon.svg" };
    expect(await sourcesOf("img-src", provider)).toMatch(/ https:\/\/cdn[.]acme[.]example$/);
  });
});
