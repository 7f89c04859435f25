export const REPORT_REASONS = ["misleading", "harmful", "spam", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
