import { hash, randomBytes, randomUUID } from "node:crypto";
import { insertLinksQuery } from "@tapthru/core/links/insert-links";
import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { createLinks } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { GeneratedLink } from "@tapthru/proto/generate";
import { Link } from "@tapthru/proto/links";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/rules/short-code";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createAccount } from "../testing/test-accounts.ts";
import { product, readLink, redirectRecord } from "../testing/test-links.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { bearer, signUpUser, type TestUser } from "../testing/test-user.ts";
import { newVisitor, startApi, startWorld } from "../testing/world.ts";
import { INSERTED_LINK } from "./link-row.ts";

const { api, ada, eve } = await startWorld();
const limited = await startApi({}, { replicaOf: api, productionLimits: true });
beforeEach(() => api.query("TRUNCATE all_links, link_codes, link_changes, products, retired_codes CASCADE"));
const post = (body: unknown, { user = ada, key }: { user?: TestUser; key?: string } = {}) =>
  api.post("/api/links", body, { ...user.browser, ...(key && { "idempotency-key": key }) });

async function created(body: object, user = ada): Promise<Link> {
  const response = await post({ url: product, ...body }, { user });
  expect(response.status).toBe(201);
  return Link.parse(await response.json());
}

async function errorOf(response: Promise<Response>): Promise<[number, string]> {
  const { status, text } = await response.then(async (r) => ({ status: r.status, text: await r.text() }));
  return [status, text];
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const codes = async () => (await api.query("SELECT short_code FROM links ORDER BY id")).map((row) => row.short_code);
const page = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&th=1&psc=1";

async function generate(url: unknown, headers: Record<string, string> = {}) {
  const response = await api.post("/api/generate", { url }, headers);
  const text = await response.text();
  return { response, status: response.status, text };
}

async function generated(url: string, headers: Record<string, string> = {}) {
  const { status, text, response } = await generate(url, headers);
  return { status, response, link: GeneratedLink.parse(JSON.parse(text)) };
}

const tokenOf = (setCookie: string) => /^claim=([\w-]{43});/.exec(setCookie)?.[1];
const generateAs = (headers: Record<string, string>, url = product) => api.post("/api/generate", { url }, headers);
const owners = () => api.query("SELECT user_id, expires_at, claim_hash FROM links ORDER BY id");
const ownedBy = ({ user }: TestUser) => ({ user_id: user.id, expires_at: null, claim_hash: null });

describe("POST /api/links", () => {
  it("creates a link of the user with all that it is given", async () => {
    const expiresAt = inDays(30);
    const slug = `summer-lamps-${ada.user.id}-${Date.now()}`;
    const nickname = "lamp \ufffd";
    const fields = { slug: slug.toUpperCase(), title: "A lamp", nickname, expiresAt };
    const link = await created(fields);
    expect(link).toMatchObject({
      shortCode: slug,
      shortUrl: `${api.publicBaseUrl}/l/${slug}`,
      originalUrl: product,
      webUrl: product,
      title: "A lamp",
      nickname,
      userId: ada.user.id,
      expiresAt,
    });
    expect(await readLink(api, ada.browser, slug)).toEqual(link);
    expect(await redirectRecord(slug)).toMatchObject({
      state: "live",
      webUrl: product,
      title: "A lamp",
      expiresAt: Date.parse(expiresAt),
    });
    expect(await api.query("SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~'")).toEqual([
      { short_code: slug, revision: 1 },
    ]);
    expect(await api.query("SELECT canonical_url FROM products")).toHaveLength(1);
  });

  it("refuses a key of another request, but not one that another user used", async () => {
    const key = randomUUID();
    await post({ url: product }, { key });
    const reused = [422, ERRORS["idempotency-key-reused"].message];
    expect(await errorOf(post({ url: product, title: "x" }, { key }))).toEqual(reused);
    expect((await post({ url: product }, { key, user: eve })).status).toBe(201);
    expect(await errorOf(post({ url: product }, { key: "short" }))).toEqual([
      400,
      ERRORS["bad-idempotency-key"].message,
    ]);
  });
});

describe("a slug that is taken", () => {
  const taken = [409, ERRORS["slug-taken"].message];

  it("stays taken after its link was deleted, for its owner too", async () => {
    const { id } = await created({ slug: "lamps" });
    await api.request("DELETE", `/api/links/${id}`, ada.browser);
    expect(await errorOf(post({ url: product, slug: "lamps" }, { user: eve }))).toEqual(taken);
    expect(await errorOf(post({ url: product, slug: "lamps" }))).toEqual(taken);
  });

  it("goes to one of many users who request it at once", async () => {
    const requests = Array.from({ length: 8 }, (_, index) =>
      post({ url: product, slug: "lamps" }, { user: index % 2 ? ada : eve }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await codes()).toEqual(["lamps"]);
  });
});

describe("POST /api/links/bulk", () => {
  const bulk = async (links: unknown, headers: Record<string, string> = {}, of = api) => {
    const response = await of.post("/api/links/bulk", { links }, { ...ada.browser, ...headers });
    return { status: response.status, text: await response.text() };
  };
  const results = async (links: unknown, headers?: Record<string, string>, of = api) => {
    const { status, text } = await bulk(links, headers, of);
    expect(status).toBe(200);
    return z.parse(createLinks.replies[200], JSON.parse(text)).results;
  };

  it("returns a result for each link, in order, and creates those that are valid", async () => {
    await created({ slug: "taken" });
    const found = await results([
      { url: product, slug: "first" },
      { url: "https://shop.example" },
      { url: product, slug: "taken" },
      { url: product, slug: "-" },
      { url: `${product}&th=1`, nickname: "n", expiresAt: inDays(1) },
      { url: product, slug: "FIRST" },
      { url: "https://www.amazon.co.uk/dp/B0ZZ1Y2X3W" },
    ]);
    expect(found).toMatchObject([
      { status: 201, link: { shortCode: "first" } },
      { status: 422, code: "not-an-amazon-link", message: ERRORS["not-an-amazon-link"].message },
      { status: 409, code: "slug-taken", message: ERRORS["slug-taken"].message },
      {
        status: 422,
        code: "invalid-body",
        message:
          "A short link name has 3 to 50 letters a to z, digits, and single hyphens or underscores between them. On own domains 1 is enough",
      },
      { status: 201, link: { nickname: "n", webUrl: `${product}&th=1` } },
      { status: 409, code: "slug-taken" },
      { status: 201, link: { webUrl: "https://www.amazon.co.uk/dp/B0ZZ1Y2X3W" } },
    ]);
    expect(await codes()).toHaveLength(4);
  });

  it("creates 100 links with full addresses, within the production limits", async () => {
    const links = Array.from({ length: 100 }, (_, index) => ({
      url: `https://www.amazon.de/dp/B0${String(index).padStart(8, "0")}?tag=me-21&x=${"x".repeat(3_900)}`,
      ...(index % 2 && { slug: `lamp-${index}` }),
    }));
    const found = await results(links, {}, limited);
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([201]));
    expect(found.map((result) => "link" in result && result.link.originalUrl)).toEqual(links.map(({ url }) => url));
    const counts = await api.query(
      `SELECT (SELECT count(*) FROM links)::int AS links, (SELECT count(*) FROM link_changes WHERE short_code !~ '^~')::int AS changes,
         (SELECT count(*) FROM products)::int AS products, (SELECT count(*) FROM link_codes)::int AS slugs`,
    );
    expect(counts).toEqual([{ links: 100, changes: 100, products: 100, slugs: 50 }]);
  });

  it("creates none without a key either if one of the statements fails", async () => {
    await api.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'failed'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON all_links FOR EACH ROW WHEN (NEW.title = 'fails') EXECUTE FUNCTION fail()`,
    );
    const page = (index: number) => `https://www.amazon.de/dp/B0${String(index).padStart(8, "0")}`;
    const links = Array.from({ length: 99 }, (_, index) => ({ url: page(index) }));
    const { status } = await bulk([...links, { url: page(99), title: "fails" }]);
    await api.query("DROP FUNCTION fail CASCADE");
    expect([status, await codes()]).toEqual([500, []]);
  });

  it("creates what failed, and only that, when it is repeated with its key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const links = [{ url: product }, { url: product, slug: "lamps" }, { url: product }];
    const { id } = await created({ slug: "lamps" }, eve);
    const first = await results(links, headers);
    expect(first.map(({ status }) => status)).toEqual([201, 409, 201]);
    await api.query(`DELETE FROM links WHERE id = ${id}; TRUNCATE link_codes, retired_codes`);
    const second = await results(links, headers);
    expect(second.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([second[0], second[2]]).toEqual([first[0], first[2]]);
    expect(await codes()).toHaveLength(3);
  });

  it("creates each link once when it is sent several times at once with one key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const links = Array.from({ length: 20 }, (_, n) => ({ url: product, ...(n < 5 && { slug: `lamp-${n}` }) }));
    const all = await Promise.all(Array.from({ length: 4 }, () => results(links, headers)));
    const ids = all.map((found) => found.map((result) => "link" in result && result.link.id));
    for (const some of ids) expect(some).toEqual(ids[0]);
    expect(await codes()).toHaveLength(20);
  });
});

describe("POST /api/generate", () => {
  it("responds 201 with exactly the fields of the specification", async () => {
    const { status, link } = await generated(page);
    expect(status).toBe(201);
    expect(link).toEqual({
      shortCode: expect.stringMatching(SHORT_CODE_PATTERN),
      shortUrl: `${api.publicBaseUrl}/l/${link.shortCode}`,
      deepLink: expect.stringContaining("/redirect?product_id=B0ZZ1Y2X3W&original_url="),
      originalUrl: page,
      imageUrl: null,
      title: null,
    });
    const deepLink = new URL(link.deepLink);
    expect(deepLink.origin).toBe(api.publicBaseUrl);
    expect(deepLink.searchParams.get("original_url")).toBe(page);
  });

  it("stores an anonymous link that expires after exactly 7 days", async () => {
    await generated(page);
    const [row] = await api.query(
      "SELECT user_id, expires_at - created_at = interval '7 days' AS seven_days FROM links",
    );
    expect(row).toEqual({ user_id: null, seven_days: true });
  });

  it("creates a link to a storefront whose URL is too long for a product key", async () => {
    const storefront = `https://www.amazon.com/shop/${"a".repeat(4_000)}`;
    const { status, link } = await generated(storefront);
    expect(status).toBe(201);
    expect(link.originalUrl).toBe(storefront);
    expect(await api.query("SELECT 1 FROM products")).toEqual([]);
  });

  it("sets a claim cookie for an anonymous caller, and stores its hash with the link", async () => {
    const { response } = await generated(page);
    const cookie = response.headers.getSetCookie()[0] ?? "";
    expect(cookie).toMatch(/^claim=[\w-]{43}; path=\/; expires=.*; samesite=lax; httponly$/i);
    const token = cookie.slice("claim=".length, cookie.indexOf(";"));
    expect(await api.query(`SELECT claim_hash = sha256('${token}'::bytea) AS kept FROM links`)).toEqual([
      { kept: true },
    ]);
  });
});

describe("invalid input", () => {
  afterEach(async () => {
    const tables = ["links", "link_changes", "products", "recent_creates", "idempotency_keys"];
    for (const table of tables) expect(await api.query(`SELECT 1 FROM ${table}`)).toEqual([]);
  });

  it.each([
    ["an address of another site", "https://media.co/x", ERRORS["not-an-amazon-link"].message],
    ["blank text", "   ", ERRORS["link-missing"].message],
    ["a NUL, which Postgres cannot store", `${page}\0x`, ERRORS["not-an-amazon-link"].message],
    [
      "a redirector of Amazon",
      "https://www.amazon.com/gp/redirect.html?location=https%3A%2F%2Fevil.example",
      ERRORS["unusable-link"].message,
    ],
  ])("rejects %s", async (_title, url, message) => {
    expect(await generate(url)).toMatchObject({ status: 422, text: message });
  });

  const json = "application/json";
  it.each([
    ["plain text", "text/plain", JSON.stringify({ url: page }), 415],
    ["a form", "application/x-www-form-urlencoded", `url=${encodeURIComponent(page)}`, 415],
    ["a truncated object", json, "{", 400],
    ["an empty body", json, "", 422],
    ["8,000 brackets", json, "[".repeat(8000), 400],
    ["17,000 characters", json, JSON.stringify({ url: "x".repeat(17_000) }), 413],
    ["an overlong encoding", json, Buffer.from([...Buffer.from('{"url":"'), 0xc0, 0xaf]), 400],
    ["a __proto__ field", json, `{"url":"${page}","__proto__":{"a":1}}`, 400],
    ["an escaped one", json, `{"url":"${page}","__prot\\u006f__":{"a":1}}`, 400],
  ])("responds to %s as %s with one short sentence", async (_title, type, body, status) => {
    const headers = { "content-type": type };
    const response = await fetch(`${api.url}/api/generate`, { method: "POST", headers, body });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(await response.text()).toMatch(/^.{1,100}$/);
  });
});

describe("a repeated create", () => {
  it("creates one link for many identical concurrent requests of one visitor", async () => {
    const headers = await newVisitor(api);
    const responses = await Promise.all(
      Array.from({ length: MAX_REQUESTS_IN_PROGRESS }, () => generated(page, headers)),
    );
    expect(new Set(responses.map(({ link }) => link.shortCode)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(MAX_REQUESTS_IN_PROGRESS - 1);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
    expect(await api.query("SELECT 1 FROM link_changes WHERE short_code !~ '^~'")).toHaveLength(1);
  });

  it("creates another link after the window of ten minutes", async () => {
    const headers = await newVisitor(api);
    const one = await generated(page, headers);
    await api.query("UPDATE recent_creates SET created_at = created_at - interval '10 minutes'");
    const other = await generated(page, headers);
    expect(other.status).toBe(201);
    expect(other.link.shortCode).not.toBe(one.link.shortCode);
    expect((await generated(page, headers)).link.shortCode).toBe(other.link.shortCode);
  });
});

describe("Idempotency-Key", () => {
  it("replies as to the first request, even after the window of repeated creates", async () => {
    const headers = { ...(await newVisitor(api)), "idempotency-key": randomUUID() };
    const first = await generated(page, headers);
    await api.query("DELETE FROM recent_creates");
    const again = await generated(page, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.link).toEqual(first.link);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("creates one link for concurrent requests without a cookie", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const responses = await Promise.all(Array.from({ length: 20 }, () => generated(page, headers)));
    expect(new Set(responses.map(({ link }) => link.shortCode)).size).toBe(1);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("gives the cookie of the first response to a retry without one, and never changes who may claim the link", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const claimHash = () => api.query("SELECT encode(claim_hash, 'hex') AS hash FROM links");
    const cookies = async () => (await generated(page, headers)).response.headers.getSetCookie().map(tokenOf);
    const first = await cookies();
    const [before] = await claimHash();
    expect(await Promise.all([cookies(), cookies()])).toEqual([first, first]);
    expect(first).toHaveLength(1);
    expect(await claimHash()).toEqual([before]);
    expect(before?.hash).toBe(hash("sha256", first[0] ?? ""));
  });

  it("belongs to one of two visitors who send it concurrently", async () => {
    const key = { "idempotency-key": randomUUID() };
    const visitors = [await newVisitor(api), await newVisitor(api)];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => generate(page, { ...key, ...visitors[i % 2] })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(10).fill(422)]);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("stores the key of a repeated create too, whose reply stays 200", async () => {
    const headers = await newVisitor(api);
    const { link } = await generated(page, headers);
    const keyed = { ...headers, "idempotency-key": randomUUID() };
    expect(await generated(page, keyed)).toMatchObject({ status: 200, link });
    await api.query("DELETE FROM recent_creates");
    expect(await generated(page, keyed)).toMatchObject({ status: 200, link });
  });

  it("creates a new link if the recent one is deleted before the key is stored", async () => {
    const headers = await newVisitor(api);
    const first = await generated(page, headers);
    await api.query("BEGIN");
    await api.query("SELECT FROM links FOR UPDATE");
    const again = generated(page, { ...headers, "idempotency-key": randomUUID() });
    await waitForBlockedStatement(api.query);
    await api.query("DELETE FROM links; COMMIT");
    const { status, link } = await again;
    expect(status).toBe(201);
    expect(link.shortCode).not.toBe(first.link.shortCode);
  });

  it("never returns a link that was taken down", async () => {
    const headers = { "idempotency-key": randomUUID() };
    await generated(page, headers);
    await api.query("UPDATE links SET taken_down_at = now()");
    expect(await generate(page, headers)).toMatchObject({ status: 422, text: ERRORS["unusable-link"].message });
  });
});

describe("a link created by a user", () => {
  it.each([
    ["session", () => ada.browser],
    ["token alone", () => bearer(ada.token)],
    ["session and token", () => ({ ...ada.browser, ...bearer(ada.token) })],
    ["session, with an invalid token", () => ({ ...ada.browser, ...bearer("garbage") })],
    ["token, with an invalid session", () => ({ ...ada.browser, ...bearer(ada.token), cookie: "sid=x; sid.sig=x" })],
  ])("belongs to the user identified by %s, and never expires", async (_title, headers) => {
    const response = await generateAs(headers());
    expect(response.status).toBe(201);
    expect(String(response.headers.getSetCookie())).not.toContain("claim");
    expect(await owners()).toEqual([ownedBy(ada)]);
    const { shortCode } = GeneratedLink.parse(await response.json());
    expect(await redirectRecord(shortCode)).toMatchObject({ state: "live", expiresAt: null });
  });

  it("belongs to the user who is logged in at the provider if the session was lost", async () => {
    const ben = await signUpUser(api);
    await api.context.sessionStore.endAll({ userId: ben.user.id, firebaseUid: ben.uid });
    expect((await generateAs(ben.browser)).status).toBe(201);
    expect(await owners()).toEqual([ownedBy(ben)]);
  });

  it("refuses a disabled user whose session remained, also in the account of another user", async () => {
    const { browser, user } = await signUpUser(api);
    await addMember(api, { account: ada.user.id, member: user.id });
    await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${user.id}`);
    for (const account of [{}, inAccountOf(ada)]) {
      const response = await generateAs({ ...browser, ...account });
      expect([response.status, await response.text()]).toEqual([401, ERRORS["login-required"].message]);
    }
    expect(await owners()).toEqual([]);
  });

  it("does not belong to a user who has logged out, also with the cookies from before", async () => {
    const ben = await signUpUser(api);
    await api.request("POST", "/api/logout", ben.browser);
    await generateAs(ben.browser);
    expect(await owners()).toEqual([expect.objectContaining({ user_id: null })]);
  });

  it("belongs to a visitor if the login at the provider has no account", async () => {
    const { login } = await createAccount(api);
    expect((await generateAs(login)).status).toBe(201);
    expect(await owners()).toEqual([expect.objectContaining({ user_id: null })]);
  });

  it("retries return the user's link; another user with the same key gets their own", async () => {
    const key = { "idempotency-key": randomUUID() };
    const first = await generateAs({ ...ada.browser, ...key });
    const again = await generateAs({ ...bearer(ada.token), ...key });
    expect([again.status, await again.json()]).toEqual([201, await first.json()]);
    expect((await generateAs({ ...eve.browser, ...key })).status).toBe(201);
  });
});

describe("without a login", () => {
  it.each([{ usesChannelTag: true }, { channelId: 1 }, { domain: "links.example" }])(
    "a link with %o is refused",
    async (choice) => {
      const body = { url: product, ...choice };
      const response = await api.post("/api/generate", body);
      expect([response.status, await response.text()]).toEqual([401, ERRORS["login-required"].message]);
      expect(await owners()).toEqual([]);
    },
  );
});

describe("no link is created", () => {
  async function expectRefused(headers: Record<string, string>, status: number, message: string): Promise<void> {
    const response = await generateAs(headers);
    expect([response.status, await response.text()]).toEqual([status, message]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await owners()).toEqual([]);
  }

  it("creates no link for a token whose user does not exist in the backend", async () => {
    const { token } = await createAccount(api);
    await expectRefused(bearer(token), 404, ERRORS["account-not-found"].message);
  });

  it("creates no link for the session of one user and the token of another", async () => {
    await expectRefused({ ...ada.browser, ...bearer(eve.token) }, 401, ERRORS["bad-token"].message);
  });
});

describe("a short code", () => {
  const link = {
    index: 0,
    originalUrl: product,
    webUrl: product,
    deepLink: "https://tap.example/redirect?product_id=B0ZZ1Y2X3W",
    marketplace: "de" as const,
    tag: null,
    asin: null,
    page: null,
    pageTitle: null,
    channelId: null,
    followsChannel: false,
    mayReplaceSlug: false,
    domain: null,
    idempotencyKey: null,
  };
  beforeAll(async () => {
    await api.query(`
    CREATE SEQUENCE draws;
    GRANT USAGE ON SEQUENCE draws TO tapthru_api;
    CREATE FUNCTION draw_taken_code() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('draws') <= TG_ARGV[0]::integer THEN NEW.short_code := 'taken22'; END IF;
      RETURN NEW;
    END $$;
  `);
  });
  beforeEach(() => api.query("DROP TRIGGER IF EXISTS unlucky ON all_links; ALTER SEQUENCE draws RESTART"));
  const store = (code: string) => {
    const visitor = { userId: null, visitorKey: randomBytes(32) };
    return api.context.db.maybeOne(insertLinksQuery(visitor, [{ ...link, code }], INSERTED_LINK));
  };

  async function drawTakenCodes(count: number): Promise<void> {
    await api.query(`
    INSERT INTO links (short_code, original_url, web_url, deep_link)
    VALUES ('taken22', '${product}', '${product}', '${link.deepLink}');
    CREATE TRIGGER unlucky BEFORE INSERT ON all_links
    FOR EACH ROW EXECUTE FUNCTION draw_taken_code(${count})
  `);
  }

  it.each([[{}], [{ "idempotency-key": "a-key-of-the-visitor-22-or-more" }]])(
    "replaces a short code that is in use, with headers %j",
    async (headers) => {
      await drawTakenCodes(4);
      const response = await api.post("/api/generate", { url: product }, headers);
      expect(response.status).toBe(201);
      const { shortCode } = GeneratedLink.parse(await response.json());
      expect(await api.query("SELECT short_code FROM links ORDER BY id")).toEqual([
        { short_code: "taken22" },
        { short_code: shortCode },
      ]);
    },
  );

  it("limits the attempts to find a free code", async () => {
    await drawTakenCodes(1_000);
    expect((await api.post("/api/generate", { url: product })).status).toBe(500);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("never uses a retired short code again", async () => {
    await api.query("INSERT INTO retired_codes VALUES ('retired', 'deleted', 2)");
    expect(await store("retired")).toBeNull();
    for (const table of ["links", "link_changes", "recent_creates"]) {
      expect(await api.query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
    expect(await store("retire2")).toMatchObject({ shortCode: "retire2" });
  });
});
