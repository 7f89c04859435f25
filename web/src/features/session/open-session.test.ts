import { beforeEach, expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { identityFor } from "../../testing/fake-identity-provider.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { errorReply } from "../../testing/generate-server.ts";
import { respondOnceWith } from "../../testing/serve.ts";
import { openSession } from "./open-session.ts";

let accounts: ReturnType<typeof serveAccounts>;

beforeEach(() => {
  accounts = serveAccounts("anna@example.com");
});

const names = () => [...accounts.users.values()].map(({ username }) => username);
const open = (email: string, displayName: string | null = null, token: string | null = "token") =>
  openSession({ ...identityFor(email), displayName }, token);

test.each([
  ["the token of Firebase", "token", "Bearer token"],
  ["the cookie of the built-in provider", null, null],
])("a login at the provider opens a session by %s", async (_case, token, authorization) => {
  const { identity } = await open("anna@example.com", null, token);
  expect(identity).toEqual(identityFor("anna@example.com"));
  const body = { firebaseUid: identity.uid };
  expect(accounts.requests).toEqual([{ call: "POST /api/login", body, authorization }]);
});

test("a failed exchange is retried once", async () => {
  useFakeClock();
  const repliesSent = respondOnceWith("POST /api/login", errorReply(503, "Unavailable"));
  const opened = open("anna@example.com");
  await advanceUntil(() => accounts.calls().length > 0);
  await opened;
  expect(repliesSent()).toBe(1);
  respondOnceWith("POST /api/login", errorReply(403, "No."));
  await expect(open("anna@example.com")).rejects.toThrow("Failed to login with backend");
});

test.each([
  ["the display name", "clara@example.com", "Clara", /^Clara$/],
  ["the email's local part if there is no display name", "clara@example.com", null, /^clara$/],
  ["the email's local part if the display name is empty", "clara@example.com", "", /^clara$/],
  ["4 digits appended to a taken name", "clara@example.com", "anna@example.com", /^anna@example[.]com\d{4}$/],
  ["4 digits appended to a name that is too short", "bo@example.com", null, /^bo\d{4}$/],
  ["at most 50 characters", `${"x".repeat(60)}@example.com`, null, /^x{50}$/],
])("a user unknown to the backend is created with %s", async (_case, email, displayName, name) => {
  await open(email, displayName);
  expect(names().at(-1)).toMatch(name);
});

test("a user unknown to the backend is not created if another user has the email", async () => {
  const identity = { ...identityFor("anna@example.com"), uid: "another", displayName: "Double" };
  await expect(openSession(identity, "token")).rejects.toThrow("Failed to sync user with backend");
});
