import { User } from "@tapthru/proto/accounts";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { bearer, logIn, signUpUser, type TestUser } from "../testing/test-user.ts";

let api: TestApi;
let limited: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await startTestApi();
  limited = await startTestApi({ RATE_LIMITS: "on" });
});
afterAll(() => Promise.all([api.stop(), limited.stop()]));
beforeEach(async () => {
  await api.empty();
  user = await signUpUser(api);
});

const rename = (body: unknown, headers: Record<string, string> = user.browser, uid = user.uid) =>
  api.request("PATCH", `/api/users/${uid}`, headers, body);
async function storedName({ uid, browser }: TestUser = user): Promise<string> {
  const response = await api.request("GET", `/api/users/${uid}`, browser);
  return User.parse(await response.json()).username;
}

describe("PATCH /api/users/:firebaseUid", () => {
  it("changes the username by the rules of the sign-up", async () => {
    const response = await rename({ username: "  Ａnna  " });
    expect([response.status, await response.json()]).toEqual([200, { ...user.user, username: "Anna" }]);
    expect(await storedName()).toBe("Anna");
  });

  it.each([
    ["ab", messages.usernameTooShort],
    ["\u200b\u200b\u200b", messages.usernameTooShort],
    ["a".repeat(51), messages.usernameTooLong],
    ["a\nbc", messages.onlyVisibleCharacters],
  ])("refuses %j", async (username, message) => {
    const response = await rename({ username });
    expect([response.status, await response.text()]).toEqual([422, message]);
    expect(await storedName()).toBe(user.user.username);
  });

  it("refuses a name that looks like another user's, and accepts another form of one's own", async () => {
    const other = await signUpUser(api);
    await rename({ username: "Anna" });
    const response = await rename({ username: "ANNA\u200b" }, other.browser, other.uid);
    expect([response.status, await response.text()]).toEqual([409, messages.usernameTaken]);
    expect(await storedName(other)).toBe(other.user.username);
    expect((await rename({ username: "ANNA" })).status).toBe(200);
  });

  it("frees the earlier name", async () => {
    const other = await signUpUser(api);
    await rename({ username: "Anna" });
    const { username } = user.user;
    expect((await rename({ username }, other.browser, other.uid)).status).toBe(200);
  });

  it("gives a name that two users request at once to one of them", async () => {
    const other = await signUpUser(api);
    const responses = await Promise.all([
      rename({ username: "Anna" }),
      rename({ username: "anna" }, other.browser, other.uid),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("changes neither other fields nor other users", async () => {
    const other = await signUpUser(api);
    expect((await rename({ username: "Anna", email: "a@b.example" })).status).toBe(422);
    const response = await rename({ username: "Anna" }, user.browser, other.uid);
    expect([response.status, await response.text()]).toEqual([404, messages.accountNotFound]);
    expect(await storedName(other)).toBe(other.user.username);
  });

  it("requires a session: a token is not enough", async () => {
    expect((await rename({ username: "Anna" }, bearer(user.token))).status).toBe(401);
  });

  it("refuses other sites", async () => {
    const foreign = { ...user.browser, origin: "https://evil.example" };
    expect((await rename({ username: "Anna" }, foreign)).status).toBe(403);
    expect(await storedName()).toBe(user.user.username);
  });

  it("refuses an account that is being deleted", async () => {
    await api.query(`INSERT INTO account_deletions (firebase_uid, user_id) VALUES ('${user.uid}', ${user.user.id})`);
    expect((await rename({ username: "Anna" })).status).toBe(401);
  });

  it("is limited to 10 per minute and user", async () => {
    const busy = await signUpUser(limited);
    const browser = await logIn(limited, busy);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      const body = { username: `Anna ${i} ${busy.uid}` };
      statuses.push((await limited.request("PATCH", `/api/users/${busy.uid}`, browser, body)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
});
