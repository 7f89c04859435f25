export const success = "Success";
export const error = "Error";
export const login = "Login";
export const logOut = "Log out";
export const signUp = "Sign up";
export const signUpForFree = "Sign up for free";
export const dashboard = "Dashboard";
export const clicks = "Clicks";
export const earnings = "Earnings";
export const importPage = "Import";
export const account = "Account";
export const accountMenu = "Account menu";
export const skipToContent = "Skip to content";
export const mainNavigation = "Main";
export const menu = "Menu";
export const openMenu = "Open menu";
export const closeMenu = "Close menu";
export const close = "Close";
export const theme = "Theme";
export const themeLight = "Light";
export const themeDark = "Dark";
export const themeSystem = "System";
export const themeButton = (current: string) => `Theme: ${current}`;
export const version = (name: string) => `Version ${name}`;
export const notFoundTitle = "404 Page Not Found";
export const notFoundText = "Did you forget to add the page to the router?";
export const backToHome = "Back to the start page";
export const crashTitle = "Something went wrong";
export const crashText = "Please reload the page. If this keeps happening, try again later.";
export const accountUnavailable = "We can't reach your account right now";
export const offlineTitle = "You're offline";
export const youAreOffline = "You're offline. Check your internet connection.";
export const offlineText = "Check your internet connection, then reload the page.";
export const reload = "Reload";
export const dialogNotLoaded = "This could not be opened. Please reload the page.";
export const tryAgain = "Try again";

// Messages of pages that are used before the scripts of those pages have loaded: a file of messages loads as a whole
export const amazonAds = "Amazon Ads";
export const yourAccount = "Your account";
export const stores = "Stores and tags";
export const loggedOut = "You have been logged out successfully.";
export const failedToLogOut = "Failed to log out. Please try again.";
export const yourLinks = "Your Links";
export const createLink = "Create link";
export const loadingLinks = "Loading your links...";
export const loading = "Loading...";
export const amazonProduct = "Amazon Product";
export const amazonProductWithId = (id: string) => `Amazon Product: ${id}`;
export const reportLinkTitle = "Report a link";

export const howItWorks = "How it works";
/** The captions, in the order of the video. */
export const demoVideoSteps = {
  paste: "Paste an Amazon link",
  copy: "Copy your short link",
  share: "Share it anywhere",
  tap: "One tap opens the Amazon app",
  tag: "Your tag comes along",
} as const;
export const demoVideoLabel = "Demo: from an Amazon link to the Amazon app";

export const privacyPolicy = "Privacy policy";
export const amazonAdsPolicyTitle = "Privacy policy for the Amazon Ads API integration";
export const amazonAdsPolicyLead =
  "If you connect an Amazon advertising account, this policy also applies:";
export const aboutThisSite = "About this site";
