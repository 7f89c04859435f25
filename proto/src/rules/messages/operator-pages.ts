export const operatorPages = "For operators";
export const operatorTabs = {
  reports: "Reports",
  users: "Users",
  links: "Links",
  domains: "Domains",
  activity: "Activity",
  system: "System",
  limits: "Limits",
  signUp: "Sign-up",
};
export const reportedLinks = "Reported links";
