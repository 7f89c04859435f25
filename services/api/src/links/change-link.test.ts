import { createChannel, listChannels, saveChannelTag } from "@tapthru/proto/channels";
import { getLinkClicks } from "@tapthru/proto/clicks";
import { createLink as createLinkCall, createLinks } from "@tapthru/proto/create-links";
import { ERRORS } from "@tapthru/proto/errors";
import { exportLinks } from "@tapthru/proto/export";
import { listLinks } from "@tapthru/proto/link-lists";
import {
  checkLink,
  claimLinks,
  createUntaggedCode,
  deleteLink,
  deleteLinks,
  getLink,
  Link,
  updateLink,
} from "@tapthru/proto/links";
import { exportAccount } from "@tapthru/proto/own-account";
import { CODES_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { UNHEALTHY_STATES } from "@tapthru/proto/rules/link-health";
import { beforeEach, describe, expect, it } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { createLink, product, readLink, redirectRecord } from "../testing/test-links.ts";
import { type BrowserHeaders, logIn, signUpUser, type TestUser } from "../testing/test-user.ts";
import { newVisitor, startWorld } from "../testing/world.ts";

const { api, ada, eve } = await startWorld();
beforeEach(() => api.query("TRUNCATE all_links, link_codes, link_changes, products, retired_codes CASCADE"));
const create = (url = product, user = ada) => createLink(api, user.browser, url);
const read = (shortCode: string, user = ada) => user.call(getLink, { params: { shortCode } });
const edit = (shortCode: string, body: object, user = ada) => user.call(updateLink, { params: { shortCode }, body });
const sendEdit = (shortCode: string, body: object, user = ada) =>
  user.send(updateLink, { params: { shortCode }, body });
const refusal = (shortCode: string, body: object, user = ada) =>
  user.refusal(updateLink, { params: { shortCode }, body });
const rename = (shortCode: string, slug: string) => edit(shortCode, { slug });
const allLinks = () => api.query("SELECT * FROM links ORDER BY id");

async function errorOf(response: Promise<Response>): Promise<[number, string]> {
  const { status, text } = await response.then(async (r) => ({ status: r.status, text: await r.text() }));
  return [status, text];
}

const changes = () => api.query("SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~' ORDER BY id");
const records = () =>
  api.query("SELECT short_code, record FROM redirect_records WHERE short_code !~ '^~' ORDER BY short_code");
const NEW_URL = "https://www.amazon.co.uk/dp/B0NEWNEW11?tag=me-20&th=1";

const changeDestination = (shortCode: string, url: string) => edit(shortCode, { url });

const history = async (code: string) => {
  const { links } = await ada.call(exportLinks, { query: { format: "json" } });
  return links.find(({ shortCode }) => shortCode === code)?.history;
};

const attentionCodes = async () =>
  (await ada.call(listLinks, { query: { show: "needs-attention" } })).map(({ shortCode }) => shortCode);

async function createLinkThenLogIn(user: TestUser): Promise<{ shortCode: string; browser: BrowserHeaders }> {
  const visitor = await newVisitor(api);
  const shortCode = await createLink(api, visitor);
  return { shortCode, browser: await logIn(api, user, visitor) };
}

const claim = (shortCode: string, userId: number, browser: BrowserHeaders) =>
  api.request("PATCH", `/api/links/${shortCode}`, browser, { userId });
const links = () => api.query("SELECT user_id, expires_at, claim_hash, revision FROM links ORDER BY id");

describe("GET /api/links/{shortCode}", () => {
  it("returns exactly the specified fields to the owner", async () => {
    const shortCode = await create();
    const response = await ada.send(getLink, { params: { shortCode } });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        id: expect.any(Number),
        shortCode,
        shortUrl: `${api.publicBaseUrl}/l/${shortCode}`,
        plainUrl: null,
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
        opening: null,
        userId: ada.user.id,
        startsAt: null,
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

  const list = () => ada.call(listLinks);

  it.each([
    ["original_url", "javascript:alert(document.domain)"],
    ["original_url", "https://evil.example/?u=https://www.amazon.de/dp/B0ZZ1Y2X3W"],
    ["web_url", "https://evil.example/dp/B0ZZ1Y2X3W"],
    ["deep_link", "javascript:alert(1)//t.example/redirect?product_id=B0ZZ1Y2X3W"],
    ["deep_link", String.raw`https://t.example\@evil.example/redirect?product_id=B0ZZ1Y2X3W`],
  ])("a link with %s %s is invalid for its owner, who can delete it", async (column, value) => {
    const shortCode = await create();
    await updateRow(`${column} = '${value}'`, shortCode);
    const link = await read(shortCode);
    expect(link).toMatchObject({ invalid: true, webUrl: "", deepLink: "", imageUrl: null });
    expect(await list()).toEqual([link]);
    await edit(shortCode, { title: "x" });
    expect(await list()).toEqual([{ ...link, title: "x" }]);
    await ada.call(deleteLink, { params: link });
  });

  it("returns a link without an image from another host", async () => {
    const shortCode = await create();
    await updateRow("image_url = 'https://evil.example/images/I/71abc.jpg'", shortCode);
    expect(await read(shortCode)).toMatchObject({ invalid: false, imageUrl: null });
  });

  it("a manipulated row is invalid in the export", async () => {
    const shortCode = await create(product, eve);
    await updateRow("original_url = 'https://evil.example/'", shortCode);
    const { links } = await eve.call(exportAccount);
    expect(links).toMatchObject([{ shortCode, invalid: true, webUrl: "", deepLink: "" }]);
  });
});

describe("PATCH /api/links/{shortCode}", () => {
  it.each(["nickname", "title"] as const)("changes the %s in Postgres and Redis", async (field) => {
    const shortCode = await create();
    const link = await edit(shortCode, { [field]: "  Ein Licht \u{1F4A1} " });
    expect(link[field]).toBe("Ein Licht \u{1F4A1}");
    expect(await read(shortCode)).toEqual(link);
    expect(await changes()).toEqual([1, 2].map((revision) => ({ short_code: shortCode, revision })));
    const title = field === "title" ? "Ein Licht \u{1F4A1}" : null;
    expect(await redirectRecord(shortCode)).toMatchObject({ revision: 2, title });
  });

  it("changes how the link opens, which is in the history and on the redirects", async () => {
    const shortCode = await create();
    const changed = async (opening: string | null) => [
      (await edit(shortCode, { opening })).opening,
      await redirectRecord(shortCode),
    ];
    expect(await changed("browser")).toEqual(["browser", expect.objectContaining({ opening: "browser" })]);
    const [history] = await api.query("SELECT after FROM audit_log ORDER BY id DESC LIMIT 1");
    expect(history).toEqual({ after: { opening: "browser" } });
    for (const usual of ["app", null]) {
      expect(await changed(usual)).toEqual([usual, expect.not.objectContaining({ opening: expect.anything() })]);
    }
    expect((await refusal(shortCode, { opening: "desktop" }))[0]).toBe(422);
  });

  it("changes its picture, which previews show instead of that of the page", async () => {
    const shortCode = await create();
    const imageUrl = "https://m.media-amazon.com/images/I/71own._AC_SL1500_.jpg";
    for (const chosen of [imageUrl, null]) {
      expect((await edit(shortCode, { imageUrl: chosen })).imageUrl).toBe(chosen);
      expect(await redirectRecord(shortCode)).toMatchObject({ imageUrl: chosen });
      const [history] = await api.query("SELECT after FROM audit_log ORDER BY id DESC LIMIT 1");
      expect(history).toEqual({ after: { image_url: chosen } });
    }
    for (const other of [
      "https://example.com/images/I/71own.jpg",
      `${imageUrl}?x=1`,
      NEW_URL,
      "",
      `${imageUrl}${"x".repeat(4_096)}`,
    ]) {
      expect((await refusal(shortCode, { imageUrl: other }))[0]).toBe(422);
    }
  });

  it("changes when it starts, which is on the redirects, and says what opens until then", async () => {
    const shortCode = await create();
    const fallbackUrl = "https://www.amazon.de/s?k=lamp";
    const startsAt = "2999-05-01T06:00:00.000Z";
    const changed = await edit(shortCode, { startsAt: "2999-05-01T08:00:00+02:00", fallbackUrl });
    expect(changed).toMatchObject({ startsAt, health: { fallbackUrl } });
    expect(await redirectRecord(shortCode)).toMatchObject({
      startsAt: Date.parse(startsAt),
      fallbackUrl,
    });
    for (const usual of ["2020-01-01T00:00:00.000Z", null]) {
      const link = await edit(shortCode, { startsAt: usual });
      expect(link).toMatchObject({ startsAt: usual, health: { fallbackUrl: null } });
    }
    for (const wrong of ["1969-12-31T23:59:59Z", "9999-12-31T00:00:00Z", "0000-01-01T00:00:00Z", "tomorrow", ""]) {
      expect((await refusal(shortCode, { startsAt: wrong }))[0]).toBe(422);
    }
  });

  it.each<[string, ...{ startsAt?: string; expiresAt?: string }[]]>([
    ["at once", { startsAt: "2999-05-01T06:00:00Z", expiresAt: "2999-05-01T06:00:00Z" }],
    ["in other time zones", { startsAt: "2999-05-01T07:00:00+02:00", expiresAt: "2999-05-01T04:59:59Z" }],
    ["one after the other", { expiresAt: "2999-05-01T06:00:00Z" }, { startsAt: "2999-05-01T06:00:01Z" }],
    ["the start first", { startsAt: "2999-05-01T06:00:00Z" }, { expiresAt: "2999-05-01T05:00:00Z" }],
  ])("a link never starts when or after it expires: %s", async (_, ...edits) => {
    const shortCode = await create();
    const responses: Response[] = [];
    for (const change of edits) responses.push(await sendEdit(shortCode, change));
    const last = responses.pop();
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const refused = [422, "Missing or malformed field: startsAt"];
    expect([last?.status, await last?.text()]).toEqual(refused);
    const created = { body: { url: product, ...edits[0], ...edits[1] } };
    expect(await ada.refusal(createLinkCall, created)).toEqual(refused);
    const bodies = [
      { url: product, ...edits[0], ...edits[1] },
      { url: product, startsAt: "2999-05-01T06:00:00Z", expiresAt: "2999-05-02T06:00:00Z" },
    ];
    const many = await ada.call(createLinks, { body: { links: bodies } });
    expect(many).toMatchObject({ results: [{ status: 422 }, { status: 201 }] });
  });

  it("a change of nothing shows the link only to keys that may read it", async () => {
    const shortCode = await create();
    await edit(shortCode, { nickname: "Secret", labels: ["Gifts"] });
    const [writer, both] = [
      await addKey(api, ada, ["links:write"]),
      await addKey(api, ada, ["links:read", "links:write"]),
    ];
    const shlink = (key: string, body: object) =>
      api.request("PATCH", `/rest/v3/short-urls/${shortCode}`, { "x-api-key": key } as never, body);
    const mcp = async (script: object, fields: object) => {
      const call = { name: "edit_link", arguments: { shortCode, ...fields } };
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
      return (
        await api.request(
          "POST",
          "/api/mcp",
          { ...script, accept: "application/json, text/event-stream" } as never,
          message,
        )
      ).text();
    };
    const path = `/api/links/${shortCode}`;
    for (const [body, status] of [
      [{}, 422],
      [{ userId: ada.user.id }, 403],
      [{ labelsRevision: "1" }, 422],
    ] as const) {
      const refused = await errorOf(api.request("PATCH", path, writer.script as never, body));
      expect([body, ...refused]).toEqual([body, status, expect.not.stringContaining("Gifts")]);
    }
    for (const body of [{}, { maxVisits: null }, { tags: null }, { unknown: 1 }]) {
      const refused = await errorOf(shlink(writer.key, body));
      expect([body, ...refused]).toEqual([body, 403, expect.not.stringContaining("Gifts")]);
    }
    expect(await mcp(writer.script, {})).not.toContain("Gifts");
    const link = await read(shortCode);
    for (const body of [
      ...[{ opening: null }, { expiresAt: null }, { startsAt: null }, { nickname: "Secret" }, { slug: shortCode }],
      ...[
        { labels: ["Gifts"] },
        { url: link.originalUrl },
        { domain: null },
        { channelId: null },
        { tagSource: link.tagSource },
      ],
      { opening: null, expiresAt: null, nickname: "Secret" },
    ]) {
      const refused = await errorOf(api.request("PATCH", path, writer.script as never, body));
      expect([body, ...refused]).toEqual([body, 403, expect.not.stringContaining("Gifts")]);
      expect([body, (await api.request("PATCH", path, both.script as never, body)).status]).toEqual([body, 200]);
    }
    for (const body of [{ validUntil: null }, { tags: ["Gifts"] }])
      expect([body, (await shlink(writer.key, body)).status]).toEqual([body, 403]);
    expect(await mcp(writer.script, { expiresAt: null })).not.toContain("Gifts");
    const untagged = (script: object) => api.request("PUT", `${path}/untagged`, script as never);
    expect((await untagged(writer.script)).status).toBe(200);
    expect(await errorOf(untagged(writer.script))).toEqual([403, expect.not.stringContaining("Gifts")]);
    expect((await untagged(both.script)).status).toBe(200);
    expect((await api.request("PATCH", path, writer.script as never, { nickname: "Other" })).status).toBe(200);
    expect((await shlink(writer.key, { title: "A mug" })).status).toBe(200);
    expect(await (await shlink(both.key, {})).json()).toMatchObject({ title: "A mug", tags: ["Gifts"] });
    expect(await mcp(both.script, { nickname: "Mug" })).toContain("Gifts");
  });

  it("keeps one of many concurrent edits, and increments the revision for each", async () => {
    const shortCode = await create();
    const texts = Array.from({ length: 20 }, (_, i) => `Name ${i}`);
    const responses = await Promise.all(texts.map((nickname) => sendEdit(shortCode, { nickname })));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const [row] = await api.query("SELECT nickname, revision FROM links");
    expect(row).toEqual({ nickname: expect.stringMatching(/^Name \d+$/), revision: 21 });
    expect(await redirectRecord(shortCode)).toMatchObject({ revision: 21 });
  });

  it.each([{ title: "x" }, { slug: "lamps" }, { url: NEW_URL }])(
    "changes nothing for another user, and of a link that was taken down: %j",
    async (change) => {
      const shortCode = await create();
      const before = await allLinks();
      expect(await refusal(shortCode, change, eve)).toEqual([404, ERRORS["link-not-found"].message]);
      expect(await allLinks()).toEqual(before);
      await api.query("UPDATE links SET taken_down_at = now()");
      const takenDown = await allLinks();
      expect(await refusal(shortCode, change)).toEqual([403, ERRORS["link-taken-down"].message]);
      expect(await allLinks()).toEqual(takenDown);
      expect(await api.query("SELECT FROM link_codes")).toEqual([]);
    },
  );
});

it("deletes those of several links that belong to the user, with outbox row and tombstone", async () => {
  const idOf = async (shortCode: string, user = ada) => (await readLink(api, user.browser, shortCode)).id;
  const [first = "", second = "", kept = ""] = await Promise.all([1, 2, 3].map((n) => create(`${product}&n=${n}`)));
  const ofEve = await create(product, eve);
  const ids = [await idOf(second), 999_999, await idOf(ofEve, eve), await idOf(first)];
  const replies = await Promise.all([0, 1].map(() => ada.call(deleteLinks, { body: { ids } })));
  const found = ids.map((_, place) => replies.map((results) => results[place]?.isDeleted).sort());
  expect(found).toEqual([
    [false, true],
    [false, false],
    [false, false],
    [false, true],
  ]);
  expect((await allLinks()).map((link) => link.short_code).sort()).toEqual([kept, ofEve].sort());
  const deleted = [first, second].sort();
  expect(await api.query("SELECT short_code FROM link_changes WHERE revision = 2 ORDER BY 1")).toEqual(
    deleted.map((short_code) => ({ short_code })),
  );
  for (const code of deleted) expect(await redirectRecord(code)).toMatchObject({ state: "gone", reason: "deleted" });
});

describe("PATCH /api/links/{shortCode} {slug}", () => {
  it("gives the link a new code, and the earlier one still opens it", async () => {
    const slug = `summer-lamps-${Date.now()}`;
    const code = await create();
    const before = await read(code);
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

  it("the owner finds the link under each of its codes", async () => {
    const code = await create();
    const link = await rename(code, "lamps");
    expect(await read(code)).toEqual(link);
    await ada.call(getLinkClicks, { params: { shortCode: code } });
    await edit(code, { nickname: "by its earlier code" });
    expect((await eve.refusal(getLink, { params: { shortCode: code } }))[0]).toBe(404);
  });

  it("refuses more codes than a link may have, but not its earlier ones", async () => {
    const code = await create();
    for (let i = 1; i < CODES_PER_LINK_MAX_COUNT; i++) await rename(code, `lamps-number-${i}`);
    expect(await refusal(code, { slug: "one-lamp-more" })).toEqual([409, ERRORS["too-many-short-codes"].message]);
    expect(await rename(code, "lamps-number-1")).toMatchObject({ shortCode: "lamps-number-1" });
  });

  it("a link may take back its own earlier code, but no other link's", async () => {
    const code = await create();
    await rename(code, "lamps");
    await rename("lamps", "lights");
    expect((await rename("lights", "lamps")).shortCode).toBe("lamps");
    expect((await rename("lamps", code)).shortCode).toBe(code);
    const taken = [409, ERRORS["slug-taken"].message];
    const second = await create(`${product}&second=1`);
    for (const slug of ["lamps", "lights", code]) expect(await refusal(second, { slug })).toEqual(taken);
    const body = { url: product, slug: "lights" };
    expect(await errorOf(api.post("/api/links", body, eve.browser))).toEqual(taken);
    const all = await records();
    expect(all.map((row) => row.short_code)).toHaveLength(4);
  });

  it("keeps abuse reports", async () => {
    const code = await create();
    const report = (reported: string) =>
      api.post("/api/reports", { code: reported, reason: "spam" }, { origin: api.publicBaseUrl });
    await report(code);
    await rename(code, "lamps");
    await report(code);
    await report("lamps");
    expect(await api.query("SELECT short_code, count FROM abuse_reports")).toEqual([{ short_code: "lamps", count: 3 }]);
  });

  it("goes to one of two links whose owners request it at once", async () => {
    const first = await create();
    const second = await create(product, eve);
    const responses = await Promise.all([sendEdit(first, { slug: "lamps" }), sendEdit(second, { slug: "lamps" }, eve)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("a link with earlier codes", () => {
  let code: string;
  let id: number;
  beforeEach(async () => {
    code = await create();
    id = (await rename(code, "lamps")).id;
    await api.query("TRUNCATE link_changes");
  });

  it("changes all of them together", async () => {
    await edit("lamps", { title: "A lamp" });
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
    await ada.call(deleteLink, { params: { id } });
    const retired = { state: "gone", reason: "deleted", revision: 3 };
    const found = await records();
    expect(found.map(({ record }) => record)).toEqual([retired, retired]);
    expect(new Set((await changes()).map((row) => row.short_code))).toEqual(new Set([code, "lamps"]));
  });
});

describe("PATCH /api/links/{shortCode} {expiresAt}", () => {
  it("sets when the link expires, and removes it", async () => {
    const code = await create();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await edit(code, { expiresAt });
    expect(await read(code)).toMatchObject({ expiresAt });
    expect(await redirectRecord(code)).toMatchObject({ expiresAt: Date.parse(expiresAt) });
    await edit(code, { expiresAt: null });
    expect(await read(code)).toMatchObject({ expiresAt: null });
    expect(await redirectRecord(code)).toMatchObject({ expiresAt: null });
  });
});

describe("PUT /api/links/{shortCode}/untagged", () => {
  const untag = (shortCode: string) => ada.call(createUntaggedCode, { params: { shortCode } });
  const refusedUntag = (shortCode: string) => ada.refusal(createUntaggedCode, { params: { shortCode } });
  const plainUrl = async (code: string) => (await untag(code)).plainUrl;
  const linkNamed = async (slug: string) => rename(await create(), slug).then(({ shortCode }) => shortCode);

  it("creates one code that follows the link and has a record of its own", async () => {
    const code = await linkNamed("mug");
    const url = `${api.publicBaseUrl}/l/mug-print`;
    const both = await Promise.all([plainUrl(code), plainUrl(code)]);
    expect([...both, await plainUrl(code)]).toEqual([url, url, url]);
    expect((await changes()).map(({ short_code }) => short_code)).toContain("mug-print");
    const destination = "https://www.amazon.de/dp/B0CX23V2ZK?tag=me-21";
    await edit(code, { url: destination });
    const found = (await records()).filter(({ short_code }) => short_code === "mug-print");
    expect(found).toMatchObject([{ record: { webUrl: destination, isUntagged: true } }]);
    const link = await read("mug-print");
    expect(link).toMatchObject({ shortCode: "mug", plainUrl: url });
    await api.query("UPDATE links SET taken_down_at = now()");
    expect((await refusedUntag(code))[0]).toBe(403);
    const down = (await records()).filter(({ short_code }) => short_code === "mug-print");
    expect(down).toMatchObject([{ record: { state: "gone" } }]);
  });

  it("refuses a page that does not open without a tag", async () => {
    const cart = "https://www.amazon.de/gp/aws/cart/add.html?AssociateTag=anna-21&Quantity.1=1";
    const code = await create(`${cart}&OfferListingId.1=abc%2Bdef`);
    expect(await refusedUntag(code)).toEqual([409, ERRORS["link-needs-tag"].message]);
    const ofProduct = await create(`${cart}&ASIN.1=B0ZZ1Y2X3W`);
    expect(await plainUrl(ofProduct)).toContain(api.publicBaseUrl);
  });

  it("ends with the link", async () => {
    const code = await linkNamed("mug");
    await untag(code);
    await ada.call(deleteLink, { params: await read(code) });
    const found = (await records()).filter(({ short_code }) => short_code === "mug-print");
    expect(found).toMatchObject([{ record: { state: "gone", reason: "deleted" } }]);
  });
});

describe("PATCH /api/links/{shortCode} {url}", () => {
  it("changes the destination and nothing else, and announces it", async () => {
    const code = await create();
    const before = await read(code);
    const link = await changeDestination(code, ` ${NEW_URL} `);
    expect(link).toEqual({
      ...before,
      originalUrl: NEW_URL,
      webUrl: NEW_URL,
      deepLink: expect.stringContaining("/redirect?product_id=B0NEWNEW11&original_url="),
    });
    expect(await redirectRecord(code)).toMatchObject({ revision: 2, webUrl: NEW_URL });
    expect((await changes()).at(-1)).toEqual({ short_code: code, revision: 2 });
    expect((await history(code))?.destinations).toEqual([
      { originalUrl: product, webUrl: product, replacedAt: expect.any(String) },
    ]);
  });

  it("shows title and image of the new page, and keeps those of the owner", async () => {
    const code = await create();
    await api.query("UPDATE products SET title = 'The earlier lamp'");
    expect(await changeDestination(code, NEW_URL)).toMatchObject({ title: null });
    expect(await api.query("SELECT canonical_url FROM products")).toHaveLength(2);
    await api.query("UPDATE products SET title = 'The new lamp' WHERE product_id = 'B0NEWNEW11'");
    expect(await read(code)).toMatchObject({ title: "The new lamp" });
    await edit(code, { title: "My lamp" });
    expect(await changeDestination(code, product)).toMatchObject({ title: "My lamp" });
  });

  it("shows the title of a page without metadata, from its address, also to visitors", async () => {
    const code = await create();
    const search = await changeDestination(code, "https://www.amazon.de/s?k=desk+lamp");
    expect(search.title).toBe("Search: desk lamp");
    expect(await redirectRecord(code)).toMatchObject({ title: "Search: desk lamp" });
    expect(await changeDestination(code, product)).toMatchObject({ title: null });
  });
});

describe("the history of a link in exports", () => {
  it("exports the latest 50 destinations, the latest first", async () => {
    const code = await create();
    for (let n = 1; n <= 55; n++) await changeDestination(code, `${product}&n=${n}`);
    const found = await history(code);
    expect(found?.destinations.map(({ originalUrl }) => originalUrl)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${product}&n=${54 - index}`),
    );
  });

  it("shows no address outside of Amazon's stores as a destination", async () => {
    const code = await create();
    await changeDestination(code, NEW_URL);
    await api.query("UPDATE link_destinations SET web_url = 'https://evil.example/'");
    expect((await history(code))?.destinations).toMatchObject([{ webUrl: null }]);
  });
});

describe("the health of a link", () => {
  it("returns what the worker stored, with the last check of the page", async () => {
    const shortCode = await create();
    await api.query(`
      UPDATE link_health SET state = 'product-gone', since = '2026-11-21T08:00:00Z';
      UPDATE products SET checked_at = '2026-11-21T08:00:00Z', check_source = 'page',
        attempted_at = '2026-11-22T08:00:00Z'
    `);
    expect((await read(shortCode)).health).toEqual({
      state: "product-gone",
      since: "2026-11-21T08:00:00.000Z",
      checkedAt: "2026-11-21T08:00:00.000Z",
      source: "page",
      attemptedAt: "2026-11-22T08:00:00.000Z",
      fallbackUrl: null,
    });
  });

  it("names the fallback while it opens, with the channel's tag", async () => {
    const shortCode = await create();
    const change = (body: object) => edit(shortCode, body);
    const opensNow = async () => (await read(shortCode)).health.fallbackUrl;
    const fallbackUrl = "https://www.amazon.de/s?k=lamp";
    await api.request("PUT", "/api/stores/de", ada.browser, { tag: "ada-21" });
    await change({ fallbackUrl: "http://amazon.de/s?k=lamp#top" });
    await change({ fallbackUrl });
    expect(await read(shortCode)).toMatchObject({ fallbackUrl });
    expect(await opensNow()).toBeNull();
    await api.query("UPDATE products SET check_state = 'product-gone'");
    expect(await opensNow()).toMatch(`${fallbackUrl}`);
    await api.query("UPDATE products SET check_state = 'unknown'");
    expect(await opensNow()).toBeNull();
    await api.query("UPDATE links SET expires_at = now()");
    expect(await opensNow()).toMatch(`${fallbackUrl}`);
    await change({ fallbackUrl: null });
    expect(await opensNow()).toBeNull();
  });

  it("a link's health is unknown again after it got another destination", async () => {
    const shortCode = await create();
    await api.query("UPDATE link_health SET state = 'product-gone', is_stale = false");
    const url = "https://www.amazon.com/dp/B0CX23V2ZK?tag=me-20";
    expect(await edit(shortCode, { url })).toMatchObject({ health: { state: "unknown" } });
    expect(await api.query("SELECT state, is_stale FROM link_health")).toEqual([{ state: "unknown", is_stale: true }]);
  });

  it.each(UNHEALTHY_STATES)("brings a link into the filter 'needs-attention': %s", async (state) => {
    const shortCode = await create();
    await api.query(`UPDATE link_health SET state = '${state}'`);
    expect(await attentionCodes()).toEqual([shortCode]);
  });
});

it("a check makes the page of the link due, unless it was checked in the last minute", async () => {
  const shortCode = await create();
  const check = async (attemptedAt: string) => {
    await api.query(`UPDATE products SET next_attempt_at = now() + interval '1 day', attempted_at = ${attemptedAt}`);
    const reply = await ada.call(checkLink, { params: { shortCode } });
    return [reply, await api.query('SELECT next_attempt_at <= now() AS "isDue" FROM products')];
  };
  expect(await check("now()")).toEqual([{ isQueued: false }, [{ isDue: false }]]);
  expect(await check("NULL")).toEqual([{ isQueued: true }, [{ isDue: true }]]);
});

describe("claiming an anonymous link", () => {
  it("makes the user its permanent owner in Postgres and Redis", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    const before = await redirectRecord(shortCode);
    expect(before).toMatchObject({ revision: 1, expiresAt: expect.any(Number) });
    const response = await claim(shortCode, ada.user.id, browser);
    expect(response.status).toBe(200);
    expect(Link.parse(await response.json())).toMatchObject({ shortCode, userId: ada.user.id, expiresAt: null });
    expect(await links()).toEqual([{ user_id: ada.user.id, expires_at: null, claim_hash: null, revision: 2 }]);
    expect(await redirectRecord(shortCode)).toEqual({
      ...before,
      revision: 2,
      expiresAt: null,
      owner: `~${ada.user.id}`,
    });
    expect((await changes()).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it("succeeds for one of two users in 20 concurrent requests", async () => {
    const visitor = await newVisitor(api);
    const shortCode = await createLink(api, visitor);
    const claimers = await Promise.all(
      [ada, eve].map(async (one) => ({ id: one.user.id, browser: await logIn(api, one, visitor) })),
    );
    const all = Array.from({ length: 10 }, () => claimers).flat();
    const statuses = await Promise.all(
      all.map(async ({ id, browser }) => (await claim(shortCode, id, browser)).status),
    );
    const [row] = await links();
    expect(row).toMatchObject({ revision: 2, expires_at: null });
    expect(claimers.map(({ id }) => id)).toContain(row?.user_id);
    expect(statuses).toEqual(all.map(({ id }) => (id === row?.user_id ? 200 : 404)));
  });
});

it("several links are claimed by one request, with what failed by link, and a second request changes nothing", async () => {
  const visitor = await newVisitor(api);
  const shortCodes = [await createLink(api, visitor), await createLink(api, visitor, `${product}&th=1`)];
  const ofOther = await createLink(api, await newVisitor(api));
  await api.query(`UPDATE links SET expires_at = now() WHERE short_code = '${shortCodes[1]}'`);
  await api.query("INSERT INTO clicks (link_id, day, counts, people) SELECT id, current_date, '{}', 3 FROM links");
  const browser = await logIn(api, ada, visitor);
  const body = { userId: ada.user.id, shortCodes: [...shortCodes, ofOther, "unknown"] };
  for (let time = 0; time < 2; time++) {
    const response = await api.request("POST", "/api/links/bulk/claim", browser, body);
    expect(claimLinks.replies[200].parse(await response.json()).results.map(({ error }) => error)).toEqual([
      null,
      "link-expired",
      "link-not-found",
      "link-not-found",
    ]);
  }
  expect(await links()).toMatchObject([
    { user_id: ada.user.id, expires_at: null, revision: 2 },
    { user_id: null, revision: 1 },
    { user_id: null, revision: 1 },
  ]);
  expect(await api.query("SELECT user_id FROM clicks ORDER BY link_id")).toEqual([
    { user_id: ada.user.id },
    { user_id: null },
    { user_id: null },
  ]);
  expect(await redirectRecord(shortCodes[0] ?? "")).toMatchObject({ revision: 2, expiresAt: null });
  const ofEve = { ...body, userId: eve.user.id };
  expect((await api.request("POST", "/api/links/bulk/claim", browser, ofEve)).status).toBe(404);
});

describe("a claim is rejected", () => {
  const NOT_FOUND = [404, ERRORS["link-not-found"].message];
  const refusal = (shortCode: string, userId: number, browser: BrowserHeaders) =>
    errorOf(claim(shortCode, userId, browser));

  it("rejects a claim without the claim token, with another visitor's token, for another user, or of a link that has an owner", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    for (const other of [ada.browser, await logIn(api, ada, await newVisitor(api))])
      expect(await refusal(shortCode, ada.user.id, other)).toEqual(NOT_FOUND);
    for (const userId of [eve.user.id, 0, -1, 2 ** 40])
      expect(await refusal(shortCode, userId, browser)).toEqual(NOT_FOUND);
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
    expect((await claim(shortCode, ada.user.id, browser)).status).toBe(200);
    expect(await refusal(shortCode, eve.user.id, await logIn(api, eve, browser))).toEqual(NOT_FOUND);
  });

  it("rejects a claim of a link that has expired, purged or not, or was taken down", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    const ownRefusal = () => refusal(shortCode, ada.user.id, browser);
    await api.query("UPDATE links SET taken_down_at = now()");
    expect(await ownRefusal()).toEqual([410, ERRORS["link-taken-down"].message]);
    expect(await refusal(shortCode, eve.user.id, eve.browser)).toEqual(NOT_FOUND);
    const expired = [410, ERRORS["link-expired"].message];
    await api.query("UPDATE links SET taken_down_at = NULL, expires_at = now()");
    expect(await ownRefusal()).toEqual(expired);
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
    await api.query(`DELETE FROM links; INSERT INTO retired_codes VALUES ('${shortCode}', 'expired', 2)`);
    expect(await ownRefusal()).toEqual(expired);
  });
});

describe("several changes of a link", () => {
  let ada: TestUser;
  let blog: number;
  beforeEach(async () => {
    ada = await signUpUser(api);
    blog = (await ada.call(createChannel, { body: { name: "Blog" } })).id;
    const main = (await ada.call(listChannels))[0]?.id ?? 0;
    for (const [id, marketplace, tag] of [
      [main, "de", "main-21"],
      [blog, "de", "blog-21"],
      [blog, "fr", "blog-22"],
    ] as const) {
      await ada.call(saveChannelTag, { params: { id }, body: { marketplace, tag } });
    }
  });
  const GERMAN = "https://www.amazon.de/dp/B0ZZ1Y2X3W";
  const FRENCH = "https://www.amazon.fr/dp/B0OTHER111";
  const create = (link: object) => ada.call(createLinkCall, { body: { url: GERMAN, ...link } });
  const read = ({ shortCode }: { shortCode: string }) => ada.call(getLink, { params: { shortCode } });

  it("makes several changes together, and the earlier code still opens the link", async () => {
    const link = await create({ usesChannelTag: true });
    const change = { slug: `mug-${link.id}`, url: FRENCH, nickname: "Mug", title: "A mug", labels: ["Gifts"] };
    const body = { ...change, channelId: blog, expiresAt: "2090-01-01T00:00:00.000Z" };
    const changed = await ada.call(updateLink, { params: link, body });
    expect(changed).toMatchObject({
      id: link.id,
      shortCode: body.slug,
      nickname: "Mug",
      title: "A mug",
      expiresAt: body.expiresAt,
      webUrl: `${FRENCH}?tag=blog-22`,
      channelId: blog,
      tagSource: "channel",
      labels: [{ name: "Gifts" }],
    });
    expect(await read(link)).toEqual(changed);
    for (const code of [link.shortCode, body.slug]) {
      expect(await redirectRecord(code)).toMatchObject({ webUrl: `${FRENCH}?tag=`, title: "A mug" });
    }
  });

  it.each([
    ["an unknown channel", { channelId: 123_456_789 }, 404, ERRORS["channel-not-found"].message],
    ["an unknown label", { labels: [123_456_789] }, 404, ERRORS["label-not-found"].message],
    ["a code in use", { slug: "reserved-name" }, 409, ERRORS["slug-taken"].message],
    ["another site", { url: "https://shop.example" }, 422, ERRORS["not-an-amazon-link"].message],
  ])("makes no change if one is refused: %s", async (_, refused, status, message) => {
    const link = await create({ usesChannelTag: true });
    if (status === 409) await create({ slug: "reserved-name" });
    const body = {
      slug: `mug-${link.id}`,
      url: FRENCH,
      nickname: "Mug",
      labels: ["Gifts"],
      channelId: blog,
      ...refused,
    };
    expect(await ada.refusal(updateLink, { params: link, body })).toEqual([status, message]);
    expect(await read(link)).toEqual(link);
    expect(await redirectRecord(link.shortCode)).toMatchObject({
      revision: 1,
      webUrl: link.webUrl.replace("main-21", ""),
    });
  });

  it.each([
    ["the tag of the new channel", { channelId: "blog" }, GERMAN, "blog-21", "channel"],
    ["the tag in the new store", { channelId: "blog", url: FRENCH }, FRENCH, "blog-22", "channel"],
    ["the tag that it has", { channelId: "blog", tagSource: "own" }, GERMAN, "main-21", "own"],
    ["no tag", { channelId: "blog", url: FRENCH, tagSource: "own" }, FRENCH, null, "own"],
    [
      "the channel's in place of another",
      { url: `${GERMAN}?tag=x-21&th=1`, tagSource: "channel" },
      GERMAN,
      "main-21",
      "channel",
    ],
  ])(
    "of channel, address and source give it %s",
    async (_, { channelId, ...change }: Record<string, string>, page, tag, source) => {
      const link = await create({ usesChannelTag: true });
      const body = { ...change, ...(channelId && { channelId: blog }) };
      const { webUrl, tagSource } = await ada.call(updateLink, { params: link, body });
      const url = new URL(webUrl);
      expect([url.origin + url.pathname, url.searchParams.get("tag"), tagSource]).toEqual([page, tag, source]);
    },
  );

  it("makes concurrent changes one after another, and the link has the channel's tag of the end", async () => {
    const link = await create({ usesChannelTag: true });
    const patch = (body: object) => ada.call(updateLink, { params: link, body });
    await Promise.all(
      [1, 2, 3, 4, 5, 6].flatMap((n) => [
        patch({ labels: [`Label ${n}`], nickname: `Name ${n}` }),
        patch({ url: `${n % 2 === 0 ? GERMAN : FRENCH}?n=${n}`, channelId: blog }),
        ada.call(saveChannelTag, { params: { id: blog }, body: { marketplace: "de", tag: `blog${n}-21` } }),
      ]),
    );
    const { webUrl, channelId, labels } = await read(link);
    expect([channelId, labels.length]).toEqual([blog, 1]);
    const tag = new URL(webUrl).searchParams.get("tag");
    const [saved] = await api.query(
      `SELECT tag FROM channel_tags WHERE channel_id = ${blog} AND marketplace = '${webUrl.includes("amazon.de") ? "de" : "fr"}'`,
    );
    const changes = await api.query(`SELECT FROM bulk_updates WHERE payload ->> 'channelId' = '${blog}'`);
    // The relay gives the link a tag that was saved after its change.
    expect(tag === saved?.tag || changes.length > 0).toBe(true);
  });
});
