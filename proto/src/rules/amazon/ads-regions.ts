/** North America; Europe with the Middle East, India and Africa; the Far East with Australia. */
export const ADS_REGIONS = ["na", "eu", "fe"] as const;
export type AdsRegion = (typeof ADS_REGIONS)[number];
