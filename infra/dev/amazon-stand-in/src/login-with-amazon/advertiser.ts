import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { jsonResponse, type StandInRequest, type StandInResponse } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import type { Grant, Grants } from "./grants.ts";

/** The user who signed in, for an access token. */
export function userProfile(grants: Grants, region: AdsRegion, headers: StandInRequest["headers"]) {
  const grant = findGrant(grants, region, headers);
  if (grant === null || grant.account.fault === "the user profile is refused") {
    return jsonResponse(401, { error: "invalid_token", error_description: "The token is invalid" });
  }
  const { name, email } = grant.account;
  return jsonResponse(200, { user_id: `amzn1.account.${email}`, name, email });
}

/** The advertising profiles of the token's region. */
export function adsProfiles(
  grants: Grants,
  region: AdsRegion,
  headers: StandInRequest["headers"],
): StandInResponse {
  const grant = findGrant(grants, region, headers);
  const isKnown = headers["amazon-advertising-api-clientid"] === ADS_CLIENT.id;
  if (grant === null || !isKnown) {
    return jsonResponse(401, { code: "UNAUTHORIZED", details: "Not authorized to access the API" });
  }
  if (grant.account.fault === "the Ads API refuses the client") {
    return jsonResponse(403, { code: "FORBIDDEN", details: "Client is not approved" });
  }
  const text = JSON.stringify(grant.account.hasProfiles ? PROFILES[region].map(profile) : []);
  // Amazon writes ids as numbers of any size.
  const body = text.replace(/"profileId":"(\d+)"/g, '"profileId":$1');
  return { status: 200, contentType: "application/json", body };
}

const PROFILES: Record<AdsRegion, [id: string, countryCode: string, currencyCode: string][]> = {
  na: [
    ["9007199254740993", "US", "USD"],
    ["3200000000000002", "CA", "CAD"],
  ],
  eu: [["3200000000000003", "DE", "EUR"]],
  fe: [["3200000000000004", "JP", "JPY"]],
};

function profile([profileId, countryCode, currencyCode]: [string, string, string]) {
  const accountInfo = { type: "seller", name: `Lamp store ${countryCode}`, id: "A1STANDIN" };
  return { profileId, countryCode, currencyCode, timezone: "UTC", accountInfo };
}

function findGrant(
  grants: Grants,
  region: AdsRegion,
  { authorization }: StandInRequest["headers"],
): Grant | null {
  const token = /^Bearer (.+)$/.exec(String(authorization))?.[1] ?? "";
  const grant = grants.findByAccessToken(token);
  return grant?.region === region ? grant : null;
}
