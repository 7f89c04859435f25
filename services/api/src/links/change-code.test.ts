import { ERRORS } from "@tapthru/proto/errors";
import { createUntaggedCode, Link } from "@tapthru/proto/links";
import { CODES_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { beforeEach, describe, expect, it } from "vitest";
import { createLink, product, readLink, redirectRecord } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: owner, eve: other } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_codes, link_changes, products, retired_codes CASCADE"));

const patch = (shortCode: string, body: unknown, user = owner) =>
  api.request("PATCH", `/api/links/${shortCode}`, user.browser, body);

async function errorOf(response: Promise<Response>): Promise<[number, string]> {
  const { status, text } = await response.then(async (r) => ({ status: r.status, text: await r.text() }));
  return [status, text];
}

async function rename(shortCode: string, slug: string): Promise<Link> {
  const response = await patch(shortCode, { slug });
  expect(response.status).toBe(200);
  return Link.parse(await response.json());
}

const changes = () => api.query("SELECT short_code, revision FROM link_changes ORDER BY id");
/** What the redirect service and the worker read. */
const records = () => api.query("SELECT short_code, record FROM redirect_records ORDER BY short_code");

describe("PATCH /api/links/{shortCode} {slug}", () => {
  it("gives the link a new code, and the earlier one goes on opening it", async () => {
    const slug = `summer-lamps-${Date.now()}`;
    const code = await createLink(api, owner.browser);
    const before = await readLink(api, owner.browser, code);
    const link = await rename(code, slug.toUpperCase());
    expect(link).toEqual({ ...before, shortCode: slug, shortUrl: `${api.publicBaseUrl}/l/${slug}` });
    const record = { state: "live", revision: 2, webUrl: product };
    expect(await redirectRecord(code)).toMatchObject(record);
    expect(await redirectRecord(slug)).toMatchObject(record);
    const found = await records();
    expect(new Set(found.map(({ short_code }) => short_code))).toEqual(new Set([code, slug]));
    expect(found[0]?.record).toEqual(found[1]?.record);
    expect(await changes()).toEqual(
      expect.arrayContaining([
        { short_code: code, revision: 2 },
        { short_code: slug, revision: 2 },
      ]),
    );
  });

  it("is found by its owner under each of its codes", async () => {
    const code = await createLink(api, owner.browser);
    const link = await rename(code, "lamps");
    expect(await readLink(api, owner.browser, code)).toEqual(link);
    const clicks = await api.request("GET", `/api/links/${code}/clicks`, owner.browser);
    expect(clicks.status).toBe(200);
    expect((await patch(code, { nickname: "by its earlier code" })).status).toBe(200);
    expect((await api.request("GET", `/api/links/${code}`, other.browser)).status).toBe(404);
  });

  it("refuses more codes than a link may have, but not its earlier ones", async () => {
    const code = await createLink(api, owner.browser);
    for (let i = 1; i < CODES_PER_LINK_MAX_COUNT; i++) await rename(code, `lamps-number-${i}`);
    expect(await errorOf(patch(code, { slug: "one-lamp-more" }))).toEqual([
      409,
      ERRORS["too-many-short-codes"].message,
    ]);
    expect(await rename(code, "lamps-number-1")).toMatchObject({ shortCode: "lamps-number-1" });
  });

  it("may take back an earlier code of the link, but none of another", async () => {
    const code = await createLink(api, owner.browser);
    await rename(code, "lamps");
    await rename("lamps", "lights");
    expect((await rename("lights", "lamps")).shortCode).toBe("lamps");
    expect((await rename("lamps", code)).shortCode).toBe(code);
    const taken = [409, ERRORS["slug-taken"].message];
    const second = await createLink(api, owner.browser, `${product}&second=1`);
    for (const slug of ["lamps", "lights", code]) expect(await errorOf(patch(second, { slug }))).toEqual(taken);
    const body = { url: product, slug: "lights" };
    expect(await errorOf(api.post("/api/links", body, other.browser))).toEqual(taken);
    const all = await records();
    expect(all.map((row) => row.short_code)).toHaveLength(4);
  });

  it("changes nothing of another user's link, and of one that was taken down", async () => {
    const code = await createLink(api, owner.browser);
    expect(await errorOf(patch(code, { slug: "lamps" }, other))).toEqual([404, ERRORS["link-not-found"].message]);
    await api.query("UPDATE links SET taken_down_at = now()");
    expect((await patch(code, { slug: "lamps" })).status).toBe(403);
    expect(await api.query("SELECT short_code FROM links")).toEqual([{ short_code: code }]);
    expect(await api.query("SELECT FROM link_codes")).toEqual([]);
  });

  it("keeps reports", async () => {
    const code = await createLink(api, owner.browser);
    const report = (reported: string) =>
      api.post("/api/reports", { code: reported, reason: "spam" }, { origin: api.publicBaseUrl });
    await report(code);
    await rename(code, "lamps");
    await report(code);
    await report("lamps");
    expect(await api.query("SELECT short_code, count FROM reports")).toEqual([{ short_code: "lamps", count: 3 }]);
  });

  it("goes to one of two links whose owners request it at once", async () => {
    const first = await createLink(api, owner.browser);
    const second = await createLink(api, other.browser);
    const responses = await Promise.all([patch(first, { slug: "lamps" }), patch(second, { slug: "lamps" }, other)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("a link with earlier codes", () => {
  let code: string;
  let id: number;
  beforeEach(async () => {
    code = await createLink(api, owner.browser);
    id = (await rename(code, "lamps")).id;
    await api.query("TRUNCATE link_changes");
  });

  it("changes all of them together", async () => {
    await patch("lamps", { title: "A lamp" });
    const found = await records();
    expect(found.map(({ record }) => record)).toEqual([
      expect.objectContaining({ title: "A lamp", revision: 3 }),
      expect.objectContaining({ title: "A lamp", revision: 3 }),
    ]);
    const rows = await changes();
    expect(rows.map((row) => row.revision)).toEqual([3, 3]);
    expect(new Set(rows.map((row) => row.short_code))).toEqual(new Set([code, "lamps"]));
  });

  it("retires all of them when it is deleted", async () => {
    await api.request("DELETE", `/api/links/${id}`, owner.browser);
    const retired = { state: "gone", reason: "deleted", revision: 3 };
    const found = await records();
    expect(found.map(({ record }) => record)).toEqual([retired, retired]);
    expect(new Set((await changes()).map((row) => row.short_code))).toEqual(new Set([code, "lamps"]));
  });
});

describe("PATCH /api/links/{shortCode} {expiresAt}", () => {
  it("sets when the link expires, and removes it", async () => {
    const code = await createLink(api, owner.browser);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    expect((await patch(code, { expiresAt })).status).toBe(200);
    expect(await readLink(api, owner.browser, code)).toMatchObject({ expiresAt });
    expect(await redirectRecord(code)).toMatchObject({ expiresAt: Date.parse(expiresAt) });
    expect((await patch(code, { expiresAt: null })).status).toBe(200);
    expect(await readLink(api, owner.browser, code)).toMatchObject({ expiresAt: null });
    expect(await redirectRecord(code)).toMatchObject({ expiresAt: null });
  });
});

describe("PUT /api/links/{shortCode}/untagged", () => {
  const untag = (shortCode: string) => owner.send(createUntaggedCode, { params: { shortCode } });
  const untaggedUrl = async (code: string) => Link.parse(await (await untag(code)).json()).untaggedUrl;
  const linkNamed = async (slug: string) =>
    rename(await createLink(api, owner.browser), slug).then(({ shortCode }) => shortCode);

  it("creates one code that follows the link and has a record of its own", async () => {
    const code = await linkNamed("mug");
    const url = `${api.publicBaseUrl}/l/mug-print`;
    const both = await Promise.all([untaggedUrl(code), untaggedUrl(code)]);
    expect([...both, await untaggedUrl(code)]).toEqual([url, url, url]);
    expect((await changes()).map(({ short_code }) => short_code)).toContain("mug-print");
    const destination = "https://www.amazon.de/dp/B0CX23V2ZK?tag=me-21";
    expect((await patch(code, { url: destination })).status).toBe(200);
    const found = (await records()).filter(({ short_code }) => short_code === "mug-print");
    expect(found).toMatchObject([{ record: { webUrl: destination, isUntagged: true } }]);
    const link = await readLink(api, owner.browser, "mug-print");
    expect(link).toMatchObject({ shortCode: "mug", untaggedUrl: url });
    await api.query("UPDATE links SET taken_down_at = now()");
    expect((await untag(code)).status).toBe(403);
    const down = (await records()).filter(({ short_code }) => short_code === "mug-print");
    expect(down).toMatchObject([{ record: { state: "gone" } }]);
  });

  it("ends with the link", async () => {
    const code = await linkNamed("mug");
    await untag(code);
    const { id } = await readLink(api, owner.browser, code);
    await api.request("DELETE", `/api/links/${id}`, owner.browser);
    const found = (await records()).filter(({ short_code }) => short_code === "mug-print");
    expect(found).toMatchObject([{ record: { state: "gone", reason: "deleted" } }]);
  });
});
