import { User } from "@tapthru/proto/accounts";
import { getSession } from "@tapthru/proto/sessions";
import { type BrowserHeaders, newBrowser, withCookies, withLogin } from "./browser-headers.ts";
import { type ApiClient, confirmEmail, type ProviderAccount, signUp, type TestAccount } from "./test-accounts.ts";
import type { TestApi } from "./test-api.ts";
import { clientOf, type TestClient } from "./test-client.ts";

export { type BrowserHeaders, newBrowser, withCookies };

export interface TestUser extends TestAccount, TestClient {
  user: User;
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

type LoggedIn = Pick<TestAccount, "token"> & Partial<Pick<TestAccount, "login">>;

const withProof = ({ login, token }: LoggedIn, browser: Record<string, string>) =>
  login === undefined ? { ...browser, ...bearer(token) } : withLogin(browser, login);

export async function createBackendUser(api: ApiClient, account: LoggedIn & ProviderAccount): Promise<User> {
  const response = await postUser(api, account);
  if (!response.ok) throw new Error(`Failed to create a user: ${await response.text()}`);
  return User.parse(await response.json());
}

/** @param changes of the body */
export function postUser(
  api: ApiClient,
  account: LoggedIn & ProviderAccount,
  changes: object = {},
  browser: Record<string, string> = newBrowser(api),
): Promise<Response> {
  const { uid: firebaseUid, email } = account;
  const body = { firebaseUid, email, username: `user ${firebaseUid}`, ...changes };
  return api.post("/api/users", body, withProof(account, browser));
}

/** Opens a session in a browser, by default a new one. @returns the browser with the session cookie alone */
export async function logIn(
  api: ApiClient,
  account: LoggedIn & Pick<TestAccount, "uid">,
  browser: BrowserHeaders = newBrowser(api),
): Promise<BrowserHeaders> {
  const response = await postLogin(api, account, browser);
  if (response.status !== 200) throw new Error(`Login failed: ${await response.text()}`);
  return withCookies(browser, response);
}

export function postLogin(
  api: ApiClient,
  account: LoggedIn & Pick<TestAccount, "uid">,
  browser: Record<string, string> = newBrowser(api),
): Promise<Response> {
  return api.post("/api/login", { firebaseUid: account.uid }, withProof(account, browser));
}
