import * as appOpening from "../app-opening.ts";
import { goToSite, openOriginalStore, opensYourStore, smallPages } from "../small-pages.ts";
import type { PageMessages } from "./page-messages.ts";

export const en: PageMessages = {
  ...appOpening,
  opensYourStore,
  openOriginalStore,
  ...smallPages,
  goToSite,
};
