export const openingAmazon = "Opening Amazon...";
/** The heading if only a tap opens the app. */
export const continueToAmazon = "Continue to Amazon";
export const appDidNotOpen =
  "If the Amazon app didn't open automatically or opened to the wrong page, please use one of the options below:";
export const openInApp = "Open in Amazon App";
export const tryAgainInApp = "Try Again to Open in Amazon App";
export const openInBrowser = "Open in Web Browser";
export const openInSafari = "Open in Safari";
export const openOutsideApp = "Open outside this app";
export const openByHand =
  'To open the Amazon app, first tap the menu (\u22ef) at the top and choose "Open in browser".';
export const noAmazonApp = "Don't have the Amazon app?";
export const getFromAppStore = "Get it from the App Store";
export const getFromGooglePlay = "Get it on Google Play";
export const openInAppTitle = (productName: string) => `${productName} - Open in Amazon App`;
export const reportThisLink = "Report this link";
