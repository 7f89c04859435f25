import { randomBytes } from "node:crypto";
import { createUser, login } from "@tapthru/proto/http/accounts";
import type { Call } from "@tapthru/proto/http/call";
import { createKey } from "@tapthru/proto/http/keys";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import * as z from "zod/mini";

/** The addresses of a running stack. */
export interface StackAddresses {
  baseUrl: string;
  emulatorHost: string;
}

const SignUpResponse = z.object({ localId: z.string(), idToken: z.string() });

/** Creates an account and logs it in. @returns its cookies, as in the header `Cookie` */
export async function createSession({ baseUrl, emulatorHost }: StackAddresses): Promise<string> {
  const username = randomBytes(8).toString("hex");
  const email = `${username}@example.com`;
  const signUp = await fetch(
    `http://${emulatorHost}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`,
    post({ email, password: randomBytes(12).toString("hex"), returnSecureToken: true }),
  );
  const { localId: firebaseUid, idToken } = SignUpResponse.parse(await signUp.json());
  const authorization = `Bearer ${idToken}`;
  await send(baseUrl, createUser, { firebaseUid, email, username }, { authorization });
  const { headers } = await send(baseUrl, login, { firebaseUid }, { authorization });
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Sends a request as a page of the site does. A file is sent as CSV. */
export type UserRequest = (
  method: string,
  path: string,
  body?: object | ArrayBuffer,
) => Promise<Response>;

/** Creates an account. @returns a function that sends requests of its user */
export async function signUp(stack: StackAddresses): Promise<UserRequest> {
  const cookie = await createSession(stack);
  return (method, path, body) => {
    const isFile = body instanceof ArrayBuffer;
    const type = isFile ? "text/csv" : "application/json";
    return fetch(stack.baseUrl + path, {
      method,
      headers: { cookie, origin: stack.baseUrl, "content-type": type },
      body: isFile || body === undefined ? (body ?? null) : JSON.stringify(body),
    });
  };
}

/** Creates an account and a key with all scopes. @returns the key */
export async function createApiKey(stack: StackAddresses): Promise<string> {
  const cookie = await createSession(stack);
  const input = { name: "Contract", scopes: API_KEY_SCOPES };
  const response = await send(stack.baseUrl, createKey, input, { cookie });
  return createKey.replies[201].parse(await response.json()).key;
}

async function send(
  baseUrl: string,
  { method, path }: Pick<Call, "method" | "path">,
  body: object,
  headers: Record<string, string>,
): Promise<Response> {
  const response = await fetch(baseUrl + path, {
    ...post(body, { ...headers, origin: baseUrl }),
    method,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

function post(body: object, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}
