import * as appOpening from "../app-opening.ts";
import * as routedPage from "../routed-page.ts";
import { goToSite, smallPages } from "../small-pages.ts";
import type { PageMessages } from "./page-messages.ts";

export const en: PageMessages = { ...appOpening, ...routedPage, ...smallPages, goToSite };
