import type { PageMessages } from "./page-messages.ts";

export const sv: PageMessages = {
  openingAmazon: "Öppnar Amazon…",
  continueToAmazon: "Fortsätt till Amazon",
  appDidNotOpen:
    "Om Amazon-appen inte öppnades automatiskt eller om den öppnades på fel sida kan du välja något av alternativen nedan:",
  openInApp: "Öppna i Amazon-appen",
  tryAgainInApp: "Försök igen i Amazon-appen",
  openStoreInBrowser: (store) => `Öppna ${store} i webbläsaren`,
  alwaysInBrowser: "Öppna alltid i webbläsaren",
  sharedBy: (name) => `Delad av ${name}`,
  amazonAssociate: "Som Amazon-partner tjänar jag på kvalificerade köp.",
  openInSafari: "Öppna i Safari",
  openOutsideApp: "Öppna utanför den här appen",
  openByHand:
    "Om du vill öppna Amazon-appen trycker du först på menyn (⋯) högst upp och väljer sedan ”Öppna i webbläsaren”.",
  noAmazonApp: "Har du inte Amazon-appen?",
  getFromAppStore: "Ladda ner appen",
  getFromGooglePlay: "Ladda ner på Google Play",
  reportThisLink: "Rapportera den här länken",
  opensYourStore: (store) => `Du kommer till ${store}, butiken för ditt land.`,
  openOriginalStore: (store) => `Gå till ${store} i stället`,
  linkNotFound: {
    heading: "Länken hittades inte",
    sentence: "Det finns ingen länk på den här adressen. Den kan ha tagits bort, eller så är adressen felskriven.",
  },
  linkGone: {
    heading: "Länken är inte längre tillgänglig",
    sentence: "Den har gått ut eller tagits bort. Be den som delade länken om en ny.",
  },
  tooManyCodes: {
    heading: "För många försök",
    sentence: "Kontrollera adressen och försök igen om en minut.",
  },
  linkUnavailable: {
    heading: "Vi är snart tillbaka",
    sentence: "Vi kan inte öppna den här länken just nu. Försök igen om några sekunder.",
  },
  goToSite: (productName) => `Gå till ${productName}`,
};
