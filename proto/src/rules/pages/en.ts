import { ENGLISH } from "../app-opening/app-page.ts";
import type { PageMessages } from "./page-messages.ts";

export const en: PageMessages = {
  ...ENGLISH,
  openInApp: "Open in the Amazon app",
  tryAgainInApp: "Try again in the Amazon app",
  openStoreInBrowser: (store) => `Open ${store} in the browser`,
  alwaysInBrowser: "Always open in the browser",
  sharedBy: (name) => `Shared by ${name}`,
  amazonAssociate: "As an Amazon Associate I earn from qualifying purchases.",
  opensYourStore: (store) => `This opens ${store}, the store for your country.`,
  openOriginalStore: (store) => `Go to ${store} instead`,
  linkNotFound: {
    heading: "Link not found",
    sentence: "There is no link at this address. It may have been deleted, or the address may be mistyped.",
  },
  linkGone: {
    heading: "This link is no longer available",
    sentence: "It has expired or was removed. The person who shared it can send you a new one.",
  },
  tooManyCodes: {
    heading: "Too many attempts",
    sentence: "Please check the address and try again in a minute.",
  },
  linkUnavailable: {
    heading: "We'll be right back",
    sentence: "We can't look up this link right now. Please try again in a few seconds.",
  },
  goToSite: (productName) => `Go to ${productName}`,
};
