import { REPORT_PAGE } from "@tapthru/proto/rules/report-page";

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  dashboard: "/dashboard",
  clicks: "/clicks",
  import: "/import",
  linkCreation: "/link-creation",
  redirect: "/redirect",
  account: "/account",
  amazonAdsAuth: "/amazon-ads-auth",
  report: REPORT_PAGE,
  privacy: "/privacy",
  amazonAdsPrivacy: "/privacy/amazon-ads-api",
  link: (shortCode: string) => `/link/${shortCode}`,
} as const;
