import { ADS_REGIONS, type AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";

interface RegionHosts {
  authorize: string;
  token: string;
  ads: string;
}

/** Source: Amazon's documentation of Login with Amazon and of the Ads API. */
const REGION_HOSTS: Record<AdsRegion, RegionHosts> = {
  na: {
    authorize: "www.amazon.com",
    token: "api.amazon.com",
    ads: "advertising-api.amazon.com",
  },
  eu: {
    authorize: "eu.account.amazon.com",
    token: "api.amazon.co.uk",
    ads: "advertising-api-eu.amazon.com",
  },
  fe: {
    authorize: "apac.account.amazon.com",
    token: "api.amazon.co.jp",
    ads: "advertising-api-fe.amazon.com",
  },
};

export function regionOf(kind: keyof RegionHosts, host: string): AdsRegion | null {
  return ADS_REGIONS.find((region) => REGION_HOSTS[region][kind] === host) ?? null;
}
