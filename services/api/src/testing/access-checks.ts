import { ERRORS } from "@tapthru/proto/errors";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { eventually } from "./eventually.ts";
import type { ProviderAccount } from "./test-accounts.ts";
import type { TestApi } from "./test-api.ts";
import { changeSessions } from "./test-sessions.ts";
import { bearer, createBackendUser, logIn } from "./test-user.ts";

interface TestProvider<Account extends ProviderAccount> {
  startApi(): Promise<TestApi>;
  createAccount(api: TestApi): Promise<Account>;
  proofOf(account: Account): Record<string, string>;
  ended: string;
  ends: [title: string, end: (api: TestApi, account: Account) => Promise<void>][];
}

export function checkAccess<Account extends ProviderAccount>(provider: TestProvider<Account>) {
  let api: TestApi;
  let ada: Account;
  let eve: Account;
  beforeAll(async () => {
    api = await provider.startApi();
    eve = await provider.createAccount(api);
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    ada = await provider.createAccount(api);
  });

  async function replies(proof: Record<string, string>) {
    const headers = { origin: api.publicBaseUrl, ...proof };
    const { uid: firebaseUid, email } = ada;
    const responses = await Promise.all([
      api.post("/api/users", { firebaseUid, email, username: firebaseUid }, headers),
      api.post("/api/login", { firebaseUid }, headers),
      api.request("GET", `/api/users/${firebaseUid}`, headers),
    ]);
    const cookies = responses.flatMap(({ headers }) => headers.getSetCookie());
    expect(cookies).toEqual([]);
    return Promise.all(responses.map(async (response) => [response.status, await response.text()]));
  }
  const refused = (status: number, message: string) => [
    [status, message],
    [status, message],
    [404, ERRORS["account-not-found"].message],
  ];

  type Refusal = [title: string, proof: () => Record<string, string>, status: number, message: string];
  it.each<Refusal>([
    ["the uid alone", () => ({}), 401, ERRORS["login-required"].message],
    ["garbage", () => bearer("x.y.z"), 401, ERRORS["bad-token"].message],
    [
      "a forged cookie",
      () => ({ cookie: `login.session_token=${ada.token}.x` }),
      401,
      ERRORS["login-required"].message,
    ],
    ["another account's login", () => provider.proofOf(eve), 403, ERRORS["not-allowed"].message],
  ])("refuses %s, whether or not the uid has a user", async (_title, proof, status, message) => {
    expect(await replies(proof())).toEqual(refused(status, message));
    expect(await api.query(`SELECT FROM users WHERE firebase_uid = '${ada.uid}'`)).toEqual([]);
    await createBackendUser(api, ada);
    expect(await replies(proof())).toEqual(refused(status, message));
  });

  it.each(provider.ends)("refuses the logins and ends the sessions of an account that was %s", async (_title, end) => {
    const user = await createBackendUser(api, ada);
    const browser = await logIn(api, ada);
    await end(api, ada);
    expect(await replies(provider.proofOf(ada))).toEqual(refused(401, provider.ended));
    await changeSessions(api, { ...ada, user }, { lastSeenAt: 0 });
    const statusOfLinks = async () => (await api.request("GET", "/api/links", browser)).status;
    await eventually(async () => expect(await statusOfLinks()).toBe(401));
  });

  it("refuses earlier logins after a logout everywhere", async () => {
    await createBackendUser(api, ada);
    const browser = await logIn(api, ada);
    // Some providers store times in whole seconds.
    const loggedInAt = Date.now();
    await vi.waitUntil(() => Date.now() > loggedInAt + 1_000, { timeout: 60_000 });
    const ended = await api.request("DELETE", "/api/sessions", browser);
    expect([ended.status, await ended.json()]).toEqual([200, { ended: 1 }]);
    expect(await replies(provider.proofOf(ada))).toEqual(refused(401, provider.ended));
  });

  it("deletes the identity with the account", async () => {
    await createBackendUser(api, ada);
    const browser = await logIn(api, ada);
    const { email } = ada;
    expect((await api.request("DELETE", "/api/account", browser, { email })).status).toBe(200);
    expect(await replies(provider.proofOf(ada))).toEqual(refused(401, provider.ended));
  });
}
