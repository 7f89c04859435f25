import { listLinks } from "@tapthru/proto/link-lists";
import { beforeAll, describe, expect, it } from "vitest";
import { listLinksOf } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: owner, eve: other } = await startWorld();
beforeAll(async () => {
  await api.query(`
    INSERT INTO products (canonical_url, marketplace, product_id, title)
    VALUES ('https://www.amazon.de/dp/B000000103', 'de', 'B000000103', 'Ölkännchen 100%');
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id, nickname)
    SELECT 'code' || n,
      'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0') || '?tag=me_21',
      'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0') || '?tag=me_21',
      'http://localhost:8080/redirect?product_id=B' || lpad(n::text, 9, '0'),
      'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0'),
      CASE WHEN n <= 220 THEN ${owner.user.id} ELSE ${other.user.id} END,
      CASE n WHEN 107 THEN 'Mum''s LAMP' END
    FROM generate_series(101, 250) AS n
  `);
});

async function list(query: Record<string, string> = {}) {
  const parameters = new URLSearchParams(query);
  const response = await api.request("GET", `/api/links?${parameters}`, owner.browser);
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
    const seen = (await listLinksOf(api, owner, "limit=50")).map(({ shortCode }) => shortCode);
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
