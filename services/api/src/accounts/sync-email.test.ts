import { randomBytes } from "node:crypto";
import { User } from "@tapthru/proto/accounts";
import { beforeEach, describe, expect, it } from "vitest";
import { changeEmail, createAccount, setUnverifiedEmail, signIn } from "../testing/test-accounts.ts";
import { createBackendUser, postLogin, signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let user: TestUser;
let newEmail: string;
const api = await startApi({ LOG_LEVEL: "warn" });
beforeEach(async () => {
  await api.empty();
  user = await signUpUser(api);
  newEmail = `${randomBytes(6).toString("hex")}@example.com`;
});

/** Logs in with the address at the provider. @returns the email address in the response */
async function logInAs(email: string, browser?: Record<string, string>): Promise<string> {
  const response = await postLogin(api, await signIn(api, { email }), browser);
  return User.parse(await response.json()).email;
}

describe("the stored email address after a change at the provider", () => {
  it("is the new one from the next login on", async () => {
    await changeEmail(api, user, newEmail);
    expect(await logInAs(newEmail)).toBe(newEmail);
    const stored = await api.query("SELECT email FROM users");
    expect(stored).toEqual([{ email: newEmail }]);
  });

  it("is the new one when a live session is confirmed", async () => {
    await changeEmail(api, user, newEmail);
    expect(await logInAs(newEmail, user.browser)).toBe(newEmail);
  });

  it("remains if the new one is not verified", async () => {
    await setUnverifiedEmail(api, user, newEmail);
    expect(await logInAs(newEmail)).toBe(user.email);
  });

  it("remains while another user has the new one, and the login succeeds", async () => {
    const other = await createAccount(api);
    await createBackendUser(api, other);
    await api.query(`UPDATE users SET email = '${newEmail}', email_is_verified = true
      WHERE firebase_uid = '${other.uid}'`);
    await changeEmail(api, user, newEmail);
    expect(await logInAs(newEmail)).toBe(user.email);
    expect(api.lines.map(({ event }) => event)).toContain("email_not_updated");
    await api.query(`DELETE FROM users WHERE firebase_uid = '${other.uid}'`);
    expect(await logInAs(newEmail)).toBe(newEmail);
  });
});
