import { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EMULATOR_START_MS } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { makeLink, product, redirectRecord } from "../testing/test-links.ts";
import {
  type Browser,
  logIn,
  newBrowser,
  signUpUser,
  type TestUser,
  withCookies,
} from "../testing/test-user.ts";

let api: TestApi;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  api = await startTestApi();
  ada = await signUpUser(api);
  bob = await signUpUser(api);
}, EMULATOR_START_MS);
afterAll(() => api.stop());
beforeEach(() => api.rows("TRUNCATE links, link_changes, products, retired_codes CASCADE"));

/** A browser that has made a link signed out, and has a session since. */
async function visitorThenUser(user: TestUser): Promise<{ shortCode: string; browser: Browser }> {
  const visitor = await visitorBrowser();
  const shortCode = await makeLink(api, visitor);
  return { shortCode, browser: await logIn(api, user, visitor) };
}

async function visitorBrowser(): Promise<Browser> {
  const browser = newBrowser(api);
  return withCookies(browser, await api.ask("GET", "/api/visitor", browser));
}

const claim = (shortCode: string, userId: number, browser: Browser) =>
  api.ask("PATCH", `/api/links/${shortCode}`, browser, { userId });

const links = () =>
  api.rows("SELECT user_id, expires_at, claim_hash, revision FROM links ORDER BY id");

describe("claiming a link made signed out", () => {
  it("gives it to the user, for good and everywhere", async () => {
    const { shortCode, browser } = await visitorThenUser(ada);
    const before = await redirectRecord(shortCode);
    expect(before).toMatchObject({ revision: 1, expiresAt: expect.any(Number) });
    const answer = await claim(shortCode, ada.user.id, browser);
    expect(answer.status).toBe(200);
    expect(Link.parse(await answer.json())).toMatchObject({
      shortCode,
      userId: ada.user.id,
      expiresAt: null,
    });
    expect(await links()).toEqual([
      { user_id: ada.user.id, expires_at: null, claim_hash: null, revision: 2 },
    ]);
    expect(await redirectRecord(shortCode)).toEqual({ ...before, revision: 2, expiresAt: null });
    expect(await api.rows("SELECT revision FROM link_changes ORDER BY id")).toEqual([
      { revision: 1 },
      { revision: 2 },
    ]);
    const list = await api.ask("GET", "/api/links", browser);
    expect(await list.json()).toEqual([expect.objectContaining({ shortCode })]);
  });

  it("is all right a second time", async () => {
    const { shortCode, browser } = await visitorThenUser(ada);
    await claim(shortCode, ada.user.id, browser);
    expect((await claim(shortCode, ada.user.id, browser)).status).toBe(200);
    expect((await claim(shortCode, ada.user.id, ada.browser)).status).toBe(200);
    expect(await links()).toEqual([expect.objectContaining({ revision: 2 })]);
  });

  it("ends its being found when the visitor pastes the address again", async () => {
    const visitor = await visitorBrowser();
    const shortCode = await makeLink(api, visitor);
    await claim(shortCode, ada.user.id, await logIn(api, ada, visitor));
    expect(await makeLink(api, visitor)).not.toBe(shortCode);
  });

  it("has one winner of 100 at once, of two users and many sessions", async () => {
    const visitor = await visitorBrowser();
    const shortCode = await makeLink(api, visitor);
    const claimers: { user: TestUser; browser: Browser }[] = [];
    for (let i = 0; i < 10; i++) {
      const user = i % 2 ? ada : bob;
      claimers.push({ user, browser: await logIn(api, user, visitor) });
    }
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const { user, browser } = claimers[i % 10] ?? { user: ada, browser: visitor };
        return { user, status: (await claim(shortCode, user.user.id, browser)).status };
      }),
    );
    const [row] = await links();
    expect(row).toMatchObject({ revision: 2, expires_at: null });
    for (const { user, status } of answers) {
      expect(status).toBe(row?.user_id === user.user.id ? 200 : 404);
    }
    expect([ada.user.id, bob.user.id]).toContain(row?.user_id);
  });
});

describe("a claim is refused", () => {
  async function refused(answer: Response, status: number, sentence: string): Promise<void> {
    expect([answer.status, await answer.text()]).toEqual([status, sentence]);
  }

  it("without a session", async () => {
    const visitor = await visitorBrowser();
    const answer = await claim(await makeLink(api, visitor), ada.user.id, visitor);
    await refused(answer, 401, messages.loginRequired);
  });

  it("without the claim token, and with that of another", async () => {
    const shortCode = await makeLink(api, await visitorBrowser());
    const withOther = await logIn(api, ada, await visitorBrowser());
    for (const browser of [ada.browser, withOther]) {
      await refused(await claim(shortCode, ada.user.id, browser), 404, messages.linkNotFound);
    }
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
  });

  it("for another user than one's own", async () => {
    const { shortCode, browser } = await visitorThenUser(ada);
    for (const userId of [bob.user.id, 0, -1, 2 ** 40]) {
      await refused(await claim(shortCode, userId, browser), 404, messages.linkNotFound);
    }
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
  });

  it("once it has an owner, also with the right token", async () => {
    const visitor = await visitorBrowser();
    const shortCode = await makeLink(api, visitor);
    await claim(shortCode, ada.user.id, await logIn(api, ada, visitor));
    const answer = await claim(shortCode, bob.user.id, await logIn(api, bob, visitor));
    await refused(answer, 404, messages.linkNotFound);
  });

  it("for a link that a user has made", async () => {
    const visitor = await visitorBrowser();
    const browser = await logIn(api, ada, visitor);
    const shortCode = await makeLink(api, browser);
    const answer = await claim(shortCode, bob.user.id, await logIn(api, bob, visitor));
    await refused(answer, 404, messages.linkNotFound);
  });

  it("for one that has expired, purged or not", async () => {
    const { shortCode, browser } = await visitorThenUser(ada);
    await api.rows("UPDATE links SET expires_at = now()");
    const expired = () => claim(shortCode, ada.user.id, browser);
    await refused(await expired(), 410, messages.linkExpired);
    expect(await links()).toEqual([expect.objectContaining({ user_id: null, revision: 1 })]);
    await api.rows(`DELETE FROM links;
      INSERT INTO retired_codes VALUES ('${shortCode}', 'expired', 2)`);
    await refused(await expired(), 410, messages.linkExpired);
  });

  it("for one that was taken down", async () => {
    const { shortCode, browser } = await visitorThenUser(ada);
    await api.rows("UPDATE links SET taken_down_at = now()");
    const answer = await claim(shortCode, ada.user.id, browser);
    await refused(answer, 410, messages.linkNotAvailable);
    await refused(await claim(shortCode, bob.user.id, bob.browser), 404, messages.linkNotFound);
  });

  it("from a user whose row is gone, who is asked to log in again", async () => {
    const eve = await signUpUser(api);
    const { shortCode, browser } = await visitorThenUser(eve);
    await api.rows(`DELETE FROM users WHERE id = ${eve.user.id}`);
    await refused(await claim(shortCode, eve.user.id, browser), 401, messages.loginRequired);
    const answer = await api.post("/api/generate", { url: product }, eve.browser);
    await refused(answer, 401, messages.loginRequired);
  });
});
