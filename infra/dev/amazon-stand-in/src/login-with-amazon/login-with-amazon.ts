import type { StandInRequest, StandInResponse } from "../response.ts";
import { adsProfiles, userProfile } from "./advertiser.ts";
import { authorize } from "./authorize.ts";
import { createGrants } from "./grants.ts";
import { regionOf } from "./regions.ts";
import { tokenEndpoint } from "./tokens.ts";

/**
 * Login with Amazon and the profiles of the Amazon Ads API, in three regions.
 * @returns what answers a question, or null where it is none of theirs
 */
export function createLoginWithAmazon(now: () => number = Date.now) {
  const grants = createGrants(now);

  return ({ host, method, target, headers, body }: StandInRequest): StandInResponse | null => {
    const url = URL.parse(target, `https://${host}`);
    const place = `${method} ${url?.pathname}`;
    const authorizeRegion = regionOf("authorize", host);
    if (authorizeRegion && place === "GET /ap/oa") {
      return authorize(grants, authorizeRegion, url?.searchParams ?? new URLSearchParams());
    }
    const tokenRegion = regionOf("token", host);
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    if (tokenRegion && isForm && place === "POST /auth/o2/token") {
      return tokenEndpoint(grants, tokenRegion, new URLSearchParams(body));
    }
    if (tokenRegion && place === "GET /user/profile") {
      return userProfile(grants, tokenRegion, headers);
    }
    const adsRegion = regionOf("ads", host);
    if (adsRegion && place === "GET /v2/profiles") return adsProfiles(grants, adsRegion, headers);
    return null;
  };
}
