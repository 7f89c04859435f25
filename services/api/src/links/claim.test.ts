import { ERRORS } from "@tapthru/proto/errors";
import { claimLinks, Link } from "@tapthru/proto/links";
import { beforeEach, describe, expect, it } from "vitest";
import { createLink, product, redirectRecord } from "../testing/test-links.ts";
import { type BrowserHeaders, logIn, type TestUser } from "../testing/test-user.ts";
import { newVisitor, startWorld } from "../testing/world.ts";

const { api, ada, eve: bob } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_changes, products, retired_codes CASCADE"));

/** A browser that created a link before the user logged in. */
async function createLinkThenLogIn(user: TestUser): Promise<{ shortCode: string; browser: BrowserHeaders }> {
  const visitor = await newVisitor(api);
  const shortCode = await createLink(api, visitor);
  return { shortCode, browser: await logIn(api, user, visitor) };
}

const claim = (shortCode: string, userId: number, browser: BrowserHeaders) =>
  api.request("PATCH", `/api/links/${shortCode}`, browser, { userId });

const links = () => api.query("SELECT user_id, expires_at, claim_hash, revision FROM links ORDER BY id");

describe("claiming an anonymous link", () => {
  it("makes the user its permanent owner in Postgres and Redis", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    const before = await redirectRecord(shortCode);
    expect(before).toMatchObject({ revision: 1, expiresAt: expect.any(Number) });
    const response = await claim(shortCode, ada.user.id, browser);
    expect(response.status).toBe(200);
    expect(Link.parse(await response.json())).toMatchObject({ shortCode, userId: ada.user.id, expiresAt: null });
    expect(await links()).toEqual([{ user_id: ada.user.id, expires_at: null, claim_hash: null, revision: 2 }]);
    expect(await redirectRecord(shortCode)).toEqual({ ...before, revision: 2, expiresAt: null });
    expect(await api.query("SELECT revision FROM link_changes ORDER BY id")).toEqual([
      { revision: 1 },
      { revision: 2 },
    ]);
    const list = await api.request("GET", "/api/links", browser);
    expect(await list.json()).toEqual([expect.objectContaining({ shortCode })]);
  });

  it("succeeds for one of two users in 100 concurrent requests", async () => {
    const visitor = await newVisitor(api);
    const shortCode = await createLink(api, visitor);
    const claimers: { user: TestUser; browser: BrowserHeaders }[] = [];
    for (let i = 0; i < 10; i++) {
      const user = i % 2 ? ada : bob;
      claimers.push({ user, browser: await logIn(api, user, visitor) });
    }
    const responses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const { user, browser } = claimers[i % 10] ?? { user: ada, browser: visitor };
        return { user, status: (await claim(shortCode, user.user.id, browser)).status };
      }),
    );
    const [row] = await links();
    expect(row).toMatchObject({ revision: 2, expires_at: null });
    for (const { user, status } of responses) {
      expect(status).toBe(row?.user_id === user.user.id ? 200 : 404);
    }
    expect([ada.user.id, bob.user.id]).toContain(row?.user_id);
  });
});

it("several links are claimed by one request, with what failed by link, and a second request changes nothing", async () => {
  const visitor = await newVisitor(api);
  const shortCodes = [await createLink(api, visitor), await createLink(api, visitor, `${product}&th=1`)];
  const ofOther = await createLink(api, await newVisitor(api));
  await api.query(`UPDATE links SET expires_at = now() WHERE short_code = '${shortCodes[1]}'`);
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
  expect(await redirectRecord(shortCodes[0] ?? "")).toMatchObject({ revision: 2, expiresAt: null });
  const ofEve = { ...body, userId: bob.user.id };
  expect((await api.request("POST", "/api/links/bulk/claim", browser, ofEve)).status).toBe(404);
});

describe("a claim is rejected", () => {
  async function expectRefused(response: Response, status: number, message: string): Promise<void> {
    expect([response.status, await response.text()]).toEqual([status, message]);
  }

  it("without the claim token, and with that of another visitor", async () => {
    const shortCode = await createLink(api, await newVisitor(api));
    const otherVisitor = await logIn(api, ada, await newVisitor(api));
    for (const browser of [ada.browser, otherVisitor]) {
      await expectRefused(await claim(shortCode, ada.user.id, browser), 404, ERRORS["link-not-found"].message);
    }
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
  });

  it("for another user than the caller", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    for (const userId of [bob.user.id, 0, -1, 2 ** 40]) {
      await expectRefused(await claim(shortCode, userId, browser), 404, ERRORS["link-not-found"].message);
    }
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
  });

  it("if the link has an owner, even with the right token", async () => {
    const visitor = await newVisitor(api);
    const shortCode = await createLink(api, visitor);
    await claim(shortCode, ada.user.id, await logIn(api, ada, visitor));
    const response = await claim(shortCode, bob.user.id, await logIn(api, bob, visitor));
    await expectRefused(response, 404, ERRORS["link-not-found"].message);
  });

  it("for an expired link, purged or not", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    await api.query("UPDATE links SET expires_at = now()");
    const expired = () => claim(shortCode, ada.user.id, browser);
    await expectRefused(await expired(), 410, ERRORS["link-expired"].message);
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
    await api.query(`DELETE FROM links;
      INSERT INTO retired_codes VALUES ('${shortCode}', 'expired', 2)`);
    await expectRefused(await expired(), 410, ERRORS["link-expired"].message);
  });

  it("for a link that was taken down", async () => {
    const { shortCode, browser } = await createLinkThenLogIn(ada);
    await api.query("UPDATE links SET taken_down_at = now()");
    const response = await claim(shortCode, ada.user.id, browser);
    await expectRefused(response, 410, ERRORS["link-taken-down"].message);
    await expectRefused(await claim(shortCode, bob.user.id, bob.browser), 404, ERRORS["link-not-found"].message);
  });
});
