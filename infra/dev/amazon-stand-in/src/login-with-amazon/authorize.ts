import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { renderPage } from "../pages.ts";
import type { StandInResponse } from "../response.ts";
import { ACCOUNTS, isAccountId } from "./accounts.ts";
import { ADS_CLIENT } from "./client.ts";
import type { Grants } from "./tokens.ts";

/** The consent page, and the redirect back to the client. */
export function authorize(grants: Grants, query: URLSearchParams): StandInResponse {
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
