import { User } from "@tapthru/proto/http/accounts";
import { createAccount, type TestAccount } from "./test-accounts.ts";
import type { TestApi } from "./test-api.ts";

/** Headers that a page of the site sends. */
export interface BrowserHeaders extends Record<string, string> {
  cookie: string;
  origin: string;
}

/** Also an api that runs as a process. */
type ApiClient = Pick<TestApi, "post" | "publicBaseUrl">;

export interface TestUser extends TestAccount {
  user: User;
  /** A browser in which the user is logged in. */
  browser: BrowserHeaders;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Creates an account at the emulator and its user, and logs in. */
export async function signUpUser(api: ApiClient): Promise<TestUser> {
  const account = await createAccount();
  const user = await createBackendUser(api, account);
  return { ...account, user, browser: await logIn(api, account) };
}

export async function createBackendUser(api: ApiClient, account: TestAccount): Promise<User> {
  const { uid: firebaseUid, email } = account;
  const body = { firebaseUid, email, username: `user ${firebaseUid}` };
  const response = await api.post("/api/users", body, bearer(account.token));
  if (response.status !== 201) throw new Error(`Failed to create a user: ${await response.text()}`);
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

export function newBrowser(api: ApiClient): BrowserHeaders {
  return { cookie: "", origin: api.publicBaseUrl };
}

/** @returns the browser with the cookies of the response */
export function withCookies(browser: BrowserHeaders, response: Response): BrowserHeaders {
  const jar = new Map(browser.cookie.split("; ").filter(Boolean).map(splitCookie));
  for (const cookie of response.headers.getSetCookie()) {
    const [name, value] = splitCookie(cookie.split(";")[0] ?? "");
    if (/expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...browser, cookie };
}

function splitCookie(cookie: string): [string, string] {
  const [name = "", ...value] = cookie.split("=");
  return [name, value.join("=")];
}
