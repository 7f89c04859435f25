import { beforeEach, expect, test } from "vitest";
import { respondOnceWith, serveAccounts } from "../../testing/accounts-server.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply } from "../../testing/generate-server.ts";
import { openSession } from "./firebase-session.ts";

let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  accounts = serveAccounts("anna@example.com");
});

const names = () => [...accounts.users.values()].map(({ username }) => username);
const open = (email: string, displayName: string | null = null) =>
  openSession({ uid: `uid-of-${email}`, email, displayName }, "token");

test("the token is exchanged for a session", async () => {
  const { identity, user } = await open("anna@example.com");
  const uid = "uid-of-anna@example.com";
  expect(identity).toEqual({ uid, email: user.email, hasPassword: true, hasTwoFactor: false });
  const body = { firebaseUid: identity.uid };
  expect(accounts.requests).toEqual([{ call: "POST /api/login", body, authorization: "Bearer token" }]);
});

test("a failed exchange is retried once", async () => {
  useFakeClock();
  const repliesSent = respondOnceWith("post", "/api/login", errorReply(503, "Unavailable"));
  const opened = open("anna@example.com");
  await advanceUntil(() => accounts.calls().length > 0);
  await opened;
  expect(repliesSent()).toBe(1);
  respondOnceWith("post", "/api/login", errorReply(403, "No."));
  await expect(open("anna@example.com")).rejects.toThrow("Failed to login with backend");
});

test.each([
  ["the display name", "clara@example.com", "Clara", /^Clara$/],
  ["the email's local part if there is no display name", "clara@example.com", null, /^clara$/],
  ["4 digits appended to a taken name", "clara@example.com", "anna@example.com", /^anna@example[.]com\d{4}$/],
  ["4 digits appended to a name that is too short", "bo@example.com", null, /^bo\d{4}$/],
  ["at most 50 characters", `${"x".repeat(60)}@example.com`, null, /^x{50}$/],
])("a user unknown to the backend is created with %s", async (_case, email, displayName, name) => {
  await open(email, displayName);
  expect(names().at(-1)).toMatch(name);
});

test("a user unknown to the backend is not created if another user has the email", async () => {
  const identity = { uid: "another", email: "anna@example.com", displayName: "Double" };
  await expect(openSession(identity, "token")).rejects.toThrow("Failed to sync user with backend");
});
