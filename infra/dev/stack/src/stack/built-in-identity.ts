import type { Call } from "@tapthru/proto/call";
import { getIdentity, getToken, signInIdentity, signUpIdentity } from "@tapthru/proto/identity";

/** Who is logged in at the identity provider, and their token as the header `Authorization`. */
export interface IdentityLogin {
  firebaseUid: string;
  authorization: string;
}

interface NewIdentity {
  email: string;
  password: string;
  username: string;
  invitation?: string | undefined;
}

/** Creates an identity at the built-in provider of a running stack. */
export async function signUpAtProvider(
  baseUrl: string,
  { username, ...identity }: NewIdentity,
): Promise<IdentityLogin> {
  const body = { displayName: username, ...identity };
  return loginOf(baseUrl, await send(baseUrl, signUpIdentity, { body }));
}

/** @returns null if the email address or the password is wrong */
export async function signInAtProvider(
  baseUrl: string,
  { email, password }: Pick<NewIdentity, "email" | "password">,
): Promise<IdentityLogin | null> {
  const response = await fetchCall(baseUrl, signInIdentity, { body: { email, password } });
  return response.status === 401 ? null : loginOf(baseUrl, await requireOk(response));
}

async function loginOf(baseUrl: string, response: Response): Promise<IdentityLogin> {
  const headers = { cookie: cookiesOf(response) };
  const found = await (await send(baseUrl, getIdentity, { headers })).json();
  const { identity } = getIdentity.replies[200].parse(found);
  if (identity === null) throw new Error("No user is logged in.");
  const issued = await (await send(baseUrl, getToken, { headers })).json();
  const { token } = getToken.replies[200].parse(issued);
  return { firebaseUid: identity.uid, authorization: `Bearer ${token}` };
}

interface RequestParts {
  body?: object;
  headers?: Record<string, string>;
}

/** Sends a call as a page of the site does. @throws Error with the response if it is not successful */
export async function send(
  baseUrl: string,
  call: Pick<Call, "method" | "path">,
  parts: RequestParts,
): Promise<Response> {
  return requireOk(await fetchCall(baseUrl, call, parts));
}

function fetchCall(
  baseUrl: string,
  { method, path }: Pick<Call, "method" | "path">,
  { body, headers }: RequestParts,
): Promise<Response> {
  return fetch(baseUrl + path, {
    method,
    headers: { origin: baseUrl, "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
}

/** The cookies of a response, as in the header `Cookie`. */
export function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
