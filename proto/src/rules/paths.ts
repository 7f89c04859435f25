export const LINK_TABS = ["clicks", "opening", "settings"] as const;
export type LinkTab = (typeof LINK_TABS)[number];

export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  /** Links in emails lead to these two: `#token=`. */
  resetPassword: "/reset-password",
  confirmEmail: "/confirm-email",
  dashboard: "/dashboard",
  clicks: "/clicks",
  earnings: "/earnings",
  earningsImport: "/earnings/import",
  import: "/import",
  linkCreation: "/link-creation",
  redirect: "/redirect",
  /** Other apps, shortcuts and bookmarks send a text with an Amazon link there: `?title=&text=&url=`. */
  share: "/share",
  /** The token of a secret link is in the fragment, which browsers do not send to the server. */
  shared: "/shared",
  join: "/join",
  /** Programs lead their user there, by OAuth 2.1. */
  connect: "/connect",
  account: "/account",
  security: "/account/security",
  notifications: "/account/notifications",
  stores: "/account/stores",
  domains: "/account/domains",
  developers: "/account/developers",
  members: "/account/members",
  activity: "/account/activity",
  ownData: "/account/data",
  operator: "/operator",
  operatorUsers: "/operator/users",
  operatorLinks: "/operator/links",
  operatorDomains: "/operator/domains",
  operatorSystem: "/operator/system",
  operatorSignUp: "/operator/sign-up",
  operatorActivity: "/operator/activity",
  amazonAdsAuth: "/amazon-ads-auth",
  abuseReport: "/report",
  appOpeningStatus: "/status/app-opening",
  linkAudit: "/lost-commission",
  privacy: "/privacy",
  amazonAdsPrivacy: "/privacy/amazon-ads-api",
  link: (shortCode: string, tab?: LinkTab) => (tab === undefined ? `/link/${shortCode}` : `/link/${shortCode}/${tab}`),
} as const;

/**
 * The path of a page in the account of a user, for emails, and for its members. Its user is led to the page's own path.
 * @param path "" for the start page
 */
export const accountPath = (accountId: number, path: string) => `/a/${accountId}${path}`;

export const ACCOUNT_PATH = "/a/[1-9][0-9]{0,8}";

export function abuseReportPath(shortCode: string): string {
  return `${paths.abuseReport}?code=${shortCode}`;
}

export const PRERENDERED_PAGES = { "/": "home.html", "/dashboard": "dashboard.html" } as const;

/** The placeholder for the product's name in these files. The gateway replaces it when it starts. */
export const PRERENDERED_PRODUCT_NAME = "{product name}";

export const CONFIG_ELEMENT_ID = "config";
