import type { PageMessages } from "./page-messages.ts";

export const de: PageMessages = {
  openingAmazon: "Amazon wird geöffnet …",
  continueToAmazon: "Weiter zu Amazon",
  appDidNotOpen:
    "Falls sich die Amazon-App nicht automatisch oder auf der falschen Seite geöffnet hat, wählen Sie bitte eine der folgenden Möglichkeiten:",
  openInApp: "In der Amazon-App öffnen",
  tryAgainInApp: "Erneut in der Amazon-App öffnen",
  openStoreInBrowser: (store) => `${store} im Browser öffnen`,
  alwaysInBrowser: "Immer im Browser öffnen",
  sharedBy: (name) => `Geteilt von ${name}`,
  amazonAssociate: "Als Amazon-Partner verdiene ich an qualifizierten Verkäufen.",
  openInSafari: "In Safari öffnen",
  openOutsideApp: "Außerhalb dieser App öffnen",
  openByHand:
    "Um die Amazon-App zu öffnen, tippen Sie zuerst oben auf das Menü (⋯) und wählen Sie „Im Browser öffnen“.",
  noAmazonApp: "Noch keine Amazon-App?",
  getFromAppStore: "App herunterladen",
  getFromGooglePlay: "Bei Google Play herunterladen",
  reportThisLink: "Diesen Link melden",
  opensYourStore: (store) => `Geöffnet wird ${store}, der Shop für Ihr Land.`,
  openOriginalStore: (store) => `Stattdessen zu ${store}`,
  linkNotFound: {
    heading: "Link nicht gefunden",
    sentence:
      "Unter dieser Adresse gibt es keinen Link. Er wurde vielleicht gelöscht, oder die Adresse enthält einen Tippfehler.",
  },
  linkGone: {
    heading: "Dieser Link ist nicht mehr verfügbar",
    sentence: "Er ist abgelaufen oder wurde entfernt. Bitten Sie die Person, die ihn geteilt hat, um einen neuen.",
  },
  tooManyCodes: {
    heading: "Zu viele Versuche",
    sentence: "Bitte prüfen Sie die Adresse und versuchen Sie es in einer Minute noch einmal.",
  },
  linkUnavailable: {
    heading: "Wir sind gleich wieder da",
    sentence: "Wir können diesen Link gerade nicht öffnen. Bitte versuchen Sie es in ein paar Sekunden noch einmal.",
  },
  goToSite: (productName) => `Zu ${productName}`,
};
