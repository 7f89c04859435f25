import { randomUUID } from "node:crypto";
import { ERRORS } from "@tapthru/proto/errors";
import { GeneratedLink } from "@tapthru/proto/generate";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../testing/test-accounts.ts";
import { product, redirectRecord } from "../testing/test-links.ts";
import { addMember, inAccountOf } from "../testing/test-members.ts";
import { bearer, signUpUser, type TestUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada, eve: bob } = await startWorld();
beforeEach(() => api.query("TRUNCATE links, link_changes, products, retired_codes CASCADE"));

const generate = (headers: Record<string, string>, url = product) => api.post("/api/generate", { url }, headers);
const owners = () => api.query("SELECT user_id, expires_at, claim_hash FROM links ORDER BY id");
const ownedBy = ({ user }: TestUser) => ({ user_id: user.id, expires_at: null, claim_hash: null });

describe("a link created by a user", () => {
  it.each([
    ["session", () => ada.browser],
    ["token alone", () => bearer(ada.token)],
    ["session and token", () => ({ ...ada.browser, ...bearer(ada.token) })],
    ["session, with an invalid token", () => ({ ...ada.browser, ...bearer("garbage") })],
    ["token, with an invalid session", () => ({ ...ada.browser, ...bearer(ada.token), cookie: "sid=x; sid.sig=x" })],
  ])("belongs to the user identified by %s, and never expires", async (_title, headers) => {
    const response = await generate(headers());
    expect(response.status).toBe(201);
    expect(String(response.headers.getSetCookie())).not.toContain("claim");
    expect(await owners()).toEqual([ownedBy(ada)]);
    const { shortCode } = GeneratedLink.parse(await response.json());
    expect(await redirectRecord(shortCode)).toMatchObject({ state: "live", expiresAt: null });
  });

  it("belongs to who is logged in at the provider if the session was lost", async () => {
    const eve = await signUpUser(api);
    await api.context.sessionStore.endAll({ userId: eve.user.id, firebaseUid: eve.uid });
    expect((await generate(eve.browser)).status).toBe(201);
    expect(await owners()).toEqual([ownedBy(eve)]);
  });

  it("is refused to who was disabled while their session remained, also in the account of another user", async () => {
    const { browser, user } = await signUpUser(api);
    await addMember(api, { account: ada.user.id, member: user.id });
    await api.query(`UPDATE users SET state = 'disabled' WHERE id = ${user.id}`);
    for (const account of [{}, inAccountOf(ada)]) {
      const response = await generate({ ...browser, ...account });
      expect([response.status, await response.text()]).toEqual([401, ERRORS["login-required"].message]);
    }
    expect(await owners()).toEqual([]);
  });

  it("does not belong to who has logged out, also with the cookies from before", async () => {
    const eve = await signUpUser(api);
    await api.request("POST", "/api/logout", eve.browser);
    await generate(eve.browser);
    expect(await owners()).toEqual([expect.objectContaining({ user_id: null })]);
  });

  it("is a visitor's if who is logged in at the provider has no account", async () => {
    const { login } = await createAccount(api);
    expect((await generate(login)).status).toBe(201);
    expect(await owners()).toEqual([expect.objectContaining({ user_id: null })]);
  });

  it("is returned to retries of the user; another user with the same key gets their own", async () => {
    const key = { "idempotency-key": randomUUID() };
    const first = await generate({ ...ada.browser, ...key });
    const again = await generate({ ...bearer(ada.token), ...key });
    expect([again.status, await again.json()]).toEqual([201, await first.json()]);
    expect((await generate({ ...bob.browser, ...key })).status).toBe(201);
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
    const response = await generate(headers);
    expect([response.status, await response.text()]).toEqual([status, message]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await owners()).toEqual([]);
  }

  it("for a token whose user does not exist in the backend", async () => {
    const { token } = await createAccount(api);
    await expectRefused(bearer(token), 404, ERRORS["account-not-found"].message);
  });

  it("for the session of one user and the token of another", async () => {
    await expectRefused({ ...ada.browser, ...bearer(bob.token) }, 401, ERRORS["bad-token"].message);
  });
});
