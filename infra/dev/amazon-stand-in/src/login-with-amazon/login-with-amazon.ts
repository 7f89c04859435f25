import { jsonResponse, type StandInRequest, type StandInResponse } from "../response.ts";
import { ACCOUNTS, type AccountId } from "./accounts.ts";
import { authorize } from "./authorize.ts";
import { createGrants } from "./tokens.ts";

/**
 * Login with Amazon.
 * @returns a handler, which returns null for a request to another service
 */
export function createLoginWithAmazon() {
  const grants = createGrants();

  return ({ host, method, target, headers, body }: StandInRequest): StandInResponse | null => {
    const url = URL.parse(target, `https://${host}`);
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    switch (`${method} ${host}${url?.pathname}`) {
      case "GET www.amazon.com/ap/oa":
        return authorize(grants, url?.searchParams ?? new URLSearchParams());
      case "POST api.amazon.com/auth/o2/token":
        return isForm ? grants.tokenResponse(new URLSearchParams(body)) : null;
      case "GET api.amazon.com/user/profile": {
        const token = /^Bearer (.+)$/.exec(String(headers.authorization))?.[1] ?? "";
        return userProfile(grants.findByAccessToken(token));
      }
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
