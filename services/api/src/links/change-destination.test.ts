import { ERRORS } from "@tapthru/proto/errors";
import { LinksExport } from "@tapthru/proto/export";
import type { LinkHistory } from "@tapthru/proto/link-history";
import { Link } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import { createLink, product, readLink, redirectRecord } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const NEW_URL = "https://www.amazon.co.uk/dp/B0NEWNEW11?tag=me-20&th=1";

const { api, ada: owner, eve: other } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_codes, link_changes, products, retired_codes CASCADE"));

const patch = (shortCode: string, body: unknown, user = owner) =>
  api.request("PATCH", `/api/links/${shortCode}`, user.browser, body);

async function changeDestination(shortCode: string, url: string): Promise<Link> {
  const response = await patch(shortCode, { url });
  expect(response.status).toBe(200);
  return Link.parse(await response.json());
}

async function history(shortCode: string): Promise<LinkHistory | undefined> {
  const response = await api.request("GET", "/api/export?format=json", owner.browser);
  const { links } = LinksExport.parse(await response.json());
  return links.find((link) => link.shortCode === shortCode)?.history;
}

describe("PATCH /api/links/{shortCode} {url}", () => {
  it("changes the destination and nothing else, and announces it", async () => {
    const code = await createLink(api, owner.browser);
    const before = await readLink(api, owner.browser, code);
    const link = await changeDestination(code, ` ${NEW_URL} `);
    expect(link).toEqual({
      ...before,
      originalUrl: NEW_URL,
      webUrl: NEW_URL,
      deepLink: expect.stringContaining("/redirect?product_id=B0NEWNEW11&original_url="),
    });
    expect(await redirectRecord(code)).toMatchObject({ revision: 2, webUrl: NEW_URL });
    const changes = await api.query("SELECT short_code, revision FROM link_changes ORDER BY id");
    expect(changes.at(-1)).toEqual({ short_code: code, revision: 2 });
    expect((await history(code))?.destinations).toEqual([
      { originalUrl: product, webUrl: product, replacedAt: expect.any(String) },
    ]);
  });

  it("shows title and image of the new page, and keeps those of the owner", async () => {
    const code = await createLink(api, owner.browser);
    await api.query("UPDATE products SET title = 'The earlier lamp'");
    expect(await changeDestination(code, NEW_URL)).toMatchObject({ title: null });
    expect(await api.query("SELECT canonical_url FROM products")).toHaveLength(2);
    await api.query("UPDATE products SET title = 'The new lamp' WHERE product_id = 'B0NEWNEW11'");
    expect(await readLink(api, owner.browser, code)).toMatchObject({ title: "The new lamp" });
    await patch(code, { title: "My lamp" });
    expect(await changeDestination(code, product)).toMatchObject({ title: "My lamp" });
  });

  it("shows the title of a page without metadata, from its address, also to visitors", async () => {
    const code = await createLink(api, owner.browser);
    const search = await changeDestination(code, "https://www.amazon.de/s?k=desk+lamp");
    expect(search.title).toBe("Search: desk lamp");
    expect(await redirectRecord(code)).toMatchObject({ title: "Search: desk lamp" });
    expect(await changeDestination(code, product)).toMatchObject({ title: null });
  });

  it("is refused to other sites as in generate", async () => {
    const code = await createLink(api, owner.browser);
    const response = await patch(code, { url: "https://shop.example/lamp" });
    expect([response.status, await response.text()]).toEqual([422, ERRORS["not-an-amazon-link"].message]);
    expect(await redirectRecord(code)).toMatchObject({ webUrl: product });
  });

  it("is for the owner alone, and not for a link that was taken down", async () => {
    const code = await createLink(api, owner.browser);
    expect((await patch(code, { url: NEW_URL }, other)).status).toBe(404);
    await api.query("UPDATE links SET taken_down_at = now()");
    expect((await patch(code, { url: NEW_URL })).status).toBe(403);
    expect(await api.query("SELECT web_url FROM links")).toEqual([{ web_url: product }]);
  });
});

describe("the history of a link in exports", () => {
  it("has the latest 50 destinations, the latest first", async () => {
    const code = await createLink(api, owner.browser);
    for (let n = 1; n <= 55; n++) await changeDestination(code, `${product}&n=${n}`);
    const found = await history(code);
    expect(found?.destinations.map(({ originalUrl }) => originalUrl)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${product}&n=${54 - index}`),
    );
  });

  it("shows no address outside of Amazon's stores as a destination", async () => {
    const code = await createLink(api, owner.browser);
    await changeDestination(code, NEW_URL);
    await api.query("UPDATE link_destinations SET web_url = 'https://evil.example/'");
    expect((await history(code))?.destinations).toMatchObject([{ webUrl: null }]);
  });
});
