import { createHash, randomBytes } from "node:crypto";
import { jsonResponse, type StandInResponse } from "../response.ts";
import { type AccountId, isAccountId } from "./accounts.ts";
import { ADS_CLIENT } from "./client.ts";

interface IssuedCode {
  accountId: AccountId;
  redirectUri: string;
  codeChallenge: string;
}

export type Grants = ReturnType<typeof createGrants>;

/** Issued codes and tokens, and the endpoint that exchanges them. */
export function createGrants() {
  const codes = new Map<string, IssuedCode>();
  const accessTokens = new Map<string, AccountId>();

  /** A code is valid once, with the parameters for which it was issued. */
  function redeemCode(form: URLSearchParams): IssuedCode | null {
    const code = form.get("code") ?? "";
    const issued = codes.get(code);
    codes.delete(code);
    // RFC 7636, method S256.
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "");
    if (issued?.redirectUri !== form.get("redirect_uri")) return null;
    return issued.codeChallenge === challenge.digest("base64url") ? issued : null;
  }

  function tokens(accountId: AccountId): StandInResponse {
    const accessToken = `Atza|${random()}`;
    accessTokens.set(accessToken, accountId);
    return jsonResponse(200, {
      access_token: accessToken,
      // It is valid also after a restart.
      refresh_token: `Atzr|${accountId}.${random()}`,
      token_type: "bearer",
      expires_in: 3_600,
    });
  }

  return {
    issueCode(issued: IssuedCode): string {
      const code = `AN${random()}`;
      codes.set(code, issued);
      return code;
    },
    findByAccessToken: (token: string): AccountId | null => accessTokens.get(token) ?? null,
    tokenResponse(form: URLSearchParams): StandInResponse {
      if (form.get("client_id") !== ADS_CLIENT.id || form.get("client_secret") !== ADS_CLIENT.secret) {
        return errorResponse(401, "invalid_client", "Client authentication failed");
      }
      if (form.get("grant_type") === "refresh_token") {
        const accountId = /^Atzr\|([a-z-]+)\./.exec(form.get("refresh_token") ?? "")?.[1] ?? "";
        return isAccountId(accountId) && accountId !== "consent-revoked" ? tokens(accountId) : INVALID_GRANT;
      }
      const grant = redeemCode(form);
      if (grant === null) return INVALID_GRANT;
      return FAULTY_RESPONSES[grant.accountId] ?? tokens(grant.accountId);
    },
  };
}

const INVALID_GRANT = errorResponse(400, "invalid_grant", "The request has an invalid grant parameter : code");

const FAULTY_RESPONSES: Partial<Record<AccountId, StandInResponse>> = {
  "token-hangs": { fault: "hangs" },
  "token-is-a-page": { status: 200, body: "<title>Amazon.com</title>Atza|on-a-page" },
  "token-refused": INVALID_GRANT,
};

function errorResponse(status: number, error: string, description: string): StandInResponse {
  return jsonResponse(status, { error, error_description: description });
}

function random(): string {
  return randomBytes(16).toString("base64url");
}
