import { hash, randomUUID } from "node:crypto";
import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { ERRORS } from "@tapthru/proto/errors";
import { GeneratedLink } from "@tapthru/proto/generate";
import { RedirectRecord, redirectKey } from "@tapthru/proto/redirect/record";
import { MAX_REQUESTS_IN_PROGRESS } from "@tapthru/proto/rules/limits";
import { SHORT_CODE_PATTERN } from "@tapthru/proto/rules/short-code";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { newVisitor, startApi } from "../testing/world.ts";

const product = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=me-21&th=1&psc=1";

const api = await startApi();
beforeEach(() => api.empty());

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

describe("POST /api/generate", () => {
  it("responds 201 with exactly the fields of the specification", async () => {
    const { status, link } = await generated(product);
    expect(status).toBe(201);
    expect(link).toEqual({
      shortCode: expect.stringMatching(SHORT_CODE_PATTERN),
      shortUrl: `${api.publicBaseUrl}/l/${link.shortCode}`,
      deepLink: expect.stringContaining("/redirect?product_id=B0ZZ1Y2X3W&original_url="),
      originalUrl: product,
      imageUrl: null,
      title: null,
    });
    const deepLink = new URL(link.deepLink);
    expect(deepLink.origin).toBe(api.publicBaseUrl);
    expect(deepLink.searchParams.get("original_url")).toBe(product);
  });

  it("stores an anonymous link that expires after exactly 7 days", async () => {
    await generated(product);
    const [row] = await api.query(
      "SELECT user_id, expires_at - created_at = interval '7 days' AS seven_days FROM links",
    );
    expect(row).toEqual({ user_id: null, seven_days: true });
  });

  it("writes the redirect record to Redis before it responds", async () => {
    const { link } = await generated(product);
    const stored = await api.redis.get(redirectKey(link.shortCode));
    expect(z.parse(RedirectRecord, JSON.parse(stored ?? "null"))).toMatchObject({
      state: "live",
      revision: 1,
      webUrl: product,
      expiresAt: expect.any(Number),
    });
  });

  it("creates a link to a storefront whose URL is too long for a product key", async () => {
    const storefront = `https://www.amazon.com/shop/${"a".repeat(4_000)}`;
    const { status, link } = await generated(storefront);
    expect(status).toBe(201);
    expect(link.originalUrl).toBe(storefront);
    expect(await api.query("SELECT 1 FROM products")).toEqual([]);
  });

  it("sets a claim cookie for an anonymous caller, and stores its hash with the link", async () => {
    const { response } = await generated(product);
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
    ["a NUL, which Postgres cannot store", `${product}\0x`, ERRORS["not-an-amazon-link"].message],
    [
      "a redirector of Amazon",
      "https://www.amazon.com/gp/redirect.html?location=https%3A%2F%2Fevil.example",
      ERRORS["unusable-link"].message,
    ],
    ["a sign-in page", "https://www.amazon.de/ap/signin", ERRORS["unusable-link"].message],
    [
      "a sponsored link to another site",
      "https://www.amazon.de/sspa/click?url=%2F%2Fevil.example%2Fdp%2FB0ZZ1Y2X3W",
      ERRORS["unusable-link"].message,
    ],
  ])("rejects %s", async (_title, url, message) => {
    expect(await generate(url)).toMatchObject({ status: 422, text: message });
  });

  const json = "application/json";
  it.each([
    ["plain text", "text/plain", JSON.stringify({ url: product }), 415],
    ["a form", "application/x-www-form-urlencoded", `url=${encodeURIComponent(product)}`, 415],
    ["a truncated object", json, "{", 400],
    ["an empty body", json, "", 422],
    ["8,000 brackets", json, "[".repeat(8000), 400],
    ["17,000 characters", json, JSON.stringify({ url: "x".repeat(17_000) }), 413],
    ["an overlong encoding", json, Buffer.from([...Buffer.from('{"url":"'), 0xc0, 0xaf]), 400],
    ["a __proto__ field", json, `{"url":"${product}","__proto__":{"a":1}}`, 400],
    ["an escaped one", json, `{"url":"${product}","__prot\\u006f__":{"a":1}}`, 400],
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
      Array.from({ length: MAX_REQUESTS_IN_PROGRESS }, () => generated(product, headers)),
    );
    expect(new Set(responses.map(({ link }) => link.shortCode)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(MAX_REQUESTS_IN_PROGRESS - 1);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
    expect(await api.query("SELECT 1 FROM link_changes")).toHaveLength(1);
  });

  it("creates another link after the window of ten minutes", async () => {
    const headers = await newVisitor(api);
    const one = await generated(product, headers);
    await api.query("UPDATE recent_creates SET created_at = created_at - interval '10 minutes'");
    const other = await generated(product, headers);
    expect(other.status).toBe(201);
    expect(other.link.shortCode).not.toBe(one.link.shortCode);
    expect((await generated(product, headers)).link.shortCode).toBe(other.link.shortCode);
  });
});

describe("Idempotency-Key", () => {
  it("replies as to the first request, even after the window of repeated creates", async () => {
    const headers = { ...(await newVisitor(api)), "idempotency-key": randomUUID() };
    const first = await generated(product, headers);
    await api.query("DELETE FROM recent_creates");
    const again = await generated(product, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.link).toEqual(first.link);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("creates one link for concurrent requests without a cookie", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const responses = await Promise.all(Array.from({ length: 20 }, () => generated(product, headers)));
    expect(new Set(responses.map(({ link }) => link.shortCode)).size).toBe(1);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("gives the cookie of the first response to a retry without one, and never changes who may claim the link", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const claimHash = () => api.query("SELECT encode(claim_hash, 'hex') AS hash FROM links");
    const cookies = async () => (await generated(product, headers)).response.headers.getSetCookie().map(tokenOf);
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
      Array.from({ length: 20 }, (_, i) => generate(product, { ...key, ...visitors[i % 2] })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(10).fill(422)]);
    expect(await api.query("SELECT 1 FROM links")).toHaveLength(1);
  });

  it("is stored for a repeated create too, whose reply stays 200", async () => {
    const headers = await newVisitor(api);
    const { link } = await generated(product, headers);
    const keyed = { ...headers, "idempotency-key": randomUUID() };
    expect(await generated(product, keyed)).toMatchObject({ status: 200, link });
    await api.query("DELETE FROM recent_creates");
    expect(await generated(product, keyed)).toMatchObject({ status: 200, link });
  });

  it("gets a new link if the recent one is deleted before the key is stored", async () => {
    const headers = await newVisitor(api);
    const first = await generated(product, headers);
    await api.query("BEGIN");
    await api.query("SELECT FROM links FOR UPDATE");
    const again = generated(product, { ...headers, "idempotency-key": randomUUID() });
    await waitForBlockedStatement(api.query);
    await api.query("DELETE FROM links; COMMIT");
    const { status, link } = await again;
    expect(status).toBe(201);
    expect(link.shortCode).not.toBe(first.link.shortCode);
  });

  it("never returns a link that was taken down", async () => {
    const headers = { "idempotency-key": randomUUID() };
    await generated(product, headers);
    await api.query("UPDATE links SET taken_down_at = now()");
    expect(await generate(product, headers)).toMatchObject({ status: 422, text: ERRORS["unusable-link"].message });
  });
});
