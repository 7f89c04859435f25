import type { AdsRegion } from "@tapthru/proto/rules/ads-regions";
import type { StandInResponse } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import { consentPage } from "./consent-page.ts";
import type { Grants } from "./grants.ts";

/** The page on which people consent, and what follows from it. */
export function authorize(
  grants: Grants,
  region: AdsRegion,
  asked: URLSearchParams,
): StandInResponse {
  const redirectUri = asked.get("redirect_uri") ?? "";
  if (asked.get("client_id") !== ADS_CLIENT.id || !isAllowedReturnUrl(redirectUri)) {
    return { status: 400, contentType: "text/plain", body: "Unknown client or return URL" };
  }
  const back = (answer: Record<string, string>): StandInResponse => {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    const state = asked.get("state");
    if (state !== null) url.searchParams.set("state", state);
    return { status: 302, location: url.href };
  };
  if (asked.get("response_type") !== "code") return back({ error: "unsupported_response_type" });
  const codeChallenge = asked.get("code_challenge") ?? "";
  if (codeChallenge === "" || asked.get("code_challenge_method") !== "S256") {
    return back({ error: "invalid_request" });
  }
  if (!scopesOf(asked).includes("advertising::campaign_management")) {
    return back({ error: "invalid_scope" });
  }
  switch (asked.get("consent")) {
    case "allow": {
      const accountId = asked.get("account") ?? "";
      const code = grants.issueCode({ accountId, region, redirectUri, codeChallenge });
      if (code === null) return back({ error: "server_error" });
      return back({ code, scope: asked.get("scope") ?? "" });
    }
    case "cancel":
      return back({ error: "access_denied", error_description: "The user denied access" });
    default:
      return { status: 200, body: consentPage(asked) };
  }
}

function scopesOf(asked: URLSearchParams): string[] {
  return (asked.get("scope") ?? "").split(" ");
}

/** Amazon takes what its console was told: https, or http on localhost. */
function isAllowedReturnUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && url.hostname === "localhost");
}
