import * as sdk from "@shlinkio/shlink-js-sdk";
import * as sdkErrors from "@shlinkio/shlink-js-sdk/api-contract";
import * as sdkFetch from "@shlinkio/shlink-js-sdk/fetch";
import { ERRORS } from "@tapthru/proto/errors";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { LABELS_PER_USER_MAX_COUNT, LINKS_IDS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { saveStoreTag } from "@tapthru/proto/stores";
import { beforeEach, describe, expect, it } from "vitest";
import { addWorkingDomain } from "../testing/test-domains.ts";
import { addKey } from "../testing/test-keys.ts";
import { addUserLinks, product } from "../testing/test-links.ts";
import type { TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

interface ShortUrl {
  shortCode: string;
  longUrl: string;
  visitsSummary: object;
}
interface List<Item> {
  data: Item[];
  pagination: { totalItems: number };
}
/** What is called here. Node's resolution finds no types in the package. */
interface Client {
  listShortUrls(params: object): Promise<List<ShortUrl>>;
  createShortUrl(data: object): Promise<ShortUrl>;
  getShortUrl(link: object): Promise<ShortUrl>;
  updateShortUrl(link: object, data: object): Promise<ShortUrl>;
  deleteShortUrl(link: object): Promise<void>;
  getShortUrlVisits(link: object, params?: object): Promise<List<object>>;
  listTags(): Promise<List<string>>;
  tagsStats(): Promise<object>;
  listDomains(): Promise<List<{ domain: string; isDefault: boolean }>>;
  health(): Promise<object>;
}
type NewClient = new (http: object, server: { baseUrl: string; apiKey: string }) => Client;
const { ShlinkApiClient } = sdk as unknown as { ShlinkApiClient: NewClient };
const { FetchHttpClient } = sdkFetch as unknown as { FetchHttpClient: new (send: typeof fetch) => object };
const { ErrorType } = sdkErrors as unknown as { ErrorType: Record<string, string> };

const { api, ada, eve } = await startWorld({ TLS: "on" });
const OTHER = "https://www.amazon.de/dp/B0ZZ1Y2X3V?tag=me-21";
const HOSTILE = ["%00", "x".repeat(300), "l%2F", "a%2Fb", "A@B@C", "..%2F..%2Fapi%2Fkeys", "%E2%98%83"];

/** The official client, with a key of the user. */
const clientWith = (apiKey: string) => new ShlinkApiClient(new FetchHttpClient(fetch), { baseUrl: api.url, apiKey });
const clientOf = async (user: TestUser, scopes?: readonly ApiKeyScope[]) =>
  clientWith((await addKey(api, user, scopes)).key);
const client = await clientOf(ada);
const others = await clientOf(eve);
const { key } = await addKey(api, ada);
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.request(method, `/rest/v3${path}`, { "x-api-key": key, ...headers }, body);

/** Deleted codes are never issued again. */
beforeEach(() => api.query("TRUNCATE labels, links, link_codes, retired_codes, domains CASCADE"));

describe("Shlink's official client", () => {
  it("creates, reads, changes and deletes a link", async () => {
    const validUntil = "2030-01-01T00:00:00+01:00";
    const created = await client.createShortUrl({
      longUrl: product,
      customSlug: "mug",
      title: "A mug",
      tags: ["camping", "tin"],
      validUntil,
      validSince: "2029-05-01T00:00:00+02:00",
      crawlable: true,
      forwardQuery: false,
      shortCodeLength: 5,
    });
    expect(created).toEqual({
      shortCode: "mug",
      shortUrl: "http://localhost:8080/l/mug",
      domain: null,
      longUrl: product,
      title: "A mug",
      dateCreated: expect.stringMatching(/^\d{4}-/),
      visitsSummary: { total: 0, nonBots: 0, bots: 0 },
      tags: ["camping", "tin"],
      meta: { validSince: "2029-04-30T22:00:00.000Z", validUntil: "2029-12-31T23:00:00.000Z", maxVisits: null },
      crawlable: false,
      forwardQuery: true,
      hasRedirectRules: false,
    });
    const change = {
      longUrl: OTHER,
      title: "A cup",
      tags: ["tin"],
      validUntil: null,
      validSince: null,
      maxVisits: null,
    };
    const changed = await client.updateShortUrl({ shortCode: "mug" }, change);
    const { longUrl, title, tags } = change;
    expect(changed).toMatchObject({
      shortCode: "mug",
      longUrl,
      title,
      tags,
      meta: { validSince: null, validUntil: null },
    });
    expect(await client.getShortUrl({ shortCode: "l%2Fmug" })).toEqual(changed);
    await client.deleteShortUrl({ shortCode: "mug" });
    await expect(client.getShortUrl({ shortCode: "mug" })).rejects.toMatchObject({
      type: ErrorType.INVALID_SHORTCODE,
      status: 404,
      title: "Short URL not found",
    });
  });

  it("lists links by page, text and tag", async () => {
    await addUserLinks(api, ada.user.id, 12);
    await client.updateShortUrl({ shortCode: `u${ada.user.id}n3` }, { tags: ["Tin"] });
    const codes = async (params: object) => {
      const { data, pagination } = await client.listShortUrls(params);
      return [data.map(({ shortCode }) => shortCode.replace(/.*n/, "")).join(" "), pagination];
    };
    const page = { pagesCount: 3, totalItems: 12, itemsPerPage: 5 };
    expect(await codes({ itemsPerPage: 5 })).toEqual([
      "12 11 10 9 8",
      { ...page, currentPage: 1, itemsInCurrentPage: 5 },
    ]);
    expect(await codes({ itemsPerPage: 5, page: 3 })).toEqual([
      "2 1",
      { ...page, currentPage: 3, itemsInCurrentPage: 2 },
    ]);
    expect((await codes({ itemsPerPage: 5, page: 4 }))[0]).toBe("");
    expect((await codes({ itemsPerPage: -1 }))[0]).toMatch(/^12 .* 1$/);
    expect((await codes({ searchTerm: "n12" }))[0]).toBe("12");
    expect((await codes({ tags: ["tin"] }))[0]).toBe("3");
    expect((await codes({ tags: ["unknown"] }))[0]).toBe("");
    await client.updateShortUrl({ shortCode: `u${ada.user.id}n4` }, { tags: ["tin", "mug"] });
    expect((await codes({ tags: ["tin", "MUG", "unknown"] }))[0]).toBe("4 3");
    expect((await codes({ tags: ["tin", "mug"], tagsMode: "all" }))[0]).toBe("4");
    expect((await codes({ tags: ["tin", "unknown"], tagsMode: "all" }))[0]).toBe("");
    expect((await codes({ itemsPerPage: 5, orderBy: { field: "dateCreated", dir: "DESC" } }))[1]).toMatchObject(page);
    const byVisits = client.listShortUrls({ orderBy: { field: "visits", dir: "DESC" } });
    await expect(byVisits).rejects.toMatchObject({
      type: ErrorType.INVALID_ARGUMENT,
      detail: "Links can only be ordered by dateCreated-DESC here, not by another orderBy.",
    });
    expect((await codes({ endDate: "2026-01-01T00:00:00+01:00" }))[0]).toBe("");
    const domain = await addWorkingDomain(api, ada);
    await client.createShortUrl({ longUrl: product, customSlug: "n99", domain });
    expect((await codes({ domain }))[0]).toBe("99");
    for (const domain of ["DEFAULT", "localhost"])
      expect((await codes({ domain }))[1]).toMatchObject({ totalItems: 12 });
    const noMaximum = { excludeMaxVisitsReached: true, excludePastValidUntil: false };
    expect((await codes(noMaximum))[1]).toMatchObject({ totalItems: 13 });
  });

  it("pages through more links than one list of ids has", async () => {
    await addUserLinks(api, ada.user.id, LINKS_IDS_MAX_COUNT + 60);
    const { data, pagination } = await client.listShortUrls({ itemsPerPage: 50, page: 202 });
    expect(data.map(({ shortCode }) => shortCode.replace(/.*n/, ""))).toEqual([
      "10",
      "9",
      "8",
      "7",
      "6",
      "5",
      "4",
      "3",
      "2",
      "1",
    ]);
    expect(pagination).toMatchObject({ totalItems: LINKS_IDS_MAX_COUNT + 60, pagesCount: 202, itemsInCurrentPage: 10 });
  });

  it.each([null, ""])("clears the title with %j", async (title) => {
    const { shortCode } = await client.createShortUrl({ longUrl: product, title: "A mug" });
    expect(await client.updateShortUrl({ shortCode }, { title })).toMatchObject({ title: null });
  });

  it("finds an existing link to the same address if it asks for it", async () => {
    const { shortCode } = await client.createShortUrl({ longUrl: product, customSlug: "mug" });
    const existing = (data: object) => client.createShortUrl({ longUrl: product, findIfExists: true, ...data });
    expect(await existing({})).toMatchObject({ shortCode });
    expect((await existing({ longUrl: OTHER })).shortCode).not.toBe(shortCode);
    expect((await existing({ customSlug: "cup" })).shortCode).toBe("cup");
    expect((await others.createShortUrl({ longUrl: product, findIfExists: true })).shortCode).not.toBe(shortCode);
  });

  it("creates one link for many requests at once that ask for an existing one", async () => {
    const create = () => client.createShortUrl({ longUrl: product, findIfExists: true });
    const codes = (await Promise.all(Array.from({ length: 20 }, create))).map(({ shortCode }) => shortCode);
    expect(new Set(codes).size).toBe(1);
  });

  it("gives an address without a tag that of the default channel, which stays as long as the address does", async () => {
    await ada.call(saveStoreTag, { body: { marketplace: "de", tag: "mine-21" } });
    const untagged = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const { shortCode, longUrl } = await client.createShortUrl({ longUrl: untagged, findIfExists: true });
    expect(longUrl).toBe(`${untagged}?tag=mine-21`);
    expect(await client.createShortUrl({ longUrl: untagged, findIfExists: true })).toMatchObject({ shortCode });
    await client.updateShortUrl({ shortCode }, { longUrl, title: "A mug", validUntil: "2030-01-01T00:00:00Z" });
    const columns = "channel_tag, title, expires_at IS NULL AS is_endless";
    expect(await api.query(`SELECT ${columns} FROM links WHERE user_id = ${ada.user.id}`)).toEqual([
      { channel_tag: "mine-21", title: "A mug", is_endless: false },
    ]);
  });

  it("creates and changes no link if it cannot have its tags", async () => {
    const tooMany = { tags: ["too-many"] };
    const { shortCode } = await client.createShortUrl({ longUrl: product });
    await api.query(`
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT ${ada.user.id}, 'l' || n, 'l' || n, 'green' FROM generate_series(1, ${LABELS_PER_USER_MAX_COUNT}) n`);
    await expect(client.createShortUrl({ longUrl: OTHER, ...tooMany })).rejects.toMatchObject({
      code: "too-many-labels",
    });
    const change = client.updateShortUrl({ shortCode }, { longUrl: OTHER, ...tooMany });
    await expect(change).rejects.toMatchObject({ code: "too-many-labels" });
    expect((await client.listShortUrls({})).data).toMatchObject([{ shortCode, longUrl: product }]);
  });

  it("creates or changes a link with all that was sent, or not at all", async () => {
    await addUserLinks(api, ada.user.id, 16);
    await api.query(`
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT ${ada.user.id}, 'l' || n, 'l' || n, 'green' FROM generate_series(1, ${LABELS_PER_USER_MAX_COUNT - 3}) n`);
    const each = async (send: (n: number) => Promise<unknown>) => {
      const results = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => send(n + 1)));
      return results.filter(({ status }) => status === "fulfilled").length;
    };
    const linksTo = async (url: string) => api.query(`SELECT FROM links WHERE original_url = '${url}'`);
    const created = await each((n) => client.createShortUrl({ longUrl: OTHER, tags: [`new-${n}`] }));
    expect([created, await linksTo(OTHER)]).toEqual([3, Array(3).fill({})]);
    await api.query("DELETE FROM labels WHERE name = 'l1'");
    const change = { longUrl: `${OTHER}&th=1`, title: "A mug" };
    const changed = await each((n) =>
      client.updateShortUrl({ shortCode: `u${ada.user.id}n${n}` }, { ...change, tags: [`newer-${n}`] }),
    );
    expect([changed, await linksTo(change.longUrl)]).toEqual([1, [{}]]);
    expect(await api.query("SELECT original_url FROM links WHERE title IS NOT NULL")).toHaveLength(1);
  });

  it("uses own domains", async () => {
    const domain = await addWorkingDomain(api, ada, { isDefault: true });
    expect(await client.createShortUrl({ longUrl: product, customSlug: "mug" })).toMatchObject({ domain });
    expect(await client.createShortUrl({ longUrl: OTHER, customSlug: "mug", domain: "localhost" })).toMatchObject({
      domain: null,
    });
    const link = await client.getShortUrl({ shortCode: "mug", domain });
    expect(link).toMatchObject({ shortCode: "mug", domain, longUrl: product, shortUrl: `https://${domain}/mug` });
    expect(await client.getShortUrl({ shortCode: "mug" })).toMatchObject({ domain: null, longUrl: OTHER });
    const { data } = await client.listDomains();
    expect(data.map((each) => [each.domain, each.isDefault])).toEqual([
      ["localhost", true],
      [domain, false],
    ]);
  });

  it("reads the visits of a link, tags and health", async () => {
    await client.createShortUrl({ longUrl: product, customSlug: "mug", tags: ["tin"] });
    await api.query(`SELECT create_click_partitions('2026-11-01')`);
    await api.query(`INSERT INTO clicks SELECT id, '2026-11-20', '{"p": "3 4:2", "b": "5:2"}' FROM links`);
    const visits = await client.getShortUrlVisits({ shortCode: "mug" });
    expect(visits).toMatchObject({ data: [], pagination: { totalItems: 5 } });
    for (const [params, totalItems] of [
      [{ excludeBots: true, page: 1, itemsPerPage: 20 }, 3],
      [{ startDate: "2026-11-20T10:00:00Z", endDate: "2026-11-20T11:00:00Z" }, 5],
      [{ startDate: "2026-11-21T00:00:00Z" }, 0],
      [{ endDate: "2026-11-20T00:30:00+01:00" }, 0],
    ] as const) {
      const { pagination } = await client.getShortUrlVisits({ shortCode: "mug" }, params);
      expect([params, pagination.totalItems]).toEqual([params, totalItems]);
    }
    const summary = async (each: Client) => (await each.getShortUrl({ shortCode: "mug" })).visitsSummary;
    expect(await summary(client)).toEqual({ total: 5, nonBots: 3, bots: 2 });
    expect(await summary(await clientOf(ada, ["links:read"]))).toEqual({ total: 0, nonBots: 0, bots: 0 });
    expect((await client.listTags()).data).toEqual(["tin"]);
    expect(await client.health()).toMatchObject({ status: "pass" });
    expect((await fetch(`${api.url}/rest/health`)).status).toBe(200);
  });

  it("gets the errors that it knows", async () => {
    await client.createShortUrl({ longUrl: product, customSlug: "mug" });
    const create = (data: object, by = client) => by.createShortUrl({ longUrl: product, ...data });
    const stranger = clientWith("tt_unknown");
    const reader = await clientOf(ada, ["links:read"]);
    for (const [request, expected] of [
      [() => create({ customSlug: "mug" }), { type: ErrorType.INVALID_SLUG, status: 400 }],
      [() => create({ longUrl: "https://example.com/" }), { type: ErrorType.INVALID_ARGUMENT, status: 400 }],
      [() => create({ maxVisits: 3 }), { type: ErrorType.INVALID_ARGUMENT, status: 400 }],
      [() => create({ domain: "eve.example" }), { type: ErrorType.DOMAIN_NOT_FOUND }],
      [() => create({}, stranger), { type: ErrorType.INVALID_API_KEY, status: 401 }],
      [() => create({}, reader), { status: 403, code: "missing-scope-links-write" }],
      [() => others.getShortUrl({ shortCode: "mug" }), { type: ErrorType.INVALID_SHORTCODE, status: 404 }],
      [() => others.deleteShortUrl({ shortCode: "mug" }), { type: ErrorType.INVALID_SHORTCODE, status: 404 }],
      [() => client.tagsStats(), { type: ErrorType.NOT_FOUND, status: 404 }],
    ] as const) {
      await expect(request()).rejects.toMatchObject({
        ...expected,
        title: expect.any(String),
        detail: expect.any(String),
      });
    }
  });
});

it.each([
  ...["tags[0]=tin", "tags=tin", "excludeTags[]=tin", "excludePastValidUntil=true", "_=1", "orderBy=visits-DESC"],
  ...["orderBy[visits]=DESC", "tagsMode=none", "page[]=1", "startDate=2026", "domain[]=a.example"],
])("a list names the parameter that it does not support: %s", async (query) => {
  for (const path of ["/short-urls", "/short-urls/mug/visits", "/tags", "/domains"]) {
    const response = await send("GET", `${path}?${query}`);
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      400,
      { type: ErrorType.INVALID_ARGUMENT, detail: expect.stringContaining(query.split("=", 1).join("")) },
    ]);
  }
});

it("has all tags on the first page", async () => {
  const tags = async (query: string) => (await send("GET", `/tags?${query}`)).json();
  expect(await tags("page=2&itemsPerPage=10")).toMatchObject({ tags: { data: [], pagination: { currentPage: 2 } } });
  expect(await tags("page=1&itemsPerPage=10&withStats=false")).toEqual(await tags(""));
});

it("refuses wrong types and hostile texts, and never fails", async () => {
  for (const body of [[], { longUrl: 1 }, { longUrl: product, tags: "x" }, { longUrl: product, tags: [{}] }]) {
    expect((await send("POST", "/short-urls", body)).status).toBe(400);
  }
  const long = { longUrl: product, customSlug: "x".repeat(9_000), title: "\u0000" };
  expect((await send("POST", "/short-urls", long)).status).toBe(400);
  for (const query of ["page=-1", "page=1e9", "itemsPerPage=x", "startDate=x", `searchTerm=${"x".repeat(300)}`]) {
    expect([query, (await send("GET", `/short-urls?${query}`)).status]).toEqual([query, 400]);
  }
  for (const code of HOSTILE) {
    expect([code, (await send("GET", `/short-urls/${code}`)).status]).toEqual([code, 404]);
  }
});

it("takes a key from any site, but no session from another one", async () => {
  const origin = "https://app.shlink.io";
  const created = await send("POST", "/short-urls", { longUrl: product }, { origin });
  expect([created.status, created.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  const forged = await api.request("POST", "/rest/v3/short-urls", { ...ada.browser, origin }, { longUrl: product });
  expect([forged.status, await forged.json()]).toMatchObject([403, { code: "bad-origin" }]);
  const elsewhere = await api.request("POST", "/api/generate", { "x-api-key": key, origin }, { url: product });
  expect([elsewhere.status, await elsewhere.text()]).toEqual([403, ERRORS["bad-origin"].message]);
  const withoutKey = await api.request("GET", "/rest/v3/short-urls");
  expect(await withoutKey.json()).toMatchObject({ type: ErrorType.INVALID_AUTHORIZATION, status: 401 });
  expect((await api.request("GET", "/api/links", { "x-api-key": key })).status).toBe(401);
});
