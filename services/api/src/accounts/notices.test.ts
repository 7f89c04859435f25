import { inviteMember } from "@tapthru/proto/members";
import { beforeEach, describe, expect, it } from "vitest";
import { newBrowser, withCookies } from "../testing/browser-headers.ts";
import { newEmail, PASSWORD, setUnverifiedEmail, verifyEmail } from "../testing/test-accounts.ts";
import { emailedToken, emailsTo, emailTo } from "../testing/test-emails.ts";
import { addKey } from "../testing/test-keys.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { totp } from "../testing/totp.ts";
import { startApi } from "../testing/world.ts";

let user: TestUser;
const api = await startApi({ SMTP_FROM: "hello@tapthru.example" });
beforeEach(async () => {
  user = await signUpUser(api);
});

const call = async (method: string, path: string, body: object, browser = user.login) => {
  const response = await api.request(method, `/api/auth/${path}`, browser, body);
  expect([path, response.status]).toEqual([path, 200]);
  return response;
};
const changePassword = () => call("PUT", "password", { currentPassword: PASSWORD, password: "battery staple" });

async function resetPassword() {
  await call("POST", "password-reset", { email: user.email });
  const token = await emailedToken(api, user.email, "reset-password");
  await call("PUT", "password-reset", { token, password: "battery staple" }, newBrowser(api));
}

async function turnOnTwoFactor() {
  const response = await call("POST", "two-factor", { password: PASSWORD });
  const { setupUrl } = (await response.json()) as { setupUrl: string };
  return withCookies(user.login, await call("POST", "code", { code: totp(setupUrl) }));
}

async function turnOffTwoFactor() {
  await call("DELETE", "two-factor", { password: PASSWORD }, await turnOnTwoFactor());
}

async function turnOffAsOperator() {
  const operator = await signUpUser(api);
  await makeOperator(api, operator);
  await api.request("DELETE", `/api/operator/users/${user.user.id}/two-factor`, operator.browser);
}

async function changeEmail() {
  const email = newEmail();
  await call("PUT", "email", { email });
  const token = await emailedToken(api, email, "change-email");
  await call("PUT", "email-confirmation", { token });
}

async function addsMember() {
  const invite = { name: "Ben", role: "editor" };
  const invited = await api.post("/api/members", invite, user.login);
  const { url } = inviteMember.replies[201].parse(await invited.json());
  await api.post("/api/memberships", { token: url.split("=")[1] }, (await signUpUser(api)).browser);
}

describe("a user with a confirmed address gets an email about", () => {
  it.each([
    ["a changed password", "password-changed", changePassword],
    ["a reset of the password", "password-changed", resetPassword],
    ["two-factor login that was turned on", "two-factor-enabled", turnOnTwoFactor],
    ["two-factor login that was turned off", "two-factor-disabled", turnOffTwoFactor],
    ["the same by an operator", "two-factor-disabled", turnOffAsOperator],
    ["a new API key", "key-created", () => addKey(api, user)],
    ["a new member", "member-joined", addsMember],
    ["another email address, at the earlier one", "email-changed", changeEmail],
  ] as const)("%s", async (_change, kind, change) => {
    await verifyEmail(api, user);
    await change();
    expect(await emailTo(api, user.email, kind)).toMatchObject({
      displayName: user.user.username,
      url: `${api.publicBaseUrl}/account/security`,
    });
  });
});

it("a user whose address is not confirmed gets none", async () => {
  await setUnverifiedEmail(api, user, user.email);
  const before = await emailsTo(api, user.email);
  await changePassword();
  expect(await emailsTo(api, user.email)).toEqual(before);
});
