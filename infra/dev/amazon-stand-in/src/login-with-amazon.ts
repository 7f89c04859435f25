import { createHash, randomBytes } from "node:crypto";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { renderPage } from "./pages.ts";
import { jsonResponse, type StandInRequest, type StandInResponse } from "./response.ts";

/** The only client. */
export const ADS_CLIENT = {
  id: "amzn1.application-oa2-client.stand-in",
  secret: "amzn1.oa2-cs.v1.stand-in-secret",
};

interface Account {
  name: string;
  /** The responses that fail. */
  token?: StandInResponse;
  profile?: StandInResponse;
}

const INVALID_GRANT = jsonResponse(400, { error: "invalid_grant" });
const INVALID_TOKEN = jsonResponse(401, { error: "invalid_token" });
const ON_A_PAGE = { status: 200, body: "<title>Amazon.com</title>Atza|on-a-page" };

/** The accounts on the consent page, by the id that the page sends back. */
const ACCOUNTS: Record<string, Account> = {
  anna: { name: "Anna Advertiser" },
  "token-hangs": { name: "Account for which token responses hang", token: { fault: "hangs" } },
  "token-is-a-page": { name: "Account for which token responses are HTML", token: ON_A_PAGE },
  "token-refused": { name: "Account for which tokens are refused", token: INVALID_GRANT },
  "profile-refused": { name: "Account for which the user profile is refused", profile: INVALID_TOKEN },
};

/** @returns a handler, which returns null for a request to another service */
export function createLoginWithAmazon() {
  /** The requests for which codes were issued. A code is valid once. */
  const codes = new Map<string, URLSearchParams>();

  /** The consent page, and the redirect back to the client. */
  function authorize(query: URLSearchParams): StandInResponse {
    const back = URL.parse(query.get("redirect_uri") ?? "");
    if (query.get("client_id") !== ADS_CLIENT.id || back === null) return jsonResponse(400, {});
    if (!query.has("consent")) return { status: 200, body: consentPage(query) };
    const code = `AN${random()}`;
    codes.set(code, query);
    back.search = String(
      new URLSearchParams({
        state: query.get("state") ?? "",
        ...(query.get("consent") === "allow" ? { code } : { error: "access_denied" }),
      }),
    );
    return { status: 302, location: back.href };
  }

  function tokens(form: URLSearchParams): StandInResponse {
    const isClient = form.get("client_id") === ADS_CLIENT.id && form.get("client_secret") === ADS_CLIENT.secret;
    if (!isClient) return jsonResponse(401, { error: "invalid_client" });
    const code = form.get("code") ?? "";
    const issued = codes.get(code);
    codes.delete(code);
    // RFC 7636, method S256.
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "");
    if (issued?.get("code_challenge") !== challenge.digest("base64url")) return INVALID_GRANT;
    if (issued.get("redirect_uri") !== form.get("redirect_uri")) return INVALID_GRANT;
    const id = issued.get("account") ?? "";
    const [access_token, refresh_token] = [`Atza|${id}.${random()}`, `Atzr|${id}.${random()}`];
    return ACCOUNTS[id]?.token ?? jsonResponse(200, { access_token, refresh_token, token_type: "bearer" });
  }

  return ({ host, method, target, headers, body }: StandInRequest): StandInResponse | null => {
    const url = URL.parse(target, `https://${host}`);
    switch (`${method} ${host}${url?.pathname}`) {
      case "GET www.amazon.com/ap/oa":
        return authorize(url?.searchParams ?? new URLSearchParams());
      case "POST api.amazon.com/auth/o2/token":
        // That of the Creators API is JSON.
        return headers["content-type"] === "application/json" ? null : tokens(new URLSearchParams(body));
      case "GET api.amazon.com/user/profile":
        return userProfile(String(headers.authorization));
      default:
        return null;
    }
  };
}

/** The user who signed in, for an access token. */
function userProfile(authorization: string): StandInResponse {
  const account = ACCOUNTS[/^Bearer Atza\|([a-z-]+)\./.exec(authorization)?.[1] ?? ""];
  if (account === undefined) return INVALID_TOKEN;
  const { name, profile } = account;
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@amazon.example`;
  return profile ?? jsonResponse(200, { user_id: `amzn1.account.${email}`, name, email });
}

/** The form in which a user chooses an account and consents. It also submits the parameters of the query. */
function consentPage(query: URLSearchParams): string {
  const hidden = [...query].map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`);
  const accounts = Object.entries(ACCOUNTS).map(([id, { name }]) => `<option value="${id}">${name}</option>`);
  return renderPage("consent", { hidden: hidden.join(""), accounts: accounts.join("") });
}

const random = () => randomBytes(16).toString("base64url");
