import type { AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { jsonResponse, type StandInRequest, type StandInResponse } from "../response.ts";
import { ACCOUNTS } from "./accounts.ts";
import { authorize } from "./authorize.ts";
import { ADS_CLIENT } from "./client.ts";
import { createGrants, type Grant } from "./tokens.ts";

/** The hosts of each region. Source: Amazon's documentation of Login with Amazon and of the Ads API. */
const AUTHORIZE_HOSTS: Record<string, AdsRegion> = {
  "www.amazon.com": "na",
  "eu.account.amazon.com": "eu",
  "apac.account.amazon.com": "fe",
};
const TOKEN_HOSTS: Record<string, AdsRegion> = {
  "api.amazon.com": "na",
  "api.amazon.co.uk": "eu",
  "api.amazon.co.jp": "fe",
};
const ADS_HOSTS: Record<string, AdsRegion> = {
  "advertising-api.amazon.com": "na",
  "advertising-api-eu.amazon.com": "eu",
  "advertising-api-fe.amazon.com": "fe",
};

const PROFILES: Record<AdsRegion, [id: string, countryCode: string, currencyCode: string][]> = {
  na: [
    ["9007199254740993", "US", "USD"],
    ["3200000000000002", "CA", "CAD"],
  ],
  eu: [["3200000000000003", "DE", "EUR"]],
  fe: [["3200000000000004", "JP", "JPY"]],
};

/**
 * Login with Amazon and the profiles of the Amazon Ads API, in three regions.
 * @returns a handler, which returns null for a request to another service
 */
export function createLoginWithAmazon() {
  const grants = createGrants();

  return ({ host, method, target, headers, body }: StandInRequest): StandInResponse | null => {
    const url = URL.parse(target, `https://${host}`);
    const route = `${method} ${url?.pathname}`;
    const region = AUTHORIZE_HOSTS[host] ?? TOKEN_HOSTS[host] ?? ADS_HOSTS[host];
    if (region === undefined || url === null) return null;
    const token = /^Bearer (.+)$/.exec(String(headers.authorization))?.[1] ?? "";
    const found = grants.findByAccessToken(token);
    const grant = found?.region === region ? found : null;
    if (AUTHORIZE_HOSTS[host] && route === "GET /ap/oa") {
      return authorize(grants, region, url.searchParams);
    }
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    if (TOKEN_HOSTS[host] && isForm && route === "POST /auth/o2/token") {
      return grants.tokenResponse(region, new URLSearchParams(body));
    }
    if (TOKEN_HOSTS[host] && route === "GET /user/profile") return userProfile(grant);
    if (ADS_HOSTS[host] && route === "GET /v2/profiles") {
      return adsProfiles(grant, headers["amazon-advertising-api-clientid"]);
    }
    return null;
  };
}

/** The user who signed in, for an access token. */
function userProfile(grant: Grant | null): StandInResponse {
  if (grant === null || grant.accountId === "profile-refused") {
    return jsonResponse(401, { error: "invalid_token", error_description: "The token is invalid" });
  }
  const name = ACCOUNTS[grant.accountId];
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@amazon.example`;
  return jsonResponse(200, { user_id: `amzn1.account.${email}`, name, email });
}

/** The advertising profiles of the token's region. */
function adsProfiles(grant: Grant | null, clientId: unknown): StandInResponse {
  if (grant === null || clientId !== ADS_CLIENT.id) {
    return jsonResponse(401, { code: "UNAUTHORIZED", details: "Not authorized to access the API" });
  }
  if (grant.accountId === "ads-refused") {
    return jsonResponse(403, { code: "FORBIDDEN", details: "Client is not approved" });
  }
  const profiles = grant.accountId === "ben" ? [] : PROFILES[grant.region];
  const text = JSON.stringify(
    profiles.map(([profileId, countryCode, currencyCode]) => {
      const accountInfo = { type: "seller", name: `Lamp store ${countryCode}`, id: "A1STANDIN" };
      return { profileId, countryCode, currencyCode, timezone: "UTC", accountInfo };
    }),
  );
  // Amazon writes ids as numbers of any size.
  const body = text.replace(/"profileId":"(\d+)"/g, '"profileId":$1');
  return { status: 200, contentType: "application/json", body };
}
