import { SafeFetchError } from "@tapthru/runtime/safe-fetch/errors";
import type { SafeFetch, SafeFetchRequest } from "@tapthru/runtime/safe-fetch/safe-fetch";
import * as z from "zod/mini";

/** Amazon did not do what it was asked; the message holds nothing that was sent or answered. */
export class AmazonFailure extends Error {
  override readonly name = "AmazonFailure";
  /** The user's consent no longer holds, or never did: only a new login helps. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    { isFinal = false, cause }: { isFinal?: boolean; cause?: Error } = {},
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

const OAuthError = z.string().check(z.regex(/^[a-z_]{1,40}$/));
const Refusal = z.object({ error: OAuthError });

/** What may be one of OAuth's names of errors, which go into the log. */
export function oauthError(text: unknown): string | null {
  return z.safeParse(OAuthError, text).data ?? null;
}

/**
 * Asks Login with Amazon or the Ads API, and reads the JSON of a 200.
 * @throws AmazonFailure where there is none, or it is not as the schema says
 */
export async function requestAmazon<Schema extends z.ZodMiniType>(
  safeFetch: SafeFetch,
  { schema, ...request }: Omit<SafeFetchRequest, "purpose" | "withBody"> & { schema: Schema },
): Promise<z.output<Schema>> {
  const { status, text } = await send(safeFetch, request);
  const json = parseJson(text);
  const { host } = new URL(request.url);
  if (status !== 200) {
    const error = z.safeParse(Refusal, json).data?.error;
    throw new AmazonFailure(`${host} answered ${status}${error ? ` (${error})` : ""}`, {
      isFinal: error === "invalid_grant",
    });
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new AmazonFailure(`${host} answered what cannot be read`);
  return parsed.data;
}

async function send(safeFetch: SafeFetch, request: Omit<SafeFetchRequest, "purpose">) {
  try {
    const { status, body } = await safeFetch({
      ...request,
      purpose: "login-with-amazon",
      withBody: true,
    });
    return { status, text: body.bytes.toString() };
  } catch (cause) {
    if (!(cause instanceof SafeFetchError)) throw cause;
    throw new AmazonFailure(`${new URL(request.url).host} gave no answer`, { cause });
  }
}

/** Undefined where it is none. Ids of profiles are more than a number holds: they become texts. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/("profileId"\s*:\s*)(\d+)/g, '$1"$2"'));
  } catch {
    return undefined;
  }
}
