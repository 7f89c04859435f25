import type { PageMessages } from "./page-messages.ts";

export const it: PageMessages = {
  openingAmazon: "Apertura di Amazon…",
  continueToAmazon: "Continua su Amazon",
  appDidNotOpen:
    "Se l’app Amazon non si è aperta automaticamente o si è aperta sulla pagina sbagliata, scegli una delle opzioni seguenti:",
  openInApp: "Apri nell’app Amazon",
  tryAgainInApp: "Riprova nell’app Amazon",
  openStoreInBrowser: (store) => `Apri ${store} nel browser`,
  alwaysInBrowser: "Apri sempre nel browser",
  sharedBy: (name) => `Condiviso da ${name}`,
  amazonAssociate: "In qualità di Affiliato Amazon io ricevo un guadagno dagli acquisti idonei.",
  openInSafari: "Apri in Safari",
  openOutsideApp: "Apri fuori da questa app",
  openByHand: "Per aprire l’app Amazon, tocca prima il menu (⋯) in alto e poi scegli “Apri nel browser”.",
  noAmazonApp: "Non hai l’app Amazon?",
  getFromAppStore: "Scarica l’app",
  getFromGooglePlay: "Scarica da Google Play",
  reportThisLink: "Segnala questo link",
  opensYourStore: (store) => `Si apre ${store}, il negozio per il tuo Paese.`,
  openOriginalStore: (store) => `Vai invece su ${store}`,
  linkNotFound: {
    heading: "Link non trovato",
    sentence:
      "A questo indirizzo non c’è nessun link. Potrebbe essere stato eliminato, oppure l’indirizzo non è scritto correttamente.",
  },
  linkGone: {
    heading: "Questo link non è più disponibile",
    sentence: "È scaduto o è stato rimosso. Chiedine uno nuovo a chi l’ha condiviso.",
  },
  tooManyCodes: {
    heading: "Troppi tentativi",
    sentence: "Controlla l’indirizzo e riprova tra un minuto.",
  },
  linkUnavailable: {
    heading: "Torniamo subito",
    sentence: "Al momento non riusciamo ad aprire questo link. Riprova tra qualche secondo.",
  },
  goToSite: (productName) => `Vai a ${productName}`,
};
