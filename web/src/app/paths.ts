export const paths = {
  home: "/",
  login: "/login",
  signup: "/signup",
  dashboard: "/dashboard",
  linkCreation: "/link-creation",
  redirect: "/redirect",
  privacy: "/privacy",
  amazonAdsPrivacy: "/privacy/amazon-ads-api",
  link: (shortCode: string) => `/link/${shortCode}`,
} as const;
