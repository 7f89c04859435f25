import type { StandInRequest, StandInResponse } from "../response.ts";
import { adsProfiles, userProfile } from "./advertiser.ts";
import { authorize } from "./authorize.ts";
import { createGrants } from "./grants.ts";
import { regionOf } from "./regions.ts";
import { tokenEndpoint } from "./tokens.ts";

/**
 * Login with Amazon and the profiles of the Amazon Ads API, in three regions.
 * @returns a handler, which returns null for a request to another service
 */
export function createLoginWithAmazon(now: () => number = Date.now) {
  const grants = createGrants(now);

  return ({ host, method, target, headers, body }: StandInRequest): StandInResponse | null => {
    const url = URL.parse(target, `https://${host}`);
    const route = `${method} ${url?.pathname}`;
    const authorizeRegion = regionOf("authorize", host);
    if (authorizeRegion && route === "GET /ap/oa") {
      return authorize(grants, authorizeRegion, url?.searchParams ?? new URLSearchParams());
    }
    const tokenRegion = regionOf("token", host);
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    if (tokenRegion && isForm && route === "POST /auth/o2/token") {
      return tokenEndpoint(grants, tokenRegion, new URLSearchParams(body));
    }
    if (tokenRegion && route === "GET /user/profile") {
      return userProfile(grants, tokenRegion, headers);
    }
    const adsRegion = regionOf("ads", host);
    if (adsRegion && route === "GET /v2/profiles") return adsProfiles(grants, adsRegion, headers);
    return null;
  };
}
