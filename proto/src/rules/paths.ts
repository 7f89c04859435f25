import { REPORT_PAGE } from "./report-page.ts";
import { SHARE_PAGE } from "./share-page.ts";

/** The pages of the web application. For any other path the gateway responds with 404 and its page. */
export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  dashboard: "/dashboard",
  clicks: "/clicks",
  import: "/import",
  linkCreation: "/link-creation",
  redirect: "/redirect",
  share: SHARE_PAGE,
  account: "/account",
  stores: "/account/stores",
  amazonAdsAuth: "/amazon-ads-auth",
  report: REPORT_PAGE,
  appOpeningStatus: "/status/app-opening",
  privacy: "/privacy",
  amazonAdsPrivacy: "/privacy/amazon-ads-api",
  link: (shortCode: string) => `/link/${shortCode}`,
} as const;
