import * as sdk from "@shlinkio/shlink-js-sdk";
import * as sdkErrors from "@shlinkio/shlink-js-sdk/api-contract";
import * as sdkFetch from "@shlinkio/shlink-js-sdk/fetch";
import { ERRORS } from "@tapthru/proto/errors";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import { LABELS_PER_USER_MAX_COUNT } from "@tapthru/proto/rules/limits";
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
interface Client {
  listShortUrls(params: object): Promise<List<ShortUrl>>;
  createShortUrl(data: object): Promise<ShortUrl>;
  getShortUrl(link: object): Promise<ShortUrl>;
  updateShortUrl(link: object, data: object): Promise<ShortUrl>;
  deleteShortUrl(link: object): Promise<void>;
  getShortUrlVisits(link: object): Promise<object>;
  listTags(): Promise<object>;
  listDomains(): Promise<object>;
  health(): Promise<object>;
}
type NewClient = new (http: object, server: { baseUrl: string; apiKey: string }) => Client;
const { ShlinkApiClient } = sdk as unknown as { ShlinkApiClient: NewClient };
const { FetchHttpClient } = sdkFetch as unknown as { FetchHttpClient: new (send: typeof fetch) => object };
const { ErrorType } = sdkErrors as unknown as { ErrorType: Record<string, string> };

const { api, ada, eve } = await startWorld({ TLS: "on" });
const OTHER = "https://www.amazon.de/dp/B0ZZ1Y2X3V?tag=me-21";
const HOSTILE = ["%00", "x".repeat(300), "l%2F", "a%2Fb", "A@B@C", "..%2F..%2Fapi%2Fkeys", "%E2%98%83"];

const clientWith = (apiKey: string) => new ShlinkApiClient(new FetchHttpClient(fetch), { baseUrl: api.url, apiKey });
const clientOf = async (user: TestUser, scopes?: readonly ApiKeyScope[]) =>
  clientWith((await addKey(api, user, scopes)).key);
const client = await clientOf(ada);
const others = await clientOf(eve);
const { key } = await addKey(api, ada);
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.request(method, `/rest/v3${path}`, { "x-api-key": key, ...headers }, body);

beforeEach(() => api.query("TRUNCATE labels, all_links, link_codes, retired_codes, domains CASCADE"));

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

  const codesOf = ({ data }: List<ShortUrl>) => data.map(({ shortCode }) => shortCode.replace(/.*n/, "")).join(" ");

  it("lists links by page and text", async () => {
    await addUserLinks(api, ada.user.id, 12);
    const list = async (params: object) => {
      const listed = await client.listShortUrls(params);
      return [codesOf(listed), listed.pagination];
    };
    const page = { pagesCount: 3, totalItems: 12, itemsPerPage: 5 };
    expect(await list({ itemsPerPage: 5 })).toEqual([
      "12 11 10 9 8",
      { ...page, currentPage: 1, itemsInCurrentPage: 5 },
    ]);
    expect(await list({ itemsPerPage: 5, page: 3, orderBy: { field: "dateCreated", dir: "DESC" } })).toEqual([
      "2 1",
      { ...page, currentPage: 3, itemsInCurrentPage: 2 },
    ]);
    expect(await list({ itemsPerPage: 5, page: 4 })).toEqual(["", { ...page, currentPage: 4, itemsInCurrentPage: 0 }]);
    expect((await list({ itemsPerPage: -1 }))[0]).toMatch(/^12 .* 1$/);
    expect(await list({ searchTerm: "n12" })).toMatchObject(["12", { totalItems: 1 }]);
  });

  it("lists the newest 1,000 links, and counts no others", async () => {
    await addUserLinks(api, ada.user.id, 1_060);
    const listed = await client.listShortUrls({ itemsPerPage: 50, page: 20 });
    expect(codesOf(listed)).toMatch(/^110 .* 61$/);
    expect(listed.pagination).toMatchObject({ totalItems: 1_000, pagesCount: 20, itemsInCurrentPage: 50 });
    expect((await client.listShortUrls({ itemsPerPage: 50, page: 21 })).data).toEqual([]);
  });

  it.each([null, ""])("clears the title with %j", async (title) => {
    const { shortCode } = await client.createShortUrl({ longUrl: product, title: "A mug" });
    expect(await client.updateShortUrl({ shortCode }, { title })).toMatchObject({ title: null });
  });

  it("creates a link for each request, whether it asks for an existing one or not", async () => {
    const create = () => client.createShortUrl({ longUrl: product, findIfExists: true });
    const codes = (await Promise.all([create(), create()])).map(({ shortCode }) => shortCode);
    expect(new Set(codes).size).toBe(2);
  });

  it("gives an address without a tag that of the default channel, which stays as long as the address does", async () => {
    await ada.call(saveStoreTag, { body: { marketplace: "de", tag: "mine-21" } });
    const untagged = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
    const { shortCode, longUrl } = await client.createShortUrl({ longUrl: untagged });
    expect(longUrl).toBe(`${untagged}?tag=mine-21`);
    await client.updateShortUrl({ shortCode }, { longUrl, title: "A mug", validUntil: "2030-01-01T00:00:00Z" });
    const columns = "follows_channel, title, expires_at IS NULL AS is_endless";
    expect(await api.query(`SELECT ${columns} FROM links WHERE user_id = ${ada.user.id}`)).toEqual([
      { follows_channel: true, title: "A mug", is_endless: false },
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
  });

  it("reads the visits of a link with the scope for it, and health", async () => {
    await client.createShortUrl({ longUrl: product, customSlug: "mug", tags: ["tin"] });
    await api.query(`SELECT create_click_partitions('2026-11-01')`);
    await api.query(`INSERT INTO clicks SELECT id, '2026-11-20', '{"p": "3 4:2", "b": "5:2"}' FROM links`);
    const summary = async (each: Client) => (await each.getShortUrl({ shortCode: "mug" })).visitsSummary;
    expect(await summary(client)).toEqual({ total: 5, nonBots: 3, bots: 2 });
    expect(await summary(await clientOf(ada, ["links:read"]))).toEqual({ total: 0, nonBots: 0, bots: 0 });
    expect(await client.health()).toMatchObject({ status: "pass" });
    expect((await fetch(`${api.url}/rest/health`)).status).toBe(200);
  });

  it("returns the errors that the client knows", async () => {
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
      ...[client.listTags, client.listDomains, () => client.getShortUrlVisits({ shortCode: "mug" })].map(
        (call) => [() => call.call(client), { type: ErrorType.NOT_FOUND, status: 404 }] as const,
      ),
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
  ...["tags[]=tin", "tags=tin", "excludePastValidUntil=true", "_=1", "orderBy=visits-DESC", "orderBy[visits]=DESC"],
  ...["page[]=1", "startDate=2026", "domain=a.example"],
])("the list names the parameter that it does not support: %s", async (query) => {
  const response = await send("GET", `/short-urls?${query}`);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { type: ErrorType.INVALID_ARGUMENT, detail: expect.stringContaining(query.split("=", 1).join("")) },
  ]);
});

it("refuses wrong types and hostile texts, and never fails", async () => {
  for (const body of [[], { longUrl: 1 }, { longUrl: product, tags: "x" }, { longUrl: product, tags: [{}] }]) {
    expect((await send("POST", "/short-urls", body)).status).toBe(400);
  }
  const long = { longUrl: product, customSlug: "x".repeat(9_000), title: "\u0000" };
  expect((await send("POST", "/short-urls", long)).status).toBe(400);
  for (const query of ["page=-1", "page=1e9", "itemsPerPage=x", `searchTerm=${"x".repeat(300)}`]) {
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
