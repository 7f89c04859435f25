import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { renderPage } from "../pages.ts";
import { jsonResponse, type StandInRequest, type StandInResponse } from "../response.ts";
import { ACCOUNTS, type AccountId, isAccountId } from "./accounts.ts";
import { adsResponse, isAdsHost } from "./ads-api.ts";
import { ADS_CLIENT } from "./client.ts";
import { createGrants, type Grants } from "./tokens.ts";

/**
 * Login with Amazon, and the Amazon Ads API.
 * @returns a handler, which returns null for a request to another service
 */
export function createLoginWithAmazon() {
  const grants = createGrants();

  return ({ host, method, target, headers, body }: StandInRequest): StandInResponse | null => {
    const url = URL.parse(target, `https://${host}`);
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    const accessToken = /^Bearer (.+)$/.exec(String(headers.authorization))?.[1] ?? "";
    if (isAdsHost(host)) return adsResponse({ host, target, headers, body }, grants.findByAccessToken(accessToken));
    switch (`${method} ${host}${url?.pathname}`) {
      case "GET www.amazon.com/ap/oa":
        return authorize(grants, url?.searchParams ?? new URLSearchParams());
      case "POST api.amazon.com/auth/o2/token":
        return isForm ? grants.tokenResponse(new URLSearchParams(body)) : null;
      case "GET api.amazon.com/user/profile":
        return userProfile(grants.findByAccessToken(accessToken));
      default:
        return null;
    }
  };
}

/** The user who signed in, for an access token. */
function userProfile(accountId: AccountId | null): StandInResponse {
  if (accountId === null || accountId === "profile-refused") {
    return jsonResponse(401, { error: "invalid_token", error_description: "The token is invalid" });
  }
  const name = ACCOUNTS[accountId];
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@amazon.example`;
  return jsonResponse(200, { user_id: `amzn1.account.${email}`, name, email });
}

/** The consent page, and the redirect back to the client. */
function authorize(grants: Grants, query: URLSearchParams): StandInResponse {
  const value = (name: string) => query.get(name) ?? "";
  const redirectUri = value("redirect_uri");
  if (value("client_id") !== ADS_CLIENT.id || !isAllowedReturnUrl(redirectUri)) {
    return { status: 400, contentType: "text/plain", body: "Unknown client or return URL" };
  }
  const redirectBack = (parameters: Record<string, string>): StandInResponse => {
    const url = new URL(redirectUri);
    for (const [name, text] of Object.entries({ ...parameters, state: value("state") }))
      url.searchParams.set(name, text);
    return { status: 302, location: url.href };
  };
  const codeChallenge = value("code_challenge");
  const isRequest = value("response_type") === "code" && value("code_challenge_method") === "S256";
  if (!isRequest || codeChallenge === "") return redirectBack({ error: "invalid_request" });
  if (!value("scope").split(" ").includes("advertising::campaign_management")) {
    return redirectBack({ error: "invalid_scope" });
  }
  if (value("consent") === "cancel") return redirectBack({ error: "access_denied" });
  if (value("consent") !== "allow") return { status: 200, body: consentPage(query) };
  const accountId = value("account");
  if (!isAccountId(accountId)) return redirectBack({ error: "server_error" });
  const code = grants.issueCode({ accountId, redirectUri, codeChallenge });
  return redirectBack({ code, scope: value("scope") });
}

/** Amazon accepts return URLs with https, and with http on localhost. */
function isAllowedReturnUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && url.hostname === "localhost");
}

/** The form in which a user chooses an account and consents. It also submits the parameters of the query. */
function consentPage(query: URLSearchParams): string {
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const accounts = Object.entries(ACCOUNTS).map(([id, name]) => `<option value="${id}">${name}</option>`);
  return renderPage("consent", {
    scope: escapeHtml(query.get("scope") ?? ""),
    hidden: hidden.join(""),
    accounts: accounts.join(""),
  });
}
