import type { PageMessages } from "./page-messages.ts";

export const nl: PageMessages = {
  openingAmazon: "Amazon wordt geopend…",
  continueToAmazon: "Doorgaan naar Amazon",
  appDidNotOpen:
    "Als de Amazon-app niet automatisch is geopend of op de verkeerde pagina is beland, kies dan een van de volgende opties:",
  openInApp: "Openen in de Amazon-app",
  tryAgainInApp: "Opnieuw proberen in de Amazon-app",
  openStoreInBrowser: (store) => `${store} openen in de browser`,
  alwaysInBrowser: "Altijd openen in de browser",
  sharedBy: (name) => `Gedeeld door ${name}`,
  amazonAssociate: "Als Amazon-partner verdien ik aan in aanmerking komende aankopen.",
  openInSafari: "Openen in Safari",
  openOutsideApp: "Buiten deze app openen",
  openByHand: "Om de Amazon-app te openen, tik je eerst bovenaan op het menu (⋯) en kies je ‘Openen in browser’.",
  noAmazonApp: "Heb je de Amazon-app nog niet?",
  getFromAppStore: "App downloaden",
  getFromGooglePlay: "Downloaden via Google Play",
  reportThisLink: "Deze link melden",
  opensYourStore: (store) => `Je gaat naar ${store}, de winkel voor jouw land.`,
  openOriginalStore: (store) => `Liever naar ${store}`,
  linkNotFound: {
    heading: "Link niet gevonden",
    sentence: "Op dit adres staat geen link. Misschien is de link verwijderd of bevat het adres een typfout.",
  },
  linkGone: {
    heading: "Deze link is niet meer beschikbaar",
    sentence: "De link is verlopen of verwijderd. Vraag de persoon die de link heeft gedeeld om een nieuwe.",
  },
  tooManyCodes: {
    heading: "Te veel pogingen",
    sentence: "Controleer het adres en probeer het over een minuut opnieuw.",
  },
  linkUnavailable: {
    heading: "We zijn zo terug",
    sentence: "We kunnen deze link nu niet openen. Probeer het over een paar seconden opnieuw.",
  },
  goToSite: (productName) => `Naar ${productName}`,
};
