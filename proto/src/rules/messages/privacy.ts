export const privacyPolicy = "Privacy policy";
export const amazonAdsPrivacy = "Amazon Ads privacy";
export const amazonAdsPolicyTitle = "Privacy policy for the Amazon Ads API integration";
export const amazonAdsPolicyLead =
  "If you connect an Amazon advertising account, this policy also applies:";
export const aboutThisSite = "About this site";
