import { randomBytes } from "node:crypto";
import { withClient } from "@tapthru/postgres/with-client";
import { createKey } from "@tapthru/proto/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import { cookiesOf, send, signUpAtProvider } from "../stack/built-in-identity.ts";

/** Creates an account and logs it in. @returns the session's cookies, as in the header `Cookie` */
export async function createSession(baseUrl: string, invitation?: string): Promise<string> {
  const username = randomBytes(8).toString("hex");
  const email = `${username}@example.com`;
  const password = randomBytes(12).toString("hex");
  return cookiesOf(await signUpAtProvider(baseUrl, { email, password, username, invitation }));
}

/** Sends a request as a page of the site does. A file is sent as CSV. */
export type UserRequest = (method: string, path: string, body?: object | ArrayBuffer) => Promise<Response>;

/** Creates an account. @returns a function that sends requests of its user */
export async function signUp(baseUrl: string): Promise<UserRequest> {
  const cookie = await createSession(baseUrl);
  return (method, path, body) => {
    const isFile = body instanceof ArrayBuffer;
    const type = isFile ? "text/csv" : "application/json";
    return fetch(baseUrl + path, {
      method,
      headers: { cookie, origin: baseUrl, "content-type": type },
      body: isFile || body === undefined ? (body ?? null) : JSON.stringify(body),
    });
  };
}

/**
 * Creates an account and a key with all scopes that members can give.
 * @param databaseUrl of a role that may confirm the address of the account
 * @returns the key
 */
export async function createApiKey(baseUrl: string, databaseUrl: string): Promise<string> {
  const cookie = await createSession(baseUrl);
  await withClient(databaseUrl, (client) => client.query(`UPDATE identity."user" SET "emailVerified" = true`));
  const scopes = API_KEY_SCOPES.filter((scope) => scope !== "operator");
  const body = { name: "Contract", scopes };
  const response = await send(baseUrl, createKey, { headers: { cookie }, body });
  return createKey.replies[201].parse(await response.json()).key;
}
