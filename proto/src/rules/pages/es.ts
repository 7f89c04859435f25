import type { PageMessages } from "./page-messages.ts";

export const es: PageMessages = {
  openingAmazon: "Abriendo Amazon…",
  continueToAmazon: "Continuar a Amazon",
  appDidNotOpen:
    "Si la app de Amazon no se abrió automáticamente o se abrió en la página equivocada, usa una de las siguientes opciones:",
  openInApp: "Abrir en la app de Amazon",
  tryAgainInApp: "Reintentar en la app de Amazon",
  openStoreInBrowser: (store) => `Abrir ${store} en el navegador`,
  alwaysInBrowser: "Abrir siempre en el navegador",
  sharedBy: (name) => `Compartido por ${name}`,
  amazonAssociate:
    "En calidad de Afiliado de Amazon, obtengo ingresos por las compras adscritas que cumplen los requisitos aplicables.",
  openInSafari: "Abrir en Safari",
  openOutsideApp: "Abrir fuera de esta app",
  openByHand:
    "Para abrir la app de Amazon, toca primero el menú (⋯) de la parte superior y elige «Abrir en el navegador».",
  noAmazonApp: "¿No tienes la app de Amazon?",
  getFromAppStore: "Descargar la app",
  getFromGooglePlay: "Descargar en Google Play",
  reportThisLink: "Denunciar este enlace",
  opensYourStore: (store) => `Se abre ${store}, la tienda de tu país.`,
  openOriginalStore: (store) => `Ir a ${store}`,
  linkNotFound: {
    heading: "Enlace no encontrado",
    sentence:
      "No hay ningún enlace en esta dirección. Puede que se haya eliminado o que la dirección no esté bien escrita.",
  },
  linkGone: {
    heading: "Este enlace ya no está disponible",
    sentence: "Ha caducado o se ha eliminado. Pide uno nuevo a quien lo compartió.",
  },
  tooManyCodes: {
    heading: "Demasiados intentos",
    sentence: "Comprueba la dirección y vuelve a intentarlo dentro de un minuto.",
  },
  linkUnavailable: {
    heading: "Volvemos enseguida",
    sentence: "Ahora mismo no podemos abrir este enlace. Vuelve a intentarlo dentro de unos segundos.",
  },
  goToSite: (productName) => `Ir a ${productName}`,
};
