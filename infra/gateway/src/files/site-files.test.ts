import { expect, it } from "vitest";
import { gatewayForTest } from "../testing/start-gateway.ts";

async function start(productName = "Tapthru") {
  const gateway = await gatewayForTest({ productName });
  return (path: string) => gateway.send(path);
}

it("allows preview crawlers to read links, and names the sitemap", async () => {
  const get = await start();
  const { headers, text } = await get("/robots.txt");
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(text).toMatch(/^Allow: \/l\/$/m);
  expect(text).toContain("\nSitemap: https://links.example/sitemap.xml\n");
});

it("lists the public pages with absolute URLs", async () => {
  const get = await start();
  const { headers, text } = await get("/sitemap.xml");
  expect(headers["content-type"]).toBe("application/xml");
  expect(text).toContain("<url><loc>https://links.example/login</loc></url>");
});

it("can be installed as an app with the product's name", async () => {
  const get = await start();
  const { headers, text } = await get("/manifest.webmanifest");
  expect(headers).toMatchObject({
    "content-type": "application/manifest+json",
    "cache-control": "no-cache",
  });
  expect(JSON.parse(text)).toMatchObject({
    name: "Tapthru",
    display: "standalone",
    share_target: { action: "/share", method: "GET" },
  });
});

it("serves the service worker so that a new one replaces it at once", async () => {
  const get = await start();
  const { headers } = await get("/sw.js");
  expect(headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": expect.stringContaining("worker-src 'self'"),
  });
});

it("serves the offline page, which needs no other file", async () => {
  const get = await start(`Tap & "thru"`);
  const { status, headers, text } = await get("/offline.html");
  expect(status).toBe(200);
  expect(headers["content-security-policy"]).toContain("style-src 'sha256-");
  expect(text).toContain("<title>You're offline - Tap &amp; &quot;thru&quot;</title>");
  expect(text).not.toMatch(/<link|<script|src=/);
});

it.each(["/", "/login", "/index.html", "/dashboard"])(
  "%s has the product's name as its title, and the meta tags of the site's preview card",
  async (path) => {
    const get = await start(`Tap & "thru" $&`);
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
    });
    expect(text).toContain(
      '<meta property="og:image" content="https://links.example/social-card.png">\n',
    );
    expect(text).toContain('<meta property="og:url" content="https://links.example/">\n');
    expect(text).toContain(
      '<meta property="og:site_name" content="Tap &amp; &quot;thru&quot; $&amp;">\n',
    );
    expect(text).toContain("<title>Tap &amp; &quot;thru&quot; $&amp;</title>");
    expect(text).toContain("<p>The SPA</p>");
  },
);

it.each([
  ["/?from=card", "Home of"],
  ["/dashboard?sort=name", "Dashboard of"],
])("serves the prerendered page at %s, with the product's name", async (path, text) => {
  const get = await start(`Tap & "thru" $&`);
  expect((await get(path)).text).toContain(`<p>${text} Tap &amp; &quot;thru&quot; $&amp;</p>`);
});

it("serves prerendered pages at their paths only", async () => {
  const get = await start();
  for (const path of ["/index.html", "/login", "//", "/dashboard/", "/home.html"]) {
    expect((await get(path)).text).not.toMatch(/(Home|Dashboard) of/);
  }
});

it.each(["/", "/login", "/dashboard"])("writes the configuration into %s", async (path) => {
  const name = "</script><!-- $& é";
  const get = await start(name);
  const { text } = await get(path);

  const [, json = ""] =
    /<script type="application\/json" id="config">([^<]*)<\/script>/.exec(text) ?? [];

  expect(JSON.parse(json)).toEqual(JSON.parse((await get("/config.json")).text));
  expect(JSON.parse(json).productName).toBe(name);
});
