import type { Login } from "@tapthru/proto/accounts";
import type { Call } from "@tapthru/proto/call";
import { signInIdentity, signUpIdentity } from "@tapthru/proto/identity";

interface NewAccount {
  email: string;
  password: string;
  username: string;
  invitation?: string | undefined;
}

/** Creates an account of a running stack. @returns the reply, whose cookies are those of its session */
export function signUpAtProvider(baseUrl: string, { username, ...account }: NewAccount): Promise<Response> {
  return send(baseUrl, signUpIdentity, { body: { displayName: username, ...account } });
}

/** @returns null if the email address or the password is wrong */
export async function signInAtProvider(
  baseUrl: string,
  { email, password }: Pick<NewAccount, "email" | "password">,
): Promise<Login | null> {
  const response = await fetchCall(baseUrl, signInIdentity, { body: { email, password } });
  if (response.status === 401) return null;
  return signInIdentity.replies[200].parse(await (await requireOk(response)).json()).login;
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
