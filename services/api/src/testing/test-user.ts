import { User } from "@tapthru/proto/http/accounts";
import { createAccount, type TestAccount } from "./test-accounts.ts";
import type { TestApi } from "./test-api.ts";

/** Headers as the site's own pages send them. */
export interface Browser extends Record<string, string> {
  cookie: string;
  origin: string;
}

export interface TestUser extends TestAccount {
  user: User;
  /** In which the user is logged in. */
  browser: Browser;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A user whose account is new at the emulator, logged in. */
export async function signUpUser(api: TestApi): Promise<TestUser> {
  const account = await createAccount();
  const user = await createBackendUser(api, account);
  return { ...account, user, browser: await logIn(api, account) };
}

export async function createBackendUser(api: TestApi, account: TestAccount): Promise<User> {
  const { uid: firebaseUid, email } = account;
  const body = { firebaseUid, email, username: `user ${firebaseUid}` };
  const response = await api.post("/api/users", body, bearer(account.token));
  if (response.status !== 201) throw new Error(`No user was made: ${await response.text()}`);
  return User.parse(await response.json());
}

/** Logs in from a browser, a fresh one unless given, and gives it with the cookies it then has. */
export async function logIn(
  api: TestApi,
  { uid, token }: Pick<TestAccount, "uid" | "token">,
  browser: Browser = newBrowser(api),
): Promise<Browser> {
  const response = await postLogin(api, { uid, token }, browser);
  if (response.status !== 200) throw new Error(`No login: ${await response.text()}`);
  return withCookies(browser, response);
}

export function postLogin(
  api: TestApi,
  { uid, token }: Pick<TestAccount, "uid" | "token">,
  browser: Record<string, string> = {},
): Promise<Response> {
  return api.post("/api/login", { firebaseUid: uid }, { ...browser, ...bearer(token) });
}

export function newBrowser(api: TestApi): Browser {
  return { cookie: "", origin: api.publicBaseUrl };
}

/** The browser after an answer. */
export function withCookies(browser: Browser, response: Response): Browser {
  const jar = new Map(browser.cookie.split("; ").filter(Boolean).map(nameAndValue));
  for (const cookie of response.headers.getSetCookie()) {
    const [name, value] = nameAndValue(cookie.split(";")[0] ?? "");
    if (/expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...browser, cookie };
}

function nameAndValue(cookie: string): [string, string] {
  const [name = "", ...value] = cookie.split("=");
  return [name, value.join("=")];
}
