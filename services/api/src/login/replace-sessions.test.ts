import { ERRORS } from "@tapthru/proto/errors";
import { beforeEach, describe, expect, it } from "vitest";
import { signIn } from "../testing/test-accounts.ts";
import { addKey } from "../testing/test-keys.ts";
import {
  type BrowserHeaders,
  bearer,
  logIn,
  postLogin,
  signUpUser,
  type TestUser,
  withCookies,
} from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let user: TestUser;
let otherBrowser: BrowserHeaders;
const api = await startApi();
beforeEach(async () => {
  await api.empty();
  user = await signUpUser(api);
  otherBrowser = await logIn(api, user);
});

const replace = (headers: Record<string, string>, query = "") => api.request("POST", `/api/sessions${query}`, headers);
const status = async (browser: BrowserHeaders) => (await api.request("GET", "/api/links", browser)).status;

/** Ends the logins at the provider, as a change of the password there does. @returns a token of a login since then */
async function changedPasswordToken(): Promise<string> {
  await api.context.identity.revoke(user.uid);
  return (await signIn(api, user)).token;
}

describe("POST /api/sessions after a change of the password", () => {
  it("gives this browser a new session and ends those of the others", async () => {
    const token = await changedPasswordToken();
    const response = await replace({ ...user.browser, ...bearer(token) });
    expect([response.status, await response.json()]).toEqual([200, { ended: 2 }]);
    const browser = withCookies(user.browser, response);
    expect(browser.cookie).not.toBe(user.browser.cookie);
    expect(await status(browser)).toBe(200);
    expect([await status(user.browser), await status(otherBrowser)]).toEqual([401, 401]);
    expect((await postLogin(api, user, otherBrowser)).status).toBe(401);
  });

  it("refuses a token from before the change, and keeps the session", async () => {
    await changedPasswordToken();
    const response = await replace({ ...user.browser, ...bearer(user.token) });
    expect([response.status, await response.text()]).toEqual([401, ERRORS["bad-token"].message]);
    expect([await status(user.browser), await status(otherBrowser)]).toEqual([200, 200]);
  });
});

it.each([
  ["a logout everywhere", () => api.request("DELETE", "/api/sessions?revokesKeys=true", user.browser)],
  [
    "a change of the password",
    async () => replace({ ...user.browser, ...bearer(await changedPasswordToken()) }, "?revokesKeys=true"),
  ],
])("%s revokes all API keys if the user wants", async (_what, end) => {
  const { script } = await addKey(api, user);
  expect((await end()).status).toBe(200);
  expect((await api.request("GET", "/api/links", script)).status).toBe(401);
  const changes = await api.query("SELECT action FROM audit_log WHERE action ^@ 'key.' ORDER BY id");
  expect(changes.at(-1)).toEqual({ action: "key.deleted" });
});
