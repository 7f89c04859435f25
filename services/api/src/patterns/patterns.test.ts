import { ERRORS } from "@tapthru/proto/errors";
import { LinkPattern } from "@tapthru/proto/patterns";
import {
  PATTERN_LINKS_MAX_COUNT,
  PATTERN_LINKS_PER_DAY_MAX_COUNT,
  PATTERNS_MAX_COUNT,
  RATE_LIMITS_PER_MINUTE,
} from "@tapthru/proto/rules/limits";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PATTERN_LINKS_PER_NETWORK_MAX_COUNT } from "../http/rate-limits.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { addUserLinks, product } from "../testing/test-links.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36";

const { api, ada: owner, eve: other } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_codes, link_patterns, products, retired_codes, clicks CASCADE"));

async function createPattern(name = "My blog", user = owner): Promise<LinkPattern> {
  const response = await api.post("/api/patterns", { name }, user.browser);
  expect(response.status).toBe(201);
  return LinkPattern.parse(await response.json());
}

const list = async (user = owner) => (await api.request("GET", "/api/patterns", user.browser)).json();
const revoke = (id: string, user = owner) => api.request("DELETE", `/api/patterns/${id}`, user.browser);

const visit = (id: string, url = product, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  fetch(`${api.url}/go?${new URLSearchParams({ p: id, url })}`, {
    method,
    redirect: "manual",
    headers: { "user-agent": CHROME, ...headers },
  });

const links = () => api.query("SELECT short_code, user_id, web_url FROM links ORDER BY id");

describe("/api/patterns", () => {
  it("creates, lists and revokes patterns of the user", async () => {
    const pattern = await createPattern(" My blog ");
    expect(pattern).toEqual({
      id: expect.stringMatching(/^[2-9a-z]{12}$/),
      name: "My blog",
      prefix: `${api.publicBaseUrl}/go?p=${pattern.id}&url=`,
      createdAt: expect.any(String),
      tags: [],
      channelId: null,
      usesChannelTag: false,
      linkCount: 0,
      linkCountOfDay: 0,
    });
    const second = await createPattern("Videos");
    expect(await list()).toEqual([second, pattern]);
    expect(await list(other)).toEqual([]);
    expect((await revoke(pattern.id, other)).status).toBe(404);
    expect((await revoke(pattern.id)).status).toBe(200);
    expect((await revoke(pattern.id)).status).toBe(404);
    expect(await list()).toEqual([second]);
  });

  it("gives its links a channel and, where the address has none, the channel's tag", async () => {
    const [channel] = await api.query(`SELECT id FROM channels WHERE user_id = ${owner.user.id}`);
    const { id } = await createPattern();
    const change = (body: unknown, user = owner) => api.request("PATCH", `/api/patterns/${id}`, user.browser, body);
    const choice = { channelId: channel?.id, usesChannelTag: true };
    expect(await (await change(choice)).json()).toMatchObject({ tags: [], ...choice });
    expect(await (await change({ tags: [] })).json()).toMatchObject(choice);
    const tag = { marketplace: "com", tag: "main-20" };
    await api.request("PUT", "/api/stores", owner.browser, tag);
    const bare = "https://www.amazon.com/dp/B08N5WRWNW";
    const crawler = await visit(id, bare, { "user-agent": "Googlebot/2.1" });
    expect(crawler.headers.get("location")).toBe(`${bare}?tag=main-20`);
    expect(await links()).toEqual([]);
    await visit(id, bare);
    await visit(id, bare);
    await visit(id, `${bare}?tag=mine-20`);
    expect(await api.query("SELECT web_url, channel_id, channel_tag FROM links ORDER BY id")).toEqual([
      { web_url: `${bare}?tag=main-20`, channel_id: channel?.id, channel_tag: "main-20" },
      { web_url: `${bare}?tag=mine-20`, channel_id: channel?.id, channel_tag: null },
    ]);
    const [foreign] = await api.query(`SELECT id FROM channels WHERE user_id = ${other.user.id}`);
    expect((await change({ channelId: foreign?.id })).status).toBe(404);
    expect((await change({ channelId: 2 ** 31 })).status).toBe(422);
  });

  it("allows no more to concurrent requests", async () => {
    const create = () => api.post("/api/patterns", { name: "x" }, owner.browser);
    await Promise.all(Array.from({ length: PATTERNS_MAX_COUNT + 10 }, create));
    expect(await list()).toHaveLength(PATTERNS_MAX_COUNT);
  });
});

describe("GET /go", () => {
  it("creates the link of an address once, and redirects to it", async () => {
    const { id } = await createPattern();
    const first = await visit(id);
    const [link] = await links();
    expect(link).toMatchObject({ user_id: owner.user.id, web_url: product });
    expect(first.status).toBe(302);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      location: product,
      "x-accel-redirect": `/l/${link?.short_code}`,
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
    });
    expect(first.headers.get("set-cookie")).toBeNull();
    const repeated = await Promise.all([visit(id), visit(id, ` ${product} `)]);
    for (const { headers } of repeated) expect(headers.get("x-accel-redirect")).toBe(`/l/${link?.short_code}`);
    expect(await links()).toHaveLength(1);
  });

  it("records the link that it creates as a visitor's, once, without the network address", async () => {
    const { id } = await createPattern();
    await api.query("DELETE FROM audit_log");
    await visit(id);
    await visit(id);
    expect(await api.query("SELECT actor, action, owner_id, address_hash FROM audit_log")).toEqual([
      { actor: "visitor", action: "link.created", owner_id: owner.user.id, address_hash: null },
    ]);
  });

  it.each([
    ["page=blog.example%2Fstoves%2F%25C3%25A9", "?tt_page=blog.example%2Fstoves%2F%25C3%25A9"],
    ["page=javascript:alert(1)", ""],
    [`page=blog.example%2F${"x".repeat(200)}`, ""],
    ["page=a.example%2F&page=b.example%2F", ""],
    ["page=", ""],
  ])("names the page of a site to the redirect, and ignores any other text: %.40s", async (query, named) => {
    const { id } = await createPattern();
    const headers = { "user-agent": CHROME };
    const address = `${api.url}/go?p=${id}&${query}&url=${encodeURIComponent(product)}`;
    const response = await fetch(address, { redirect: "manual", headers });
    const [link] = await links();
    expect(response.headers.get("x-accel-redirect")).toBe(`/l/${link?.short_code}${named}`);
    expect(response.headers.get("location")).toBe(product);
  });

  it("creates one link for visits at once", async () => {
    const { id } = await createPattern();
    await Promise.all(Array.from({ length: 8 }, () => visit(id)));
    expect(await links()).toHaveLength(1);
  });

  it("opens a link that its owner moved to a domain by its code on the site's own host", async () => {
    const { id } = await createPattern();
    await visit(id);
    const [link] = await links();
    await api.query(
      `INSERT INTO link_codes (short_code, link_id)
       SELECT code, id FROM links, unnest(ARRAY[short_code, 'mug@go.anna.example']) code`,
    );
    await api.query("UPDATE links SET short_code = 'mug@go.anna.example', has_earlier_codes = true");
    expect((await visit(id)).headers.get("x-accel-redirect")).toBe(`/l/${link?.short_code}`);
    expect(await links()).toHaveLength(1);
  });

  it.each([
    ["a HEAD request", {}, "HEAD"],
    ["a preview crawler", { "user-agent": "facebookexternalhit/1.1" }, "GET"],
    ["a search engine", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" }, "GET"],
    ["a client without a user agent", { "user-agent": "" }, "GET"],
    ["a prefetch", { "sec-purpose": "prefetch;prerender" }, "GET"],
    ["a prefetch of an earlier browser", { purpose: "prefetch" }, "GET"],
    ["an image", { "sec-fetch-dest": "image" }, "GET"],
    ["a frame", { "sec-fetch-dest": "iframe" }, "GET"],
  ] as const)("%s creates nothing, and is redirected", async (_, headers, method) => {
    const { id } = await createPattern();
    const response = await visit(id, product, headers, method);
    expect([response.status, response.headers.get("location")]).toEqual([302, product]);
    expect(response.headers.get("x-accel-redirect")).toBeNull();
    expect(await links()).toEqual([]);
  });

  it.each([
    "https://evil.example/",
    "javascript:alert(1)",
    "https://www.amazon.com/gp/redirect.html?location=https://evil.example",
    "https://amzn.to/3TapTru",
    "",
  ])("does not redirect to %s", async (url) => {
    const { id } = await createPattern();
    const response = await visit(id, url);
    expect([response.status, response.headers.get("location")]).toEqual([422, null]);
    expect(await links()).toEqual([]);
  });

  it.each(["unknown22222", "", "'; DROP TABLE links", "\0", "222222222222\0"])(
    "responds 404 for the pattern %j",
    async (id) => {
      const response = await visit(id);
      expect([response.status, await response.text()]).toEqual([404, ERRORS["pattern-not-found"].message]);
      expect(response.headers.get("location")).toBeNull();
    },
  );

  it("responds 404 after the pattern was revoked, and its links stay", async () => {
    const { id } = await createPattern();
    await visit(id);
    await revoke(id);
    expect((await visit(id)).status).toBe(404);
    expect(await links()).toHaveLength(1);
  });

  it("leaves to the redirect what a link opens that was taken down or has expired", async () => {
    const { id } = await createPattern();
    await visit(id);
    const [link] = await links();
    for (const change of ["taken_down_at = now()", "taken_down_at = NULL, expires_at = now()"]) {
      await api.query(`UPDATE links SET ${change}`);
      const response = await visit(id);
      expect([response.status, response.headers.get("x-accel-redirect")]).toEqual([302, `/l/${link?.short_code}`]);
    }
  });

  it("gives assistants an address without the tag, unless the owner allows it", async () => {
    const { id } = await createPattern();
    const locationOf = async () =>
      (await visit(id, product, { "user-agent": "ChatGPT-User/1.0" })).headers.get("location");
    expect(await locationOf()).toBe(product.replace(/[?]tag=.*/, ""));
    await api.query(`INSERT INTO routing_settings (user_id, is_on, fallback, assistants_get_tag)
      VALUES (${owner.user.id}, false, 'original', true)`);
    expect(await locationOf()).toBe(product);
    await api.query("TRUNCATE routing_settings");
  });

  it("creates another link for the address after the link was deleted, or got another destination", async () => {
    const { id } = await createPattern();
    await visit(id);
    const [first] = await links();
    const code = String(first?.short_code);
    const body = { url: "https://www.amazon.de/dp/B0NEWNEW11" };
    await api.request("PATCH", `/api/links/${code}`, owner.browser, body);
    expect((await visit(id)).headers.get("location")).toBe(product);
    const [, second] = await links();
    expect(second).toMatchObject({ web_url: product });
    await api.query(`DELETE FROM links WHERE short_code = '${second?.short_code}'`);
    await visit(id);
    expect(await links()).toHaveLength(2);
  });
});

describe("PATCH /api/patterns/{id}", () => {
  const restrict = (id: string, tags: readonly string[], user = owner) =>
    api.request("PATCH", `/api/patterns/${id}`, user.browser, { tags });

  it.each(["tag=stranger-21", "tag=stranger-21&tag=me-21", "tag=me-21&tag=stranger-21", "Tag=stranger-21", ""])(
    "visits with the query %j are redirected without a link",
    async (query) => {
      const { id } = await createPattern();
      const url = `https://www.amazon.de/dp/B0ZZ1Y2X3W?${query}`;
      await visit(id, `${product}&earlier=1`);
      const response = await restrict(id, ["other-21", "me-21", "me-21"]);
      expect(await response.json()).toMatchObject({ id, tags: ["other-21", "me-21"], linkCount: 1 });
      const visited = await visit(id, url);
      expect(visited.status).toBe(302);
      expect(visited.headers.get("location")).toBe(url);
      expect(visited.headers.get("x-accel-redirect")).toBeNull();
      expect(await links()).toHaveLength(1);
      await visit(id, product);
      expect(await links()).toHaveLength(2);
    },
  );
});

describe("DELETE /api/patterns/{id}/links", () => {
  const deleteLinks = async (id: string, user = owner) => {
    const response = await api.request("DELETE", `/api/patterns/${id}/links`, user.browser);
    return [response.status, response.ok ? await response.json() : await response.text()];
  };

  it("deletes the links of the pattern with their codes, and no others", async () => {
    const [{ id }, { id: kept }] = [await createPattern(), await createPattern()];
    await insertPatternLinks(id, 600, "2 days");
    await visit(kept);
    const [keptLink] = await api.query("SELECT short_code FROM links ORDER BY id DESC LIMIT 1");
    expect(await deleteLinks(id)).toEqual([200, { deletedCount: 600 }]);
    expect(await links()).toEqual([expect.objectContaining(keptLink)]);
    expect(await api.query("SELECT DISTINCT reason, count(*)::int FROM retired_codes GROUP BY 1")).toEqual([
      { reason: "deleted", count: 600 },
    ]);
    expect(await deleteLinks(id)).toEqual([200, { deletedCount: 0 }]);
    expect((await visit(id)).headers.get("x-accel-redirect")).toMatch(/^\/l\/./);
  });
});

describe("a pattern with 10,000 links", () => {
  const code = (n: number) => `u${owner.user.id}n${n}`;

  it("replaces the oldest that were not visited again and that were not changed", async () => {
    const { id } = await createPattern();
    await insertPatternLinks(id, PATTERN_LINKS_MAX_COUNT, "2 days");
    await api.query(`
      INSERT INTO clicks SELECT id, '2026-11-20', '{"p": "3:2"}' FROM links WHERE short_code = '${code(1)}';
      INSERT INTO clicks SELECT id, '2026-11-20', '{"p": "3", "b": "3:9"}' FROM links WHERE short_code = '${code(2)}';
      UPDATE links SET nickname = 'Mine' WHERE short_code = '${code(3)}';
      UPDATE links SET taken_down_at = now() WHERE short_code = '${code(4)}';
    `);
    expect((await visit(id)).headers.get("x-accel-redirect")).toMatch(/^\/l\/./);
    const retired = await api.query(
      "SELECT short_code FROM retired_codes WHERE reason = 'deleted' ORDER BY short_code",
    );
    const deleted = Array.from({ length: 102 }, (_, n) => code(n + 1)).filter(
      (each) => ![code(1), code(3), code(4)].includes(each),
    );
    expect(retired.map((row) => row.short_code)).toEqual(deleted.sort());
    expect(await links()).toHaveLength(PATTERN_LINKS_MAX_COUNT - deleted.length + 1);
  });
});

it("after 1,000 links within 24 hours, visits of other addresses create nothing, and are redirected", async () => {
  const { id } = await createPattern();
  await insertPatternLinks(id, PATTERN_LINKS_PER_DAY_MAX_COUNT - 1, "23 hours");
  expect((await visit(id)).headers.get("x-accel-redirect")).toMatch(/^\/l\/./);
  const response = await visit(id, `${product}&ref=2`);
  expect([response.status, response.headers.get("location")]).toEqual([302, `${product}&ref=2`]);
  expect(response.headers.get("x-accel-redirect")).toBeNull();
  expect((await visit(id)).headers.get("x-accel-redirect")).toMatch(/^\/l\/./);
  expect(await links()).toHaveLength(PATTERN_LINKS_PER_DAY_MAX_COUNT);
});

it.each([
  ["of a day", PATTERN_LINKS_PER_DAY_MAX_COUNT],
  ["in total", PATTERN_LINKS_MAX_COUNT],
])("a pattern with its maximum of links %s is an event, once a day", async (_case, count) => {
  await api.query(`
    TRUNCATE webhooks, recorded_alerts CASCADE;
    INSERT INTO webhooks (user_id, url, events, sealed_secret) VALUES (${owner.user.id}, 'u', '{limit.reached}', 's')
  `);
  const { id } = await createPattern();
  // Links whose owner changed them are not replaced.
  await insertPatternLinks(id, count, count === PATTERN_LINKS_MAX_COUNT ? "2 days" : "2 hours");
  await api.query("UPDATE links SET nickname = 'Mine'");
  await visit(id);
  await visit(id);
  expect(await api.query("SELECT type, data FROM webhook_deliveries")).toEqual([
    { type: "limit.reached", data: { patternId: id, name: "My blog" } },
  ]);
});

it("visits create nothing while the owner is disabled, and are redirected", async () => {
  const user = await signUpUser(api);
  const { id } = await createPattern("My blog", user);
  await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${user.user.id}`);
  const response = await visit(id);
  expect([response.status, response.headers.get("location")]).toEqual([302, product]);
  expect(await links()).toEqual([]);
});

/** Inserts links that visits of other addresses than `product` created. */
async function insertPatternLinks(id: string, count: number, age: string): Promise<void> {
  await addUserLinks(api, owner.user.id, count);
  await api.query(`UPDATE links SET created_at = now() - interval '${age}'`);
  await api.query(`
    INSERT INTO pattern_links (pattern_id, address_hash, link_id, created_at)
    SELECT '${id}', sha256(id::text::bytea), id, created_at FROM links
  `);
}

describe("with rate limits", () => {
  let limited: TestApi;
  let id: string;
  beforeAll(async () => {
    limited = await startTestApi({ RATE_LIMITS: "on" });
    const user = await signUpUser(limited);
    const response = await limited.post("/api/patterns", { name: "x" }, user.browser);
    ({ id } = LinkPattern.parse(await response.json()));
  });
  afterAll(() => limited.stop());

  async function visitAll(urls: readonly string[], address: string): Promise<Response[]> {
    const responses: Response[] = [];
    for (const url of urls) {
      const query = new URLSearchParams({ p: id, url });
      const headers = { "user-agent": CHROME, "x-forwarded-for": address };
      responses.push(await fetch(`${limited.url}/go?${query}`, { redirect: "manual", headers }));
    }
    return responses;
  }

  const addresses = (count: number) =>
    Array.from({ length: count }, (_, n) => `https://www.amazon.de/dp/B0ZZ1Y2X3W?n=${n}`);
  const isLink = ({ status, headers }: Response) => status === 302 && headers.has("x-accel-redirect");

  it("all readers behind one address reach a link that exists", async () => {
    const { address } = RATE_LIMITS_PER_MINUTE.createByPattern;
    const responses = await visitAll(Array(address + 10).fill(product), "203.0.113.1");
    expect(responses.every(isLink)).toBe(true);
  });

  it("visits from one network create no more than 50 links of a pattern a day, and leave the others room", async () => {
    const responses = await visitAll(addresses(PATTERN_LINKS_PER_NETWORK_MAX_COUNT + 2), "203.0.113.2");
    expect(responses.filter(isLink)).toHaveLength(PATTERN_LINKS_PER_NETWORK_MAX_COUNT);
    expect(isLink((await visitAll([`${product}&new=1`], "203.0.113.3"))[0] ?? new Response())).toBe(true);
  });

  it("visits beyond the limit of a pattern create nothing, and are redirected", async () => {
    const urls = addresses(70).map((url) => `${url}&m`);
    const responses = [
      ...(await visitAll(urls.slice(35), "203.0.113.4")),
      ...(await visitAll(urls.slice(0, 35), "203.0.113.5")),
    ];
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([302]));
    // The tests above created some.
    expect(responses.filter(isLink).length).toBeLessThan(RATE_LIMITS_PER_MINUTE.createByPattern.visitor);
  });
});
