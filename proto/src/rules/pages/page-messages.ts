import type { AppOpeningMessages } from "../app-opening/app-page.ts";

interface SmallPageSentences {
  heading: string;
  sentence: string;
}

interface LinkPageMessages {
  openStoreInBrowser(store: string): string;
  alwaysInBrowser: string;
  sharedBy(name: string): string;
  amazonAssociate: string;
}

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
