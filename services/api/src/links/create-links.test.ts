import { randomUUID } from "node:crypto";
import { createLinks } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { Link } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { product, readLink, redirectRecord } from "../testing/test-links.ts";
import type { TestUser } from "../testing/test-user.ts";
import { startApi, startWorld } from "../testing/world.ts";

const { api, ada: owner, eve: other } = await startWorld();
const limited = await startApi({}, { replicaOf: api, productionLimits: true });
beforeEach(() => api.query("TRUNCATE links, link_codes, link_changes, products, retired_codes CASCADE"));

const post = (body: unknown, { user = owner, key }: { user?: TestUser; key?: string } = {}) =>
  api.post("/api/links", body, { ...user.browser, ...(key && { "idempotency-key": key }) });

async function created(body: object, user = owner): Promise<Link> {
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

describe("POST /api/links", () => {
  it("creates a link of the user with all that it is given", async () => {
    const expiresAt = inDays(30);
    const slug = `summer-lamps-${owner.user.id}-${Date.now()}`;
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
      userId: owner.user.id,
      expiresAt,
    });
    expect(await readLink(api, owner.browser, slug)).toEqual(link);
    expect(await redirectRecord(slug)).toMatchObject({
      state: "live",
      webUrl: product,
      title: "A lamp",
      expiresAt: Date.parse(expiresAt),
    });
    expect(await api.query("SELECT short_code, revision FROM link_changes")).toEqual([
      { short_code: slug, revision: 1 },
    ]);
    expect(await api.query("SELECT canonical_url FROM products")).toHaveLength(1);
  });

  it("is the same as the first request when it is repeated with its key", async () => {
    const key = randomUUID();
    const body = { url: product, slug: "lamps" };
    const first = await post(body, { key });
    const second = await post(body, { key });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect(await codes()).toEqual(["lamps"]);
  });

  it("refuses a key of another request, but not one that another user used", async () => {
    const key = randomUUID();
    await post({ url: product }, { key });
    const reused = [422, ERRORS["idempotency-key-reused"].message];
    expect(await errorOf(post({ url: product, title: "x" }, { key }))).toEqual(reused);
    expect((await post({ url: product }, { key, user: other })).status).toBe(201);
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
    await api.request("DELETE", `/api/links/${id}`, owner.browser);
    expect(await errorOf(post({ url: product, slug: "lamps" }, { user: other }))).toEqual(taken);
    expect(await errorOf(post({ url: product, slug: "lamps" }))).toEqual(taken);
  });

  it("goes to one of many users who request it at once", async () => {
    const requests = Array.from({ length: 8 }, (_, index) =>
      post({ url: product, slug: "lamps" }, { user: index % 2 ? owner : other }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await codes()).toEqual(["lamps"]);
  });
});

describe("POST /api/links/bulk", () => {
  const bulk = async (links: unknown, headers: Record<string, string> = {}, of = api) => {
    const response = await of.post("/api/links/bulk", { links }, { ...owner.browser, ...headers });
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
          "A short link name has 3 to 50 letters a to z, digits and single hyphens or underscores between them; on own domains from 1",
      },
      { status: 201, link: { nickname: "n", webUrl: `${product}&th=1` } },
      { status: 409, code: "slug-taken" },
      { status: 201, link: { webUrl: "https://www.amazon.co.uk/dp/B0ZZ1Y2X3W" } },
    ]);
    expect(await codes()).toHaveLength(4);
  });

  it("creates 500 links with full addresses, within the production limits", async () => {
    const links = Array.from({ length: 500 }, (_, index) => ({
      url: `https://www.amazon.de/dp/B0${String(index).padStart(8, "0")}?tag=me-21&x=${"x".repeat(3_900)}`,
      ...(index % 2 && { slug: `lamp-${index}` }),
    }));
    const found = await results(links, {}, limited);
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set([201]));
    expect(found.map((result) => "link" in result && result.link.originalUrl)).toEqual(links.map(({ url }) => url));
    const counts = await api.query(
      `SELECT (SELECT count(*) FROM links)::int AS links, (SELECT count(*) FROM link_changes)::int AS changes,
         (SELECT count(*) FROM products)::int AS products, (SELECT count(*) FROM link_codes)::int AS slugs`,
    );
    expect(counts).toEqual([{ links: 500, changes: 500, products: 500, slugs: 250 }]);
  });

  it("creates none without a key either if one of the statements fails", async () => {
    await api.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'failed'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON links FOR EACH ROW WHEN (NEW.title = 'fails') EXECUTE FUNCTION fail()`,
    );
    const page = (index: number) => `https://www.amazon.de/dp/B0${String(index).padStart(8, "0")}`;
    const links = Array.from({ length: 200 }, (_, index) => ({ url: page(index) }));
    const { status } = await bulk([...links, { url: page(200), title: "fails" }]);
    await api.query("DROP FUNCTION fail CASCADE");
    expect([status, await codes()]).toEqual([500, []]);
  });

  it("creates what failed, and only that, when it is repeated with its key", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const links = [{ url: product }, { url: product, slug: "lamps" }, { url: product }];
    const { id } = await created({ slug: "lamps" }, other);
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
