import type { AppOpeningMessages } from "../app-opening/app-page.ts";

interface SmallPageSentences {
  heading: string;
  sentence: string;
}

/** What only the page of a short link says; a store is named like amazon.de. */
interface LinkPageMessages {
  openStoreInBrowser(store: string): string;
  /** A choice for later links too. */
  alwaysInBrowser: string;
  sharedBy(name: string): string;
  /** As Amazon words it. */
  amazonAssociate: string;
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
