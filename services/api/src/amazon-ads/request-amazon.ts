import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { SafeFetchError } from "@tapthru/runtime/safe-fetch/errors";
import type { SafeFetch, SafeFetchRequest } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { parseJson } from "@tapthru/runtime/unreadable";
import * as z from "zod/mini";

interface RegionAddresses {
  /** The page where users log in and consent. */
  authorize: string;
  token: string;
  /** Profile of the logged-in user. */
  userProfile: string;
  adsProfiles: string;
}

/** Amazon's endpoints by advertising region. */
export const REGIONS: Record<AdsRegion, RegionAddresses> = {
  na: {
    authorize: "https://www.amazon.com/ap/oa",
    token: "https://api.amazon.com/auth/o2/token",
    userProfile: "https://api.amazon.com/user/profile",
    adsProfiles: "https://advertising-api.amazon.com/v2/profiles",
  },
  eu: {
    authorize: "https://eu.account.amazon.com/ap/oa",
    token: "https://api.amazon.co.uk/auth/o2/token",
    userProfile: "https://api.amazon.co.uk/user/profile",
    adsProfiles: "https://advertising-api-eu.amazon.com/v2/profiles",
  },
  fe: {
    authorize: "https://apac.account.amazon.com/ap/oa",
    token: "https://api.amazon.co.jp/auth/o2/token",
    userProfile: "https://api.amazon.co.jp/user/profile",
    adsProfiles: "https://advertising-api-fe.amazon.com/v2/profiles",
  },
};

/** A request to Amazon failed. The message contains no request or response data. */
export class AmazonError extends Error {
  override readonly name = "AmazonError";
  /** The user's consent is no longer valid. Only a new login can restore it. */
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

/** Returns the text if it has the form of an OAuth error code and is therefore safe to log. */
export function oauthError(text: unknown): string | null {
  return z.safeParse(OAuthError, text).data ?? null;
}

/**
 * Sends a request to Login with Amazon or the Ads API and parses the JSON of a 200 response.
 * @throws AmazonError for any other response and for JSON that does not match the schema
 */
export async function requestAmazon<Schema extends z.ZodMiniType>(
  safeFetch: SafeFetch,
  { schema, ...request }: Omit<SafeFetchRequest, "purpose" | "withBody"> & { schema: Schema },
): Promise<z.output<Schema>> {
  const { status, text } = await send(safeFetch, request);
  const json = parseJson(quoteProfileIds(text));
  const { host } = new URL(request.url);
  if (status !== 200) {
    const error = z.safeParse(Refusal, json).data?.error;
    throw new AmazonError(`${host} responded ${status}${error ? ` (${error})` : ""}`, {
      isFinal: error === "invalid_grant",
    });
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new AmazonError(`${host} sent an invalid response`);
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
    throw new AmazonError(`${new URL(request.url).host} did not respond`, { cause });
  }
}

/** Profile ids exceed the range of a number, so they are parsed as strings. */
function quoteProfileIds(json: string): string {
  return json.replace(/("profileId"\s*:\s*)(\d+)/g, '$1"$2"');
}
