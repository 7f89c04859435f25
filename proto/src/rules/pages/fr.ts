import type { PageMessages } from "./page-messages.ts";

export const fr: PageMessages = {
  openingAmazon: "Ouverture d’Amazon…",
  continueToAmazon: "Continuer vers Amazon",
  appDidNotOpen:
    "Si l’appli Amazon ne s’est pas ouverte automatiquement ou s’est ouverte sur la mauvaise page, choisissez l’une de ces options\u00a0:",
  openInApp: "Ouvrir dans l’appli Amazon",
  tryAgainInApp: "Réessayer dans l’appli Amazon",
  openStoreInBrowser: (store) => `Ouvrir ${store} dans le navigateur`,
  alwaysInBrowser: "Toujours ouvrir dans le navigateur",
  sharedBy: (name) => `Partagé par ${name}`,
  amazonAssociate:
    "En tant que Partenaire Amazon, je réalise un bénéfice sur les achats remplissant les conditions requises.",
  openInSafari: "Ouvrir dans Safari",
  openOutsideApp: "Ouvrir hors de cette appli",
  openByHand:
    "Pour ouvrir l’appli Amazon, touchez d’abord le menu (⋯) en haut, puis choisissez «\u00a0Ouvrir dans le navigateur\u00a0».",
  noAmazonApp: "Vous n’avez pas l’appli Amazon\u00a0?",
  getFromAppStore: "Télécharger l’appli",
  getFromGooglePlay: "Télécharger sur Google Play",
  reportThisLink: "Signaler ce lien",
  opensYourStore: (store) => `${store}, la boutique de votre pays, va s’ouvrir.`,
  openOriginalStore: (store) => `Aller plutôt sur ${store}`,
  linkNotFound: {
    heading: "Lien introuvable",
    sentence:
      "Il n’y a aucun lien à cette adresse. Il a peut-être été supprimé, ou l’adresse contient une faute de frappe.",
  },
  linkGone: {
    heading: "Ce lien n’est plus disponible",
    sentence: "Il a expiré ou a été supprimé. Demandez-en un nouveau à la personne qui vous l’a transmis.",
  },
  tooManyCodes: {
    heading: "Trop de tentatives",
    sentence: "Vérifiez l’adresse, puis réessayez dans une minute.",
  },
  linkUnavailable: {
    heading: "Nous revenons tout de suite",
    sentence: "Nous ne pouvons pas ouvrir ce lien pour le moment. Réessayez dans quelques secondes.",
  },
  goToSite: (productName) => `Aller sur ${productName}`,
};
