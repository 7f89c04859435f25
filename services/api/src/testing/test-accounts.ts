import { randomBytes } from "node:crypto";
import { signInIdentity, signUpIdentity } from "@tapthru/proto/identity";
import * as z from "zod/mini";
import { type BrowserHeaders, newBrowser, withCookies, withLogin } from "./browser-headers.ts";
import type { TestApi } from "./test-api.ts";

export interface ProviderAccount {
  uid: string;
  email: string;
  /** The token of a login, as Firebase issues them. Those of the built-in provider only `startTestApi` accepts. */
  token: string;
}

export interface TestAccount extends ProviderAccount {
  login: BrowserHeaders;
}

export type ApiClient = Pick<TestApi, "post" | "request" | "publicBaseUrl">;

export const PASSWORD = "correct horse";

export const newEmail = () => `${randomBytes(6).toString("hex")}@example.com`;

export async function signUp(api: ApiClient, address = newEmail()): Promise<TestAccount> {
  const displayName = `person ${randomBytes(6).toString("hex")}`;
  const body = { displayName, email: address, password: PASSWORD };
  const { login, reply } = await send(api, signUpIdentity.path, body);
  const { uid, email } = signUpIdentity.replies[200].parse(reply).identity;
  return { uid, email, token: tokenOf(login), login };
}

/** An identity without a user, as after an interrupted sign-up. */
export async function createAccount(api: ApiClient & Pick<TestApi, "query">, email = newEmail()): Promise<TestAccount> {
  const account = await signUp(api, email);
  await api.query(`DELETE FROM users WHERE firebase_uid = '${account.uid}'`);
  return { ...account, login: withLogin(newBrowser(api), account.login) };
}

export async function signIn(
  api: ApiClient,
  account: Pick<TestAccount, "email">,
  password = PASSWORD,
): Promise<TestAccount> {
  const { login, reply } = await send(api, signInIdentity.path, { email: account.email, password });
  const opened = signInIdentity.replies[200].parse(reply).login;
  if (opened === null) throw new Error("The login needs a code");
  const { uid, email } = opened.identity;
  return { uid, email, token: tokenOf(login), login };
}

async function send(api: ApiClient, path: string, body: object) {
  const browser = newBrowser(api);
  const response = await api.post(path, body, browser);
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return { login: withCookies(browser, response), reply: await response.json() };
}

/** The account that is logged in at the provider in a browser; null: none. */
export async function accountOf({ query }: Pick<TestApi, "query">, login: BrowserHeaders) {
  const [row] = await query(`
    SELECT owner.id AS uid, address AS email, name, "emailVerified" AND email = address AS "isEmailVerified"
    FROM identity.session JOIN identity."user" AS owner ON owner.id = "userId" WHERE token = '${tokenOf(login)}'
  `);
  const Row = z.object({ uid: z.string(), email: z.string(), name: z.string(), isEmailVerified: z.boolean() });
  return row === undefined ? null : { ...Row.parse(row), token: tokenOf(login), login };
}

function tokenOf({ cookie }: BrowserHeaders): string {
  return /login\.session_token=([^.;]*)/.exec(cookie)?.[1] ?? "";
}

type Provider = Pick<TestApi, "query" | "context">;
type Uid = Pick<TestAccount, "uid">;

export async function verifyEmail(api: Provider, { uid }: Uid): Promise<void> {
  await api.query(`UPDATE identity."user" SET "emailVerified" = true WHERE id = '${uid}'`);
}

export async function confirmEmail({ query }: Pick<TestApi, "query">, { uid }: Uid): Promise<void> {
  await query(`
    UPDATE identity."user" SET "emailVerified" = true WHERE id = '${uid}';
    UPDATE users SET email_is_verified = true WHERE firebase_uid = '${uid}'
  `);
}

export async function changeEmail(api: Provider, account: Uid, newEmail: string): Promise<void> {
  await setUnverifiedEmail(api, account, newEmail);
  await verifyEmail(api, account);
}

export async function setUnverifiedEmail(api: Provider, { uid }: Uid, email: string) {
  await api.query(`
    UPDATE identity."user" SET email = '${email}', address = '${email}', "emailVerified" = false
    WHERE id = '${uid}'
  `);
}

export async function deleteAccount({ context }: Provider, { uid }: Uid): Promise<void> {
  await context.identity.remove(uid);
}

export async function revokeTokens({ context, query }: Provider, { uid }: Uid): Promise<void> {
  await context.identity.revoke(uid);
  await query(`
    UPDATE identity."user" SET logins_valid_from = now() + interval '1 second' WHERE id = '${uid}'
  `);
}

export async function accountExists({ query }: Pick<TestApi, "query">, { uid }: Uid) {
  return (await query(`SELECT FROM identity."user" WHERE id = '${uid}'`)).length > 0;
}
