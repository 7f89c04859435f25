/** The prefix of the query keys of all figures that are calculated from Amazon's reports. */
export const EARNINGS_KEY = ["/api/earnings"] as const;
