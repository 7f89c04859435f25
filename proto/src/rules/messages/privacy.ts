export const privacyPolicy = "Privacy policy";
export const amazonAdsPrivacy = "Amazon Ads privacy";
export const amazonAdsPolicyTitle = "Privacy policy for the Amazon Ads API integration";
export const amazonAdsPolicyLead =
  "For those who connect an Amazon advertising account there is a policy of its own:";
export const aboutThisSite = "About this site";
