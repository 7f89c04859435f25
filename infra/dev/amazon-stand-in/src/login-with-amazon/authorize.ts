import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import type { StandInResponse } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import { consentPage } from "./consent-page.ts";
import type { Grants } from "./grants.ts";

/** The consent page, and the redirect back to the client. */
export function authorize(
  grants: Grants,
  region: AdsRegion,
  query: URLSearchParams,
): StandInResponse {
  const redirectUri = query.get("redirect_uri") ?? "";
  if (query.get("client_id") !== ADS_CLIENT.id || !isAllowedReturnUrl(redirectUri)) {
    return { status: 400, contentType: "text/plain", body: "Unknown client or return URL" };
  }
  const redirectBack = (parameters: Record<string, string>): StandInResponse => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const state = query.get("state");
    if (state !== null) url.searchParams.set("state", state);
    return { status: 302, location: url.href };
  };
  if (query.get("response_type") !== "code")
    return redirectBack({ error: "unsupported_response_type" });
  const codeChallenge = query.get("code_challenge") ?? "";
  if (codeChallenge === "" || query.get("code_challenge_method") !== "S256") {
    return redirectBack({ error: "invalid_request" });
  }
  if (!scopesOf(query).includes("advertising::campaign_management")) {
    return redirectBack({ error: "invalid_scope" });
  }
  switch (query.get("consent")) {
    case "allow": {
      const accountId = query.get("account") ?? "";
      const code = grants.issueCode({ accountId, region, redirectUri, codeChallenge });
      if (code === null) return redirectBack({ error: "server_error" });
      return redirectBack({ code, scope: query.get("scope") ?? "" });
    }
    case "cancel":
      return redirectBack({ error: "access_denied", error_description: "The user denied access" });
    default:
      return { status: 200, body: consentPage(query) };
  }
}

function scopesOf(query: URLSearchParams): string[] {
  return (query.get("scope") ?? "").split(" ");
}

/** Amazon accepts return URLs with https, and with http on localhost. */
function isAllowedReturnUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && url.hostname === "localhost");
}
