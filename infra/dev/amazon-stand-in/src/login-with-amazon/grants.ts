import { createHash, randomBytes } from "node:crypto";
import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { AMAZON_ACCOUNTS, type AmazonAccount } from "./accounts.ts";

const CODE_LIFETIME_MS = 5 * 60 * 1_000;

export interface Grant {
  account: AmazonAccount;
  region: AdsRegion;
}

interface GrantRequest {
  accountId: string;
  region: AdsRegion;
  redirectUri: string;
  codeChallenge: string;
}

interface IssuedCode extends Grant, GrantRequest {
  issuedAt: number;
}

/** Issued codes and tokens. */
export function createGrants(now: () => number) {
  const codes = new Map<string, IssuedCode>();
  const refreshTokens = new Map<string, Grant>();
  const accessTokens = new Map<string, Grant>();

  function issueTokens({ account, region }: Grant) {
    const grant = { account, region };
    const accessToken = `Atza|${random()}`;
    const refreshToken = `Atzr|${random()}`;
    accessTokens.set(accessToken, grant);
    refreshTokens.set(refreshToken, grant);
    return { accessToken, refreshToken };
  }

  return {
    issueTokens,
    issueCode(request: GrantRequest): string | null {
      const account = AMAZON_ACCOUNTS[request.accountId];
      if (account === undefined) return null;
      const age = account.fault === "the code has expired" ? CODE_LIFETIME_MS : 0;
      const code = `AN${random()}`;
      codes.set(code, { ...request, account, issuedAt: now() - age });
      return code;
    },
    /** The grant of a code, if the other parameters match. The code becomes invalid in either case. */
    redeemCode(
      code: string,
      parameters: { region: AdsRegion; redirectUri: string; codeVerifier: string },
    ): Grant | null {
      const issued = codes.get(code);
      codes.delete(code);
      const isValid =
        issued !== undefined &&
        now() - issued.issuedAt < CODE_LIFETIME_MS &&
        issued.region === parameters.region &&
        issued.redirectUri === parameters.redirectUri &&
        issued.codeChallenge === challengeOf(parameters.codeVerifier);
      return isValid ? issued : null;
    },
    findByRefreshToken: (token: string): Grant | null => refreshTokens.get(token) ?? null,
    findByAccessToken: (token: string): Grant | null => accessTokens.get(token) ?? null,
  };
}

export type Grants = ReturnType<typeof createGrants>;

/** RFC 7636, method S256. */
function challengeOf(codeVerifier: string): string {
  return createHash("sha256").update(codeVerifier).digest("base64url");
}

function random(): string {
  return randomBytes(16).toString("base64url");
}
