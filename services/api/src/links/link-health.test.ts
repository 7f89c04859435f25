import { listLinks } from "@tapthru/proto/link-lists";
import { checkLink } from "@tapthru/proto/links";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { beforeEach, describe, expect, it } from "vitest";
import { createLink, product, readLink } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: owner } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_changes, products, retired_codes CASCADE"));

const checkNow = (shortCode: string) => owner.send(checkLink, { params: { shortCode } });

async function attentionCodes(): Promise<string[]> {
  const response = await api.request("GET", "/api/links?show=needs-attention", owner.browser);
  return listLinks.replies[200].parse(await response.json()).map(({ shortCode }) => shortCode);
}

const pages = () => api.query('SELECT next_attempt_at <= now() AS "isDue", attempts FROM products');

describe("the health of a link", () => {
  it("is what the worker stored, with the last check of its page", async () => {
    const shortCode = await createLink(api, owner.browser, product);
    await api.query(`
      UPDATE link_health SET state = 'product-gone', since = '2026-11-21T08:00:00Z';
      UPDATE products SET checked_at = '2026-11-21T08:00:00Z', check_source = 'page',
        attempted_at = '2026-11-22T08:00:00Z'
    `);
    expect((await readLink(api, owner.browser, shortCode)).health).toEqual({
      state: "product-gone",
      since: "2026-11-21T08:00:00.000Z",
      checkedAt: "2026-11-21T08:00:00.000Z",
      source: "page",
      attemptedAt: "2026-11-22T08:00:00.000Z",
      fallbackUrl: null,
    });
  });

  it("has the fallback while it opens, with the channel's tag", async () => {
    const shortCode = await createLink(api, owner.browser, product);
    const change = (body: unknown) => api.request("PATCH", `/api/links/${shortCode}`, owner.browser, body);
    const opensNow = async () => (await readLink(api, owner.browser, shortCode)).health.fallbackUrl;
    const fallbackUrl = "https://www.amazon.de/s?k=lamp";
    await api.request("PUT", "/api/stores/de", owner.browser, { tag: "ada-21" });
    expect((await change({ fallbackUrl: "http://amazon.de/s?k=lamp#top" })).status).toBe(200);
    expect((await change({ fallbackUrl })).status).toBe(200);
    expect(await readLink(api, owner.browser, shortCode)).toMatchObject({ fallbackUrl });
    expect(await opensNow()).toBeNull();
    await api.query("UPDATE products SET check_state = 'product-gone'");
    expect(await opensNow()).toMatch(`${fallbackUrl}`);
    await api.query("UPDATE products SET check_state = 'unknown'");
    expect(await opensNow()).toBeNull();
    await api.query("UPDATE links SET expires_at = now()");
    expect(await opensNow()).toMatch(`${fallbackUrl}`);
    expect((await change({ fallbackUrl: null })).status).toBe(200);
    expect(await opensNow()).toBeNull();
  });

  it("is unknown again after the link got another destination", async () => {
    const shortCode = await createLink(api, owner.browser, product);
    await api.query("UPDATE link_health SET state = 'product-gone', is_stale = false");
    const url = "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20";
    const path = `/api/links/${shortCode}`;
    const changed = await api.request("PATCH", path, owner.browser, { url });
    expect(await changed.json()).toMatchObject({ health: { state: "unknown" } });
    expect(await api.query("SELECT state, is_stale FROM link_health")).toEqual([{ state: "unknown", is_stale: true }]);
  });

  it.each(UNHEALTHY_STATES)("brings a link into the filter 'needs-attention': %s", async (state) => {
    const shortCode = await createLink(api, owner.browser, product);
    await api.query(`UPDATE link_health SET state = '${state}'`);
    expect(await attentionCodes()).toEqual([shortCode]);
  });
});

describe("POST /api/links/{shortCode}/check", () => {
  it("makes the page of the link due", async () => {
    const shortCode = await createLink(api, owner.browser, product);
    await api.query("UPDATE products SET next_attempt_at = now() + interval '1 day', attempts = 3");
    const response = await checkNow(shortCode);
    expect([response.status, await response.json()]).toEqual([202, { isQueued: true }]);
    expect(await pages()).toEqual([{ isDue: true, attempts: 3 }]);
  });

  it("does nothing within a minute of the last check", async () => {
    const shortCode = await createLink(api, owner.browser, product);
    await api.query("UPDATE products SET next_attempt_at = now() + interval '1 day', attempted_at = now()");
    const response = await checkNow(shortCode);
    expect([response.status, await response.json()]).toEqual([202, { isQueued: false }]);
    expect(await pages()).toEqual([{ isDue: false, attempts: 0 }]);
  });
});
