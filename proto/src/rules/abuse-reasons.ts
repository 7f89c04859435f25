export const chooseReason = "Please choose a reason";
export const enterShortLink = "Please enter a short link of this site";
export const ABUSE_REASONS = ["misleading", "harmful", "spam", "other"] as const;
export type AbuseReason = (typeof ABUSE_REASONS)[number];
