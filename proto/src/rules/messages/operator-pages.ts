export const operatorPages = "For operators";
export const operatorTabs = {
  reports: "Reports",
  users: "Users",
  links: "Links",
  domains: "Domains",
  activity: "Activity",
  system: "System",
  signUp: "Sign-up",
};
export const operatorAccessLost = "You are no longer an operator. Please reload the page.";
export const operatorListFailed = "The list could not be loaded.";
export const withoutAccount = "without an account";
export const ownedBy = "by";
export const leadsTo = "Leads to";
