export const chooseReason = "Please choose a reason";
export const enterShortLink = "Please enter a short link of this site";
export const COMPLAINT_REASONS = ["misleading", "harmful", "spam", "other"] as const;
export type ComplaintReason = (typeof COMPLAINT_REASONS)[number];
