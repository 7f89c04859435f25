import type { PageMessages } from "./page-messages.ts";

export const pl: PageMessages = {
  openingAmazon: "Otwieranie Amazon…",
  continueToAmazon: "Przejdź do Amazon",
  appDidNotOpen:
    "Jeśli aplikacja Amazon nie otworzyła się automatycznie lub otworzyła się na niewłaściwej stronie, wybierz jedną z poniższych opcji:",
  openInApp: "Otwórz w aplikacji Amazon",
  tryAgainInApp: "Spróbuj ponownie w aplikacji Amazon",
  openStoreInBrowser: (store) => `Otwórz ${store} w przeglądarce`,
  alwaysInBrowser: "Zawsze otwieraj w przeglądarce",
  sharedBy: (name) => `Udostępnia: ${name}`,
  amazonAssociate: "Jako partner Amazon zarabiam na kwalifikujących się zakupach.",
  openInSafari: "Otwórz w Safari",
  openOutsideApp: "Otwórz poza tą aplikacją",
  openByHand: "Aby otworzyć aplikację Amazon, stuknij najpierw menu (⋯) u góry i wybierz „Otwórz w przeglądarce”.",
  noAmazonApp: "Nie masz aplikacji Amazon?",
  getFromAppStore: "Pobierz aplikację",
  getFromGooglePlay: "Pobierz z Google Play",
  reportThisLink: "Zgłoś ten link",
  opensYourStore: (store) => `Otworzy się ${store}, sklep dla Twojego kraju.`,
  openOriginalStore: (store) => `Przejdź do ${store}`,
  linkNotFound: {
    heading: "Nie znaleziono linku",
    sentence: "Pod tym adresem nie ma żadnego linku. Mógł zostać usunięty albo w adresie jest literówka.",
  },
  linkGone: {
    heading: "Ten link nie jest już dostępny",
    sentence: "Wygasł lub został usunięty. Poproś o nowy osobę, która go udostępniła.",
  },
  tooManyCodes: {
    heading: "Zbyt wiele prób",
    sentence: "Sprawdź adres i spróbuj ponownie za minutę.",
  },
  linkUnavailable: {
    heading: "Zaraz wracamy",
    sentence: "W tej chwili nie możemy otworzyć tego linku. Spróbuj ponownie za kilka sekund.",
  },
  goToSite: (productName) => `Przejdź do ${productName}`,
};
