import { ERRORS } from "@tapthru/proto/errors";
import { deleteLinks, Link } from "@tapthru/proto/links";
import { AccountExport } from "@tapthru/proto/own-account";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createLink, product, readLink, redirectRecord } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: owner, eve: other } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_changes, products, retired_codes CASCADE"));

const get = (shortCode: string, user = owner) => api.request("GET", `/api/links/${shortCode}`, user.browser);
const patch = (shortCode: string, body: unknown, user = owner) =>
  api.request("PATCH", `/api/links/${shortCode}`, user.browser, body);
const remove = (id: number | string, user = owner) => api.request("DELETE", `/api/links/${id}`, user.browser);

const allLinks = () => api.query("SELECT * FROM links ORDER BY id");

describe("GET /api/links/{shortCode}", () => {
  it("returns exactly the specified fields to the owner", async () => {
    const shortCode = await createLink(api, owner.browser);
    const response = await get(shortCode);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        id: expect.any(Number),
        shortCode,
        shortUrl: `${api.publicBaseUrl}/l/${shortCode}`,
        untaggedUrl: null,
        domain: null,
        originalUrl: product,
        deepLink: expect.stringContaining("/redirect?product_id=B0ZZ1Y2X3W"),
        webUrl: product,
        title: null,
        description: null,
        imageUrl: null,
        siteName: null,
        nickname: null,
        fallbackUrl: null,
        userId: owner.user.id,
        expiresAt: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        labels: [],
        labelsRevision: "",
        channelId: null,
        tagSource: "own",
        hasUnknownTag: false,
        takenDown: false,
        invalid: false,
        health: { state: "unknown", since: null, checkedAt: null, source: null, attemptedAt: null, fallbackUrl: null },
      },
    ]);
  });
});

describe("a manipulated row", () => {
  const updateRow = async (columns: string, shortCode: string) =>
    api.query(`UPDATE links SET ${columns} WHERE short_code = '${shortCode}'`);

  const list = async () => z.parse(z.array(Link), await (await api.request("GET", "/api/links", owner.browser)).json());

  it.each([
    ["original_url", "javascript:alert(document.domain)"],
    ["original_url", "https://evil.example/?u=https://www.amazon.de/dp/B0ZZ1Y2X3W"],
    ["web_url", "https://evil.example/dp/B0ZZ1Y2X3W"],
    ["deep_link", "javascript:alert(1)//t.example/redirect?product_id=B0ZZ1Y2X3W"],
    ["deep_link", String.raw`https://t.example\@evil.example/redirect?product_id=B0ZZ1Y2X3W`],
  ])("with %s %s is invalid for its owner, who can delete it", async (column, value) => {
    const shortCode = await createLink(api, owner.browser);
    await updateRow(`${column} = '${value}'`, shortCode);
    const link = await readLink(api, owner.browser, shortCode);
    expect(link).toMatchObject({ invalid: true, webUrl: "", deepLink: "", imageUrl: null });
    expect(await list()).toEqual([link]);
    expect((await patch(shortCode, { title: "x" })).status).toBe(200);
    expect(await list()).toEqual([{ ...link, title: "x" }]);
    expect((await remove(link.id)).status).toBe(200);
  });

  it("with an image from another host is returned without it", async () => {
    const shortCode = await createLink(api, owner.browser);
    await updateRow("image_url = 'https://evil.example/images/I/71abc.jpg'", shortCode);
    expect(await readLink(api, owner.browser, shortCode)).toMatchObject({ invalid: false, imageUrl: null });
  });

  it("is invalid in the export", async () => {
    const shortCode = await createLink(api, other.browser);
    await updateRow("original_url = 'https://evil.example/'", shortCode);
    const response = await api.request("GET", "/api/account/export", other.browser);
    const { links } = AccountExport.parse(await response.json());
    expect(links).toMatchObject([{ shortCode, invalid: true, webUrl: "", deepLink: "" }]);
  });
});

describe("PATCH /api/links/{shortCode}", () => {
  it.each(["nickname", "title"] as const)("changes the %s in Postgres and Redis", async (field) => {
    const shortCode = await createLink(api, owner.browser);
    const response = await patch(shortCode, { [field]: "  Ein Licht \u{1F4A1} " });
    expect(response.status).toBe(200);
    const link = Link.parse(await response.json());
    expect(link[field]).toBe("Ein Licht \u{1F4A1}");
    expect(await readLink(api, owner.browser, shortCode)).toEqual(link);
    expect(await api.query("SELECT short_code, revision FROM link_changes ORDER BY id")).toEqual([
      { short_code: shortCode, revision: 1 },
      { short_code: shortCode, revision: 2 },
    ]);
    const title = field === "title" ? "Ein Licht \u{1F4A1}" : null;
    expect(await redirectRecord(shortCode)).toMatchObject({ revision: 2, title });
  });

  it("keeps one of many concurrent edits, and increments the revision for each", async () => {
    const shortCode = await createLink(api, owner.browser);
    const texts = Array.from({ length: 20 }, (_, i) => `Name ${i}`);
    const responses = await Promise.all(texts.map((nickname) => patch(shortCode, { nickname })));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const [row] = await api.query("SELECT nickname, revision FROM links");
    expect(row).toEqual({ nickname: expect.stringMatching(/^Name \d+$/), revision: 21 });
    expect(await redirectRecord(shortCode)).toMatchObject({ revision: 21 });
  });

  describe("changes nothing", () => {
    it("for a link that was taken down", async () => {
      const shortCode = await createLink(api, owner.browser);
      await api.query("UPDATE links SET taken_down_at = now()");
      const before = await allLinks();
      const response = await patch(shortCode, { title: "x" });
      expect([response.status, await response.text()]).toEqual([403, ERRORS["link-taken-down"].message]);
      expect(await allLinks()).toEqual(before);
    });
  });
});

describe("DELETE /api/links/{id}", () => {
  it("deletes the link, retires its code and writes the tombstone", async () => {
    const shortCode = await createLink(api, owner.browser);
    const { id } = await readLink(api, owner.browser, shortCode);
    const response = await remove(id);
    expect([response.status, await response.json()]).toEqual([200, { id, shortCode }]);
    expect(await allLinks()).toEqual([]);
    expect(await api.query("SELECT short_code, reason, revision FROM retired_codes")).toEqual([
      { short_code: shortCode, reason: "deleted", revision: 2 },
    ]);
    expect(await api.query("SELECT short_code, revision FROM link_changes ORDER BY id")).toEqual([
      { short_code: shortCode, revision: 1 },
      { short_code: shortCode, revision: 2 },
    ]);
    expect(await redirectRecord(shortCode)).toEqual({ state: "gone", revision: 2, reason: "deleted" });
    expect((await get(shortCode)).status).toBe(404);
  });

  it("responds 200 to one of ten concurrent requests, and 404 to the others", async () => {
    const shortCode = await createLink(api, owner.browser);
    const { id } = await readLink(api, owner.browser, shortCode);
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect((await remove(id)).status).toBe(404);
    expect(await api.query("SELECT 1 FROM retired_codes")).toHaveLength(1);
  });
});

describe("DELETE /api/links/bulk", () => {
  const removeAll = (body: unknown, browser: Record<string, string> = owner.browser) =>
    api.request("DELETE", "/api/links/bulk", browser, body);

  const idOf = async (shortCode: string, user = owner) => (await readLink(api, user.browser, shortCode)).id;

  it("deletes the user's links, with outbox row, retired code and tombstone, and names the others", async () => {
    const codes = [];
    for (const asin of ["B000000001", "B000000002", "B000000003"]) {
      codes.push(await createLink(api, owner.browser, `https://www.amazon.de/dp/${asin}`));
    }
    const [first = "", second = "", kept = ""] = codes;
    const othersCode = await createLink(api, other.browser);
    const ids = [await idOf(second), 999_999, await idOf(othersCode, other), await idOf(first)];
    const response = await removeAll({ ids });
    expect([response.status, await response.json()]).toEqual([
      200,
      [
        { id: ids[0], isDeleted: true },
        { id: ids[1], isDeleted: false },
        { id: ids[2], isDeleted: false },
        { id: ids[3], isDeleted: true },
      ],
    ]);
    expect((await allLinks()).map((link) => link.short_code).sort()).toEqual([kept, othersCode].sort());
    expect(await api.query("SELECT short_code, reason FROM retired_codes ORDER BY short_code")).toEqual(
      [first, second].sort().map((short_code) => ({ short_code, reason: "deleted" })),
    );
    expect(await api.query("SELECT short_code FROM link_changes WHERE revision = 2 ORDER BY 1")).toEqual(
      [first, second].sort().map((short_code) => ({ short_code })),
    );
    for (const shortCode of [first, second]) {
      expect(await redirectRecord(shortCode)).toMatchObject({ state: "gone", reason: "deleted" });
    }
  });

  it("deletes nothing twice", async () => {
    const id = await idOf(await createLink(api, owner.browser));
    const responses = await Promise.all([removeAll({ ids: [id, id] }), removeAll({ ids: [id] })]);
    const results = await Promise.all(
      responses.map(async (response) => deleteLinks.replies[200].parse(await response.json())),
    );
    expect(new Set(results.flat().map(({ isDeleted }) => isDeleted))).toEqual(new Set([true, false]));
    expect(await api.query("SELECT FROM retired_codes")).toHaveLength(1);
  });
});
