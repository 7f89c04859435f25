export const chooseReason = "Please choose a reason";
export const enterShortLink = "Please enter a short link of this site";
export const REPORT_REASONS = ["misleading", "harmful", "spam", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
