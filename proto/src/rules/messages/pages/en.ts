import * as appOpening from "../app-opening.ts";
import { goToSite, openOriginalStore, opensYourStore, smallPages } from "../small-pages.ts";
import type { PageMessages } from "./page-messages.ts";

export const en: PageMessages = {
  ...appOpening,
  openInApp: "Open in the Amazon app",
  tryAgainInApp: "Try again in the Amazon app",
  openStoreInBrowser: (store) => `Open ${store} in the browser`,
  alwaysInBrowser: "Always open in the browser",
  opensYourStore,
  openOriginalStore,
  ...smallPages,
  goToSite,
};
