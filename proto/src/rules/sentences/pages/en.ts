import * as appOpening from "../app-opening.ts";
import { goToSite, smallPages } from "../small-pages.ts";
import type { PageSentences } from "./page-sentences.ts";

export const en: PageSentences = { ...appOpening, ...smallPages, goToSite };
