import { User } from "@tapthru/proto/accounts";
import { ERRORS } from "@tapthru/proto/errors";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount, deleteAccount, type TestAccount, verifyEmail } from "../testing/test-accounts.ts";
import { bearer, createBackendUser, newBrowser, postLogin, postUser, signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let account: TestAccount;
const api = await startApi();
beforeEach(async () => {
  await api.empty();
  account = await createAccount(api);
});

const create = (changes: object = {}, by = account) => postUser(api, by, { username: "ada", ...changes });

async function outcome(request: Response | Promise<Response>) {
  const response = await request;
  return [response.status, await response.text()];
}

const users = () => api.query("SELECT username, email, firebase_uid FROM users ORDER BY id");

describe("POST /api/users", () => {
  it("creates the user of a login, and returns the same user for a repeated request", async () => {
    const first = await create();
    expect(first.status).toBe(201);
    const user = await first.json();
    expect(user).toEqual({
      id: expect.any(Number),
      username: "ada",
      email: account.email,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      isOperator: false,
    });
    const again = await create({ username: "another name" });
    expect([again.status, await again.json()]).toEqual([200, user]);
  });

  it("creates one user for 30 identical concurrent requests", async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => create()));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(29).fill(200), 201]);
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["another case", "ADA"],
    ["a zero-width space", "a\u200Bda"],
  ])("rejects a username that looks like another user's: %s", async (_title, username) => {
    expect((await create()).status).toBe(201);
    expect(await outcome(create({ username }, await createAccount(api)))).toEqual([
      409,
      ERRORS["username-taken"].message,
    ]);
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["username", "username", ERRORS["username-taken"].message],
    ["verified email address", "email", ERRORS["email-taken"].message],
  ])("reports that the %s is taken", async (_title, field, message) => {
    await verifyEmail(api, account);
    const taken = { username: "ada", email: account.email };
    const other = { username: "other", email: "other@example.com", [field]: taken[field as "email"] };
    await api.query(`INSERT INTO users (username, email, email_is_verified, firebase_uid)
      VALUES ('${other.username}', '${other.email}', true, 'other')`);
    const headers = { ...newBrowser(api), accept: "application/problem+json" };
    const problem = await postUser(api, account, { username: "ada" }, headers);
    expect(await problem.json()).toMatchObject({ status: 409, field, title: message });
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["uid", { firebaseUid: "another-uid" }],
    ["email address", { email: "other@example.com" }],
  ])("rejects the %s of another account", async (_title, changes) => {
    expect(await outcome(create(changes))).toEqual([403, ERRORS["not-allowed"].message]);
    expect(await users()).toEqual([]);
  });
});

describe("an email address that a user took without verifying it", () => {
  it("is free for the next account that has it at the provider, which alone can verify it", async () => {
    const first = await signUpUser(api);
    await api.query("UPDATE users SET email_is_verified = false");
    await deleteAccount(api, first);
    const second = await createAccount(api, first.email);
    const user = await createBackendUser(api, second);
    expect([user.email, user.id === first.user.id]).toEqual([first.email, false]);
    await verifyEmail(api, second);
    expect((await postLogin(api, second)).status).toBe(200);
    expect(await api.query("SELECT email_is_verified FROM users ORDER BY id")).toEqual([
      { email_is_verified: false },
      { email_is_verified: true },
    ]);
  });
});

describe("GET /api/users/{uid}", () => {
  const get = (uid: string, headers = {}) => api.request("GET", `/api/users/${uid}`, headers);

  it("returns the user to the user, by token or by session", async () => {
    const { uid, token, browser, user } = await signUpUser(api);
    for (const headers of [bearer(token), browser]) {
      expect(User.parse(await (await get(uid, headers)).json())).toEqual(user);
    }
  });

  it("responds to everyone else as if the user did not exist", async () => {
    const one = await signUpUser(api);
    const other = await signUpUser(api);
    const unknown = await outcome(get("unknown-uid", other.browser));
    expect(unknown).toEqual([404, ERRORS["account-not-found"].message]);
    for (const headers of [{}, other.browser, bearer(other.token), bearer("garbage")]) {
      expect(await outcome(get(one.uid, headers))).toEqual(unknown);
    }
  });
});
