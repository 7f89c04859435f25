import { User } from "@tapthru/proto/accounts";
import { getSession } from "@tapthru/proto/sessions";
import { type BrowserHeaders, newBrowser, withCookies } from "./browser-headers.ts";
import { type ApiClient, confirmEmail, type ProviderAccount, signUp, type TestAccount } from "./test-accounts.ts";
import type { TestApi } from "./test-api.ts";
import { clientOf, type TestClient } from "./test-client.ts";

export { type BrowserHeaders, newBrowser, withCookies };

export interface TestUser extends TestAccount, TestClient {
  user: User;
  /** A browser in which the user is logged in. */
  browser: BrowserHeaders;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Creates an account and its user, and logs in. The address is confirmed, unless the api runs as a process. */
export async function signUpUser(api: ApiClient & Partial<Pick<TestApi, "query">>, email?: string): Promise<TestUser> {
  const account = await signUp(api, email);
  if (api.query !== undefined) await confirmEmail({ query: api.query }, account);
  const { login } = getSession.replies[200].parse(
    await (await api.request("GET", getSession.path, account.login)).json(),
  );
  if (login === null) throw new Error("No user is logged in");
  return { ...account, ...clientOf(api, account.login), user: login.user, browser: account.login };
}

export async function createBackendUser(api: ApiClient, account: ProviderAccount): Promise<User> {
  const { uid: firebaseUid, email } = account;
  const body = { firebaseUid, email, username: `user ${firebaseUid}` };
  const response = await api.post("/api/users", body, bearer(account.token));
  if (!response.ok) throw new Error(`Failed to create a user: ${await response.text()}`);
  return User.parse(await response.json());
}

/** Logs in from a browser, by default a new one. @returns the browser with the session cookie */
export async function logIn(
  api: ApiClient,
  { uid, token }: Pick<TestAccount, "uid" | "token">,
  browser: BrowserHeaders = newBrowser(api),
): Promise<BrowserHeaders> {
  const response = await postLogin(api, { uid, token }, browser);
  if (response.status !== 200) throw new Error(`Login failed: ${await response.text()}`);
  return withCookies(browser, response);
}

export function postLogin(
  api: ApiClient,
  { uid, token }: Pick<TestAccount, "uid" | "token">,
  browser: Record<string, string> = {},
): Promise<Response> {
  return api.post("/api/login", { firebaseUid: uid }, { ...browser, ...bearer(token) });
}
