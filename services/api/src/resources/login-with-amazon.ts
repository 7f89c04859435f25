import { hash, randomBytes } from "node:crypto";
import { createCipher } from "@tapthru/core/platform/cipher";
import type { Config } from "@tapthru/core/platform/config/configs";
import { parseJson } from "@tapthru/core/platform/parse-json";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import type { SafeFetch, SafeFetchRequest } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { finishAmazonAdsConnection } from "@tapthru/proto/amazon-ads";
import * as z from "zod/mini";

const LOGIN_LIFETIME_MS = 10 * 60_000;
const REQUESTS_DEADLINE_MS = 8_000;
/** The advertising scope alone gives no access to the user profile. */
const SCOPE = "profile advertising::campaign_management";

const text = z.nullish(z.string().check(z.maxLength(500)));
const token = z.string().check(z.minLength(1), z.maxLength(4_096));
const Tokens = z.object({ access_token: token, refresh_token: token });
const UserProfile = z.object({ name: text, email: text });

interface Dependencies {
  config: Config<"api">;
  redis: Pick<RequestRedis, "run">;
  safeFetch: SafeFetch;
}

/** Logs users in at Amazon. Its errors contain no request or response data. @returns null if Amazon Ads is not set up */
export function createLoginWithAmazon({ config, redis, safeFetch }: Dependencies) {
  const { AMAZON_ADS_CLIENT_ID: client_id, AMAZON_ADS_CLIENT_SECRET: client_secret, ENCRYPTION_KEYS: keys } = config;
  if (client_id === null || client_secret === null || keys === null) return null;
  const cipher = createCipher(keys);
  // It must be one of the Allowed Return URLs of the client.
  const redirect_uri = config.PUBLIC_BASE_URL + finishAmazonAdsConnection.path;

  return {
    /** @returns the address of Amazon's consent page */
    async start(sessionId: string, budget: RedisBudget): Promise<string> {
      const [state, codeVerifier] = [randomToken(), randomToken()];
      const key = loginKey(sessionId, state);
      await redis.run((client) => client.set(key, codeVerifier, "PX", LOGIN_LIFETIME_MS), budget);
      const code_challenge = hash("sha256", codeVerifier, "base64url");
      const query = { client_id, scope: SCOPE, response_type: "code", redirect_uri, state, code_challenge };
      return `https://www.amazon.com/ap/oa?${new URLSearchParams({ ...query, code_challenge_method: "S256" })}`;
    },

    /** The callback must be of a login that this session started, and be the first one of it. @returns null if the user did not consent */
    async finish(
      session: { id: string; userId: number },
      { state = "", code, error }: z.output<typeof finishAmazonAdsConnection.query>,
      budget: RedisBudget,
    ) {
      const key = loginKey(session.id, state);
      const code_verifier = await redis.run((client) => client.getdel(key), budget);
      if (code_verifier === null) throw new Error("The callback belongs to no pending login of this session");
      if (error === "access_denied") return null;
      if (code === undefined) throw new Error(`The callback from Amazon has no code${reasonOf(error)}`);
      const deadline = AbortSignal.timeout(REQUESTS_DEADLINE_MS);
      const form = { grant_type: "authorization_code", code, code_verifier, redirect_uri, client_id, client_secret };
      const { access_token, refresh_token } = await requestAmazon(safeFetch, Tokens, {
        url: "https://api.amazon.com/auth/o2/token",
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
        deadline,
      });
      const { name = null, email = null } = await requestAmazon(safeFetch, UserProfile, {
        url: "https://api.amazon.com/user/profile",
        headers: { accept: "application/json", authorization: `Bearer ${access_token}` },
        deadline,
      });
      const encryptedToken = cipher.encrypt(refresh_token, `amazon ads refresh token of user ${session.userId}`);
      return { encryptedToken, name, email };
    },
  };
}

const randomToken = () => randomBytes(32).toString("base64url");

/** The key of a pending login. Hashed, so that read access to Redis does not allow finishing it. */
const loginKey = (sessionId: string, state: string) =>
  `amazon-ads-login:${hash("sha256", `${sessionId} ${state}`, "base64url")}`;

async function requestAmazon<Schema extends z.ZodMiniType>(
  safeFetch: SafeFetch,
  schema: Schema,
  request: Omit<SafeFetchRequest, "purpose" | "withBody">,
): Promise<z.output<Schema>> {
  const { status, body } = await safeFetch({ ...request, purpose: "login-with-amazon", withBody: true });
  const json = parseJson(body.bytes.toString());
  if (status !== 200) {
    const { data } = z.safeParse(z.object({ error: z.string() }), json);
    throw new Error(`api.amazon.com responded ${status}${reasonOf(data?.error)}`);
  }
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new Error("api.amazon.com sent an invalid response");
  return parsed.data;
}

/** Only a text with the form of an OAuth error code is safe to log. */
const reasonOf = (error: string | undefined) =>
  error !== undefined && /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : "";
