export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  dashboard: "/dashboard",
  linkCreation: "/link-creation",
  redirect: "/redirect",
  account: "/account",
  amazonAdsAuth: "/amazon-ads-auth",
  privacy: "/privacy",
  amazonAdsPrivacy: "/privacy/amazon-ads-api",
  link: (shortCode: string) => `/link/${shortCode}`,
} as const;
