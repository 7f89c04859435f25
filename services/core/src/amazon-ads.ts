import * as z from "zod/mini";
import { parseJson } from "./platform/parse-json.ts";
import { SafeFetchError } from "./platform/safe-fetch/errors.ts";
import type { SafeFetch, SafeFetchRequest, SafeFetchResponse } from "./platform/safe-fetch/safe-fetch.ts";
import { createSealer } from "./platform/sealer.ts";

/** Without its body, a form. */
export const TOKEN_REQUEST = {
  url: "https://api.amazon.com/auth/o2/token",
  purpose: "login-with-amazon",
  method: "POST",
  headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
} as const;

/** Encrypts refresh tokens, each for its user. @param keys ENCRYPTION_KEYS, newest first */
export function createTokenSealer(keys: readonly string[]) {
  const sealer = createSealer(keys);
  const ownerOf = (userId: number) => `amazon ads refresh token of user ${userId}`;
  return {
    seal: (refreshToken: string, userId: number) => sealer.seal(refreshToken, ownerOf(userId)),
    /** @throws SealError */
    open: (sealed: string, userId: number) => sealer.open(sealed, ownerOf(userId)),
  };
}

/** A request to Amazon failed. The message contains no request or response data. */
export class AmazonError extends Error {
  override readonly name = "AmazonError";
  readonly response: Refusal | null;

  constructor(message: string, { response = null, ...options }: ErrorOptions & { response?: Refusal | null } = {}) {
    super(message, options);
    this.response = response;
  }
}

/** `reason`: an OAuth error code. */
type Refusal = Pick<SafeFetchResponse, "status" | "retryAfter"> & { reason: string | null };

const OAuthError = z.string().check(z.maxLength(40), z.regex(/^[a-z_]{1,40}$/));

/** Returns the text if it has the form of an OAuth error code and is therefore safe to log. */
export function oauthError(text: unknown): string | null {
  return z.safeParse(OAuthError, text).data ?? null;
}

/** @throws AmazonError for any response but a 200 with JSON that matches the schema */
export async function requestAmazon<Schema extends z.ZodMiniType>(
  safeFetch: SafeFetch,
  schema: Schema,
  request: Omit<SafeFetchRequest, "withBody">,
): Promise<z.output<Schema>> {
  const { host } = new URL(request.url);
  const { status, body, retryAfter } = await safeFetch({ ...request, withBody: true }).catch((cause) => {
    if (!(cause instanceof SafeFetchError)) throw cause;
    throw new AmazonError(`${host} did not respond`, { cause });
  });
  const json = parseJson(body.bytes.toString());
  if (status !== 200) {
    const reason = z.safeParse(z.object({ error: OAuthError }), json).data?.error ?? null;
    const message = `${host} responded ${status}${reason === null ? "" : ` (${reason})`}`;
    throw new AmazonError(message, { response: { status, retryAfter, reason } });
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new AmazonError(`${host} sent an invalid response`);
  return parsed.data;
}
