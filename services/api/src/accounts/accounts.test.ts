import { User } from "@tapthru/proto/accounts";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAccount, deleteAccount, type TestAccount, verifyEmail } from "../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { bearer, createBackendUser, postLogin, signUpUser } from "../testing/test-user.ts";

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.empty();
  account = await createAccount(api);
});

function postUser(changes: object = {}, token = account.token, headers = {}) {
  const body = { firebaseUid: account.uid, email: account.email, username: "ada", ...changes };
  return api.post("/api/users", body, { ...headers, ...bearer(token) });
}

async function outcome(request: Response | Promise<Response>) {
  const response = await request;
  return [response.status, await response.text()];
}

const users = () => api.query("SELECT username, email, firebase_uid FROM users ORDER BY id");

describe("POST /api/users", () => {
  it("creates the user of a token, and returns the same user for a repeated request", async () => {
    const first = await postUser();
    expect(first.status).toBe(201);
    const user = await first.json();
    expect(user).toEqual({
      id: expect.any(Number),
      username: "ada",
      email: account.email,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      isOperator: false,
    });
    const again = await postUser({ username: "another name" });
    expect([again.status, await again.json()]).toEqual([200, user]);
  });

  it("creates no session", async () => {
    expect((await postUser()).headers.getSetCookie()).toEqual([]);
  });

  it("trims the username, and stores the email address as the token spells it", async () => {
    await postUser({ username: "  ada ", email: ` ${account.email.toUpperCase()} ` });
    expect(await users()).toEqual([{ username: "ada", email: account.email, firebase_uid: account.uid }]);
  });

  it("creates one user for 30 identical concurrent requests", async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => postUser()));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(29).fill(200), 201]);
    expect(await users()).toHaveLength(1);
  });

  it("gives a username to one of ten concurrent requests", async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => createAccount(api)));
    const responses = await Promise.all(
      others.map(({ uid, email, token }) => postUser({ firebaseUid: uid, email }, token)),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(409)]);
    expect(await users()).toHaveLength(1);
  });

  it("stores the username in NFKC, without direction controls", async () => {
    await postUser({ username: "\u202EＡｄａ\u202C" });
    expect(await users()).toMatchObject([{ username: "Ada" }]);
  });

  it.each([
    ["another case", "ADA"],
    ["full width", "ａｄａ"],
    ["a zero-width space", "a\u200Bda"],
    ["a direction override", "\u202Eada"],
    ["tags", "ada\u{E0061}"],
  ])("rejects a username that looks like another user's: %s", async (_title, username) => {
    expect((await postUser()).status).toBe(201);
    const { uid, email, token } = await createAccount(api);
    const lookalike = postUser({ firebaseUid: uid, email, username }, token);
    expect(await outcome(lookalike)).toEqual([409, messages.usernameTaken]);
    expect(await users()).toHaveLength(1);
  });

  it("accepts one of ten lookalike usernames", async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => createAccount(api)));
    const responses = await Promise.all(
      others.map(({ uid, email, token }, i) =>
        postUser({ firebaseUid: uid, email, username: `ada${"\u200B".repeat(i)}` }, token),
      ),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(9).fill(409)]);
  });

  it.each([
    ["username", "username", messages.usernameTaken],
    ["verified email address", "email", messages.emailTaken],
  ])("reports that the %s is taken", async (_title, field, message) => {
    await verifyEmail(api, account);
    const taken = { username: "ada", email: account.email };
    const other = {
      username: "other",
      email: "other@example.com",
      [field]: taken[field as "email"],
    };
    await api.query(`INSERT INTO users (username, email, email_is_verified, firebase_uid)
      VALUES ('${other.username}', '${other.email}', true, 'other')`);
    expect(await outcome(postUser())).toEqual([409, message]);
    const problem = await postUser({}, account.token, { accept: "application/problem+json" });
    expect(await problem.json()).toMatchObject({ status: 409, field, title: message });
    expect(await users()).toHaveLength(1);
  });

  it.each([
    ["uid", { firebaseUid: "another-uid" }],
    ["email address", { email: "other@example.com" }],
  ])("rejects the %s of another account", async (_title, changes) => {
    expect(await outcome(postUser(changes))).toEqual([403, messages.notAllowed]);
    expect(await users()).toEqual([]);
  });

  it.each([
    ["a short username", { username: "ad" }, messages.usernameTooShort],
    ["a username that is short once trimmed", { username: " a  " }, messages.usernameTooShort],
    ["an invisible username", { username: "\u200B".repeat(3) }, messages.usernameTooShort],
    ["a username with a line break", { username: "ada\nb" }, messages.onlyVisibleCharacters],
    ["a long username", { username: "a".repeat(51) }, messages.usernameTooLong],
    ["an invalid email address", { email: "ada" }, messages.enterValidEmail],
    ["a long email address", { email: `${"a".repeat(243)}@example.com` }, messages.enterValidEmail],
    ["a number as the username", { username: 7 }, messages.malformedField("username")],
    ["an id", { id: 1 }, messages.unexpectedField("id")],
  ])("rejects %s", async (_title, changes, message) => {
    expect(await outcome(postUser(changes))).toEqual([422, message]);
    expect(await users()).toEqual([]);
  });
});

describe("an email address that a user took without verifying it", () => {
  it("is free for the next account that has it at the provider, which alone can verify it", async () => {
    const first = await signUpUser(api);
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
    expect(unknown).toEqual([404, messages.accountNotFound]);
    for (const headers of [{}, other.browser, bearer(other.token), bearer("garbage")]) {
      expect(await outcome(get(one.uid, headers))).toEqual(unknown);
    }
  });

  it("responds 404 to a token whose user does not exist in the backend", async () => {
    expect(await outcome(get(account.uid, bearer(account.token)))).toEqual([404, messages.accountNotFound]);
  });
});
