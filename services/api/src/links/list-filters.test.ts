import { NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ID_AND_CODE } from "@tapthru/core/links/insert-links";
import { listLinkIds, listLinkStores, listLinks } from "@tapthru/proto/link-lists";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

let other: TestUser;
const { api, ada: owner } = await startWorld();
beforeAll(async () => {
  other = await signUpUser(api);
});
beforeEach(() => api.query("TRUNCATE links, link_codes, link_changes, products, retired_codes CASCADE"));

const code = (n: number) => `code${String(n).padStart(5, "0")}`;

/** Inserts a link for each address; the first one is the newest. @returns their short codes */
async function insert(addresses: readonly string[], user = owner): Promise<string[]> {
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
  const response = await api.request("GET", `/api/links?limit=200&${query}`, owner.browser);
  const links = listLinks.replies[200].parse(await response.json());
  return links.map((link) => link.shortCode);
}

async function codesOf(ids: readonly number[]): Promise<(string | undefined)[]> {
  const links = listLinks.replies[200].parse(
    await (await api.request("GET", "/api/links?limit=200", owner.browser)).json(),
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
    const page = await api.request("GET", `/api/links?${query}&limit=1`, owner.browser);
    const next = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    const rest = await api.request("GET", next, owner.browser);
    const links = listLinks.replies[200].parse(await rest.json());
    expect(links.map(({ shortCode }) => shortCode)).toEqual([first]);
  });
});

describe("the other filters", () => {
  const set = (shortCode: string | undefined, columns: string) =>
    api.query(`UPDATE links SET ${columns} WHERE short_code = '${shortCode}'`);

  it("list links of a channel, of which the default one has those without", async () => {
    const [named, plain] = await insert([product("de"), product("de")]);
    const [channel] = await api.query(`
      INSERT INTO channels (user_id, name, name_key) VALUES (${owner.user.id}, 'Blog', 'blog') RETURNING id
    `);
    const [usual] = await api.query(`SELECT id FROM channels WHERE user_id = ${owner.user.id} AND is_default`);
    await set(named, `channel_id = ${channel?.id}`);
    expect(await list(`channel=${channel?.id}`)).toEqual([named]);
    expect(await list(`channel=${usual?.id}`)).toEqual([plain]);
  });

  it("list links on a domain, or on the host of this service", async () => {
    const [own, other] = await insert([product("de"), product("de")]);
    await set(own, "short_code = 'mug@go.example.com'");
    expect(await list("domain=Go.example.com")).toEqual(["mug@go.example.com"]);
    expect(await list("domain=none")).toEqual([other]);
  });

  it("list links by their dates of creation and expiry, and are counted", async () => {
    const [soon, expired, never] = await insert([product("de"), product("de"), product("de")]);
    await set(soon, "expires_at = now() + interval '6 days', created_at = '2026-10-01T00:00Z'");
    await set(expired, "expires_at = now() - interval '1 second', created_at = '2026-09-30T23:59:59.999Z'");
    expect(await list("expiry=soon")).toEqual([soon]);
    expect(await list("expiry=expired")).toEqual([expired]);
    expect(await list("expiry=never")).toEqual([never]);
    expect(await list("createdFrom=2026-10-01T00:00:00Z&createdBefore=2026-10-02T00:00:00Z")).toEqual([soon]);
    const counted = async (query: string) =>
      (await api.request("GET", `/api/link-count?${query}`, owner.browser)).json();
    expect(await counted("")).toEqual({ count: 3, areMore: false });
    expect(await counted("createdBefore=2026-10-01T00:00:00Z")).toEqual({ count: 1, areMore: false });
  });
});

describe("GET /api/link-ids", () => {
  const idsOf = async (query: string) => {
    const response = await api.request("GET", `/api/link-ids?${query}`, owner.browser);
    return listLinkIds.replies[200].parse(await response.json());
  };

  it("has the links of the user that match the conditions, newest first", async () => {
    await insert([product("de")], other);
    const codes = await insert([product("fr", ""), product("de"), product("fr"), product("fr")]);
    const all = await idsOf("");
    expect(await codesOf(all)).toEqual(codes);
    expect(await codesOf(await idsOf("store=fr"))).toEqual([codes[0], codes[2], codes[3]]);
    expect(await codesOf(await idsOf("store=fr&show=no-tag&q=amazon"))).toEqual([codes[0]]);
    expect(await idsOf(`store=fr&before=${all[2]}`)).toEqual([all[3]]);
  });

  it("has 10,000 links at most", async () => {
    await api.query(`
      INSERT INTO links (short_code, original_url, web_url, deep_link, user_id)
      SELECT 'c' || n, '${product("de")}', '${product("de")}',
        'http://t.example/redirect?product_id=x', ${owner.user.id}
      FROM generate_series(100000, 110000) n
    `);
    const response = await api.request("GET", "/api/link-ids?q=B0ZZ1Y2X3W", owner.browser);
    const ids = listLinkIds.replies[200].parse(await response.json());
    expect(ids).toHaveLength(10_000);
    const next = `q=B0ZZ1Y2X3W&before=${ids.at(-1)}`;
    expect(response.headers.get("link")).toBe(`</api/link-ids?${next}>; rel="next"`);
    expect(await idsOf(next)).toHaveLength(1);
  });
});

describe("GET /api/links/stores", () => {
  it("returns the stores that the user has links to", async () => {
    await insert([product("fr"), product("co.uk"), product("co.uk")]);
    await insert([product("de")], other);
    await api.query("UPDATE links SET marketplace = NULL WHERE marketplace = 'fr'");
    const response = await api.request("GET", "/api/links/stores", owner.browser);
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
