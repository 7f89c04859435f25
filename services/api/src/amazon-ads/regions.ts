import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";

interface RegionAddresses {
  /** The page where users log in and consent. */
  authorize: string;
  token: string;
  /** Profile of the logged-in user. */
  userProfile: string;
  adsProfiles: string;
}

/** Amazon's endpoints by advertising region. */
export const REGIONS: Record<AdsRegion, RegionAddresses> = {
  na: {
    authorize: "https://www.amazon.com/ap/oa",
    token: "https://api.amazon.com/auth/o2/token",
    userProfile: "https://api.amazon.com/user/profile",
    adsProfiles: "https://advertising-api.amazon.com/v2/profiles",
  },
  eu: {
    authorize: "https://eu.account.amazon.com/ap/oa",
    token: "https://api.amazon.co.uk/auth/o2/token",
    userProfile: "https://api.amazon.co.uk/user/profile",
    adsProfiles: "https://advertising-api-eu.amazon.com/v2/profiles",
  },
  fe: {
    authorize: "https://apac.account.amazon.com/ap/oa",
    token: "https://api.amazon.co.jp/auth/o2/token",
    userProfile: "https://api.amazon.co.jp/user/profile",
    adsProfiles: "https://advertising-api-fe.amazon.com/v2/profiles",
  },
};
