interface SmallPageSentences {
  heading: string;
  sentence: string;
}

/** What a page that opens the app says. */
export interface AppOpeningMessages {
  openingAmazon: string;
  continueToAmazon: string;
  appDidNotOpen: string;
  openInApp: string;
  tryAgainInApp: string;
  openInBrowser: string;
  openInSafari: string;
  openOutsideApp: string;
  openByHand: string;
  noAmazonApp: string;
  getFromAppStore: string;
  getFromGooglePlay: string;
  reportThisLink: string;
}

/** What only the page of a short link says; a store is named like amazon.de. */
interface LinkPageMessages {
  openStoreInBrowser(store: string): string;
  /** A choice for later links too. */
  alwaysInBrowser: string;
}

/** What such a page says about a visitor who was sent to another store, such as amazon.de. */
interface RoutedPageMessages {
  opensYourStore(store: string): string;
  openOriginalStore(store: string): string;
}

export interface PageMessages extends Omit<AppOpeningMessages, "openInBrowser">, LinkPageMessages, RoutedPageMessages {
  linkNotFound: SmallPageSentences;
  linkGone: SmallPageSentences;
  tooManyCodes: SmallPageSentences;
  linkUnavailable: SmallPageSentences;
  goToSite(productName: string): string;
}
