import { NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ID_AND_CODE } from "@tapthru/core/links/insert-links";
import { GeneratedLink } from "@tapthru/proto/generate";
import { listLinkIds, listLinkStores, listLinks } from "@tapthru/proto/link-lists";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { displayName } from "@tapthru/proto/rules/display-name";
import { beforeEach, describe, expect, it } from "vitest";
import { createLink, listLinksOf } from "../testing/test-links.ts";
import { signUpUser, withCookies } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE all_links, link_codes, link_changes, products, retired_codes CASCADE"));
const code = (n: number) => `code${String(n).padStart(5, "0")}`;

/** Inserts a link for each address; the first one is the newest. @returns their short codes */
async function insert(addresses: readonly string[], user = ada): Promise<string[]> {
  // They are inserted in the order of their codes.
  const codes = addresses.map((_, n) => `${code(addresses.length - n)}u${user.user.id}`);
  const links = addresses.map((address, n) => {
    const page = parseStorePage(address);
    if (page === null) throw new Error(address);
    return { destination: { originalUrl: address, page }, slug: codes[n] };
  });
  const creator = { userId: user.user.id, channels: NO_CHANNELS, domain: null };
  await createLinks(api.context, creator, links, ID_AND_CODE);
  return codes;
}

async function list(query: string): Promise<string[]> {
  const response = await api.request("GET", `/api/links?limit=200&${query}`, ada.browser);
  const links = listLinks.replies[200].parse(await response.json());
  return links.map((link) => link.shortCode);
}

async function codesOf(ids: readonly number[]): Promise<(string | undefined)[]> {
  const links = listLinks.replies[200].parse(
    await (await api.request("GET", "/api/links?limit=200", ada.browser)).json(),
  );
  return ids.map((id) => links.find((link) => link.id === id)?.shortCode);
}

const product = (store: string, rest = "?tag=me-20") => `https://www.amazon.${store}/dp/B0ZZ1Y2X3W${rest}`;

describe("the filter by store", () => {
  it("lists the links of one store, by any of its hosts", async () => {
    const [www, bare, , mobile] = await insert([
      product("com"),
      "https://amazon.com/dp/B0ZZ1Y2X3W",
      product("com.mx"),
      "https://m.amazon.com?tag=me-20",
    ]);
    expect(await list("store=com")).toEqual([www, bare, mobile]);
    expect(await list("store=de")).toEqual([]);
  });

  it("applies together with search, order and the other filter, and on the next page too", async () => {
    const addresses = ["/1", "/2", "/3?tag=me-21"].map((path) => `https://www.amazon.de/lamp${path}`);
    const [first, second] = await insert([...addresses, product("fr", "")]);
    const query = "store=de&show=no-tag&sort=name&q=lamp";
    expect(await list(query)).toEqual([second, first]);
    const page = await api.request("GET", `/api/links?${query}&limit=1`, ada.browser);
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    const rest = await api.request("GET", next, ada.browser);
    const links = listLinks.replies[200].parse(await rest.json());
    expect(links.map(({ shortCode }) => shortCode)).toEqual([first]);
  });
});

describe("the other filters", () => {
  const set = (shortCode: string | undefined, columns: string) =>
    api.query(`UPDATE links SET ${columns} WHERE short_code = '${shortCode}'`);

  it("the default channel lists links without a channel too", async () => {
    const [named, plain] = await insert([product("de"), product("de")]);
    const [channel] = await api.query(`
      INSERT INTO channels (user_id, name, name_key) VALUES (${ada.user.id}, 'Blog', 'blog') RETURNING id
    `);
    const [usual] = await api.query(`SELECT id FROM channels WHERE user_id = ${ada.user.id} AND is_default`);
    await set(named, `channel_id = ${channel?.id}`);
    expect(await list(`channel=${channel?.id}`)).toEqual([named]);
    expect(await list(`channel=${usual?.id}`)).toEqual([plain]);
  });

  it("lists links on a domain, or on the host of this service", async () => {
    const [own, eve] = await insert([product("de"), product("de")]);
    await set(own, "short_code = 'mug@go.example.com'");
    expect(await list("domain=Go.example.com")).toEqual(["mug@go.example.com"]);
    expect(await list("domain=none")).toEqual([eve]);
  });

  it("lists links to a product, without those that were taken down", async () => {
    const page = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const [found, takenDown] = await insert([`${page}?x=1`, page, "https://www.amazon.de/dp/B0ZZ1Y2X3V"]);
    await set(takenDown, "taken_down_at = now()");
    expect(await list("product=B0ZZ1Y2X3W")).toEqual([found]);
    expect(await list("product=B0ZZ1Y2X3W&store=fr")).toEqual([]);
  });

  it("lists and counts links by their dates of creation and expiry", async () => {
    const [soon, expired, never] = await insert([product("de"), product("de"), product("de")]);
    await set(soon, "expires_at = now() + interval '6 days', created_at = '2026-10-01T00:00Z'");
    await set(expired, "expires_at = now() - interval '1 second', created_at = '2026-09-30T23:59:59.999Z'");
    expect(await list("expiry=soon")).toEqual([soon]);
    expect(await list("expiry=expired")).toEqual([expired]);
    expect(await list("expiry=never")).toEqual([never]);
    expect(await list("createdFrom=2026-10-01T00:00:00Z&createdBefore=2026-10-02T00:00:00Z")).toEqual([soon]);
    const counted = async (query: string) => (await api.request("GET", `/api/link-count?${query}`, ada.browser)).json();
    expect(await counted("")).toEqual({ count: 3, areMore: false });
    expect(await counted("createdBefore=2026-10-01T00:00:00Z")).toEqual({ count: 1, areMore: false });
  });
});

describe("GET /api/link-ids", () => {
  const idsOf = async (query: string) => {
    const response = await api.request("GET", `/api/link-ids?${query}`, ada.browser);
    return listLinkIds.replies[200].parse(await response.json());
  };

  it("returns the user's links that match the conditions, newest first", async () => {
    await insert([product("de")], eve);
    const codes = await insert([product("fr", ""), product("de"), product("fr"), product("fr")]);
    const all = await idsOf("");
    expect(await codesOf(all)).toEqual(codes);
    expect(await codesOf(await idsOf("store=fr"))).toEqual([codes[0], codes[2], codes[3]]);
    expect(await codesOf(await idsOf("store=fr&show=no-tag&q=amazon"))).toEqual([codes[0]]);
    expect(await idsOf(`store=fr&before=${all[2]}`)).toEqual([all[3]]);
  });

  it("returns 10,000 links at most", async () => {
    await api.query(`
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
      SELECT 'c' || n, '${product("de")}', '${product("de")}',
        'http://t.example/redirect?product_id=x', ${ada.user.id}
      FROM generate_series(100000, 110000) n
    `);
    const response = await api.request("GET", "/api/link-ids?expiry=never", ada.browser);
    const ids = listLinkIds.replies[200].parse(await response.json());
    expect(ids).toHaveLength(10_000);
    const next = `expiry=never&before=${ids.at(-1)}`;
    expect(response.headers.get("link")).toBe(`</api/link-ids?${next}>; rel="next"`);
    expect(await idsOf(next)).toHaveLength(1);
  });
});

describe("GET /api/links/stores", () => {
  it("returns the stores that the user has links to", async () => {
    await insert([product("fr"), product("co.uk"), product("co.uk")]);
    await insert([product("de")], eve);
    await api.query("UPDATE links SET marketplace = NULL WHERE marketplace = 'fr'");
    const response = await api.request("GET", "/api/links/stores", ada.browser);
    expect(listLinkStores.replies[200].parse(await response.json())).toEqual(["co.uk"]);
  });
});

describe("the filter 'needs-attention'", () => {
  it("lists links that are taken down, invalid, expiring, expired or without tag", async () => {
    const [, untagged, takenDown, outside, expired, soon, later] = await insert([
      product("de"),
      product("de", ""),
      ...Array.from({ length: 5 }, () => product("de")),
    ]);
    const set = (columns: string, shortCode = "") =>
      api.query(`UPDATE links SET ${columns} WHERE short_code = '${shortCode}'`);
    await set("taken_down_at = now()", takenDown);
    await set("marketplace = NULL", outside);
    await set("expires_at = now() - interval '1 second'", expired);
    await set("expires_at = now() + interval '6 days 23 hours'", soon);
    await set("expires_at = now() + interval '7 days 1 hour'", later);
    expect(await list("show=needs-attention")).toEqual([untagged, takenDown, outside, expired, soon]);
  });
});

describe("the order by name", () => {
  const patch = (shortCode: string, body: unknown) =>
    api.request("PATCH", `/api/links/${shortCode}`, ada.browser, body);
  let products = 0;

  /** Creates a link to a page of its own. @returns its short code */
  async function createNamed(nickname: string | null, user = ada): Promise<string> {
    products += 1;
    const asin = `B${String(products).padStart(9, "0")}`;
    const shortCode = await createLink(api, user.browser, `https://www.amazon.de/dp/${asin}?tag=me-21`);
    if (nickname !== null) await patch(shortCode, { nickname });
    return shortCode;
  }
  const list = (query = "") => listLinksOf(api, ada, query);
  const names = async (query: string) => (await list(query)).map((link) => displayName(link, "localhost:8080"));

  it("orders names by letters of any script and by numbers, across pages", async () => {
    const sorted = ["äpfel", "Birne", "Lamp 2", "lamp 10", "Öl ~ & + 100%", "Zebra", "лампа", "灯"];
    for (const name of sorted.toReversed()) await createNamed(name);
    for (const limit of [200, 3, 1]) {
      expect(await names(`sort=name&limit=${limit}`)).toEqual(sorted);
    }
  });

  it("follows the displayed name: nickname, title, product title, title of the page, product id", async () => {
    const [nicknamed, titled, product] = [
      await createNamed("3 nickname"),
      await createNamed(null),
      await createNamed(null),
    ];
    await createNamed(null);
    await createLink(api, ada.browser, "https://www.amazon.de/shop/me?tag=me-21");
    await createLink(api, ada.browser, "https://www.amazon.de/s?k=lamp");
    await patch(nicknamed, { title: "0 hidden by the nickname" });
    await patch(titled, { title: "2 title" });
    const { canonical_url: page } = (
      await api.query(`SELECT canonical_url FROM links WHERE short_code = '${product}'`)
    )[0] as { canonical_url: string };
    // As the worker does.
    await api.query(`
      UPDATE products SET title = '1 product title' WHERE canonical_url = '${page}';
      UPDATE links SET canonical_url = canonical_url WHERE canonical_url = '${page}'
    `);
    const shown = await names("sort=name");
    expect(shown).toEqual([
      "1 product title",
      "2 title",
      "3 nickname",
      "Amazon Product",
      expect.stringMatching(/^Amazon Product: B0/),
      "Search: lamp",
    ]);
    const stored = await api.query("SELECT sort_name FROM links ORDER BY sort_name");
    expect(stored.map((row) => row.sort_name)).toEqual(shown);
  });

  it("contains a link that was claimed", async () => {
    const url = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const generated = await api.post("/api/generate", { url });
    const { shortCode } = GeneratedLink.parse(await generated.json());
    const browser = withCookies(ada.browser, generated);
    await api.request("PATCH", `/api/links/${shortCode}`, browser, { userId: ada.user.id });
    expect(await names("sort=name")).toEqual(["Amazon Product: B0ZZ1Y2X3W"]);
  });
});

describe("list", () => {
  beforeEach(async () => {
    await api.query(`
    INSERT INTO products (canonical_url, marketplace, product_id, title)
    VALUES ('https://www.amazon.de/dp/B000000103', 'de', 'B000000103', 'Ölkännchen 100%');
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id, nickname)
    SELECT 'code' || n,
      'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0') || '?tag=me_21',
      'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0') || '?tag=me_21',
      'http://localhost:8080/redirect?product_id=B' || lpad(n::text, 9, '0'),
      'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0'),
      CASE WHEN n <= 220 THEN ${ada.user.id} ELSE ${eve.user.id} END,
      CASE n WHEN 107 THEN 'Mum''s LAMP' END
    FROM generate_series(101, 250) AS n
  `);
  });

  async function list(query: Record<string, string> = {}) {
    const parameters = new URLSearchParams(query);
    const response = await api.request("GET", `/api/links?${parameters}`, ada.browser);
    const links = listLinks.replies[200].parse(await response.json());
    return { codes: links.map(({ shortCode }) => shortCode), next: response.headers.get("link") };
  }
  const code = (n: number) => `code${n}`;
  const codes = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => code(from - i));
  describe("GET /api/links", () => {
    it("returns the 50 newest links of the user and the address of the next page", async () => {
      const page = await list();
      expect(page.codes).toEqual(codes(220, 171));
      expect(page.next).toMatch(/^<\/api\/links\?limit=50&cursor=\d+>; rel="next"$/);
    });

    it("returns each link once across all pages, and no next page at the end", async () => {
      const seen = (await listLinksOf(api, ada, "limit=50")).map(({ shortCode }) => shortCode);
      expect(seen).toEqual(codes(220, 101));
    });

    it.each([
      ["nickname", "mum's lamp", [107]],
      ["product title", "ölkännchen", [103]],
      ["title with a wildcard character", "100%", [103]],
      ["address", "B000000142?tag", [142]],
      ["code", code(199).toUpperCase(), [199]],
      ["text with spaces around it", `  ${code(105)} `, [105]],
      ["text that matches no link", "no such link", []],
      ["wildcard character only", "B%1", []],
    ])("finds by %s", async (_title, q, expected) => {
      expect(await list({ q })).toEqual({ codes: expected.map(code), next: null });
    });

    it("neither skips nor repeats links if others are deleted or added between two pages", async () => {
      const cursor = /cursor=(\d+)/.exec((await list({ limit: "10" })).next ?? "")?.[1] ?? "";
      await api.query(`DELETE FROM links WHERE short_code IN ('${code(212)}', '${code(211)}')`);
      await api.query("UPDATE links SET user_id = (SELECT user_id FROM links WHERE short_code = 'code220')");
      expect((await list({ limit: "2", cursor })).codes).toEqual(codes(210, 209));
    });
  });
  it("links, tags and routing that a newer release wrote are left out, and the others are returned", async () => {
    const user = await signUpUser(api);
    const { id } = user.user;
    await api.query(`
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id, routing)
    SELECT 'newer' || n, 'https://www.amazon.com/dp/B000000001', 'https://www.amazon.com/dp/B000000001',
      'http://localhost:8080/redirect?product_id=B000000001', 'page', ${id}, true
    FROM generate_series(1, 3) AS n;
    INSERT INTO labels (id, user_id, name, name_key, colour) OVERRIDING SYSTEM VALUE VALUES (999, ${id}, 'Sale', 'sale', 'ultraviolet');
    INSERT INTO link_labels (link_id, label_id) SELECT id, 999 FROM links WHERE short_code = 'newer2';
    INSERT INTO products (canonical_url, marketplace, product_id) VALUES ('page', 'com', 'B000000001');
    INSERT INTO product_stores VALUES ('B000000001', 'moon', true, 'page', now());
    INSERT INTO channel_tags VALUES (default_channel(${id}), ${id}, 'moon', 'me-21'), (default_channel(${id}), ${id}, 'de', 'me-21')
  `);
    const get = async (path: string) => (await api.request("GET", path, user.browser)).json();
    const codesOf = async (path: string) =>
      listLinks.replies[200].parse(await get(path)).map(({ shortCode }) => shortCode);
    expect(await codesOf("/api/links")).toEqual(["newer3", "newer1"]);
    const [{ id: last = 0 } = {}] = await api.query("SELECT id FROM links WHERE short_code = 'newer2'");
    expect(await codesOf("/api/links?limit=2")).toEqual(["newer3"]);
    expect(await codesOf(`/api/links?limit=2&cursor=${last}`)).toEqual(["newer1"]);
    expect(await get("/api/stores")).toEqual([{ marketplace: "de", tag: "me-21" }]);
    expect(await get("/api/links/newer1/routing")).toMatchObject({ choice: "on", routing: null });
    const edited = await api.request("PATCH", "/api/links/newer1", user.browser, { nickname: "x" });
    expect(edited.status).toBe(200);
  });
});
