import type { PageMessages } from "./page-messages.ts";

/** Brazilian Portuguese. */
export const pt: PageMessages = {
  openingAmazon: "Abrindo a Amazon…",
  continueToAmazon: "Continuar para a Amazon",
  appDidNotOpen: "Se o app da Amazon não abriu automaticamente ou abriu na página errada, use uma das opções abaixo:",
  openInApp: "Abrir no app da Amazon",
  tryAgainInApp: "Tentar de novo no app da Amazon",
  openStoreInBrowser: (store) => `Abrir ${store} no navegador`,
  alwaysInBrowser: "Abrir sempre no navegador",
  sharedBy: (name) => `Compartilhado por ${name}`,
  amazonAssociate:
    "Como participante do Programa de Associados da Amazon, sou remunerado pelas compras qualificadas efetuadas.",
  openInSafari: "Abrir no Safari",
  openOutsideApp: "Abrir fora deste app",
  openByHand: "Para abrir o app da Amazon, toque primeiro no menu (⋯) no topo da tela e escolha “Abrir no navegador”.",
  noAmazonApp: "Não tem o app da Amazon?",
  getFromAppStore: "Baixar o app",
  getFromGooglePlay: "Baixar no Google Play",
  reportThisLink: "Denunciar este link",
  opensYourStore: (store) => `Abre ${store}, a loja do seu país.`,
  openOriginalStore: (store) => `Ir para ${store}`,
  linkNotFound: {
    heading: "Link não encontrado",
    sentence:
      "Não há nenhum link neste endereço. Ele pode ter sido excluído, ou o endereço pode ter sido digitado incorretamente.",
  },
  linkGone: {
    heading: "Este link não está mais disponível",
    sentence: "Ele expirou ou foi removido. Peça um novo a quem o compartilhou.",
  },
  tooManyCodes: {
    heading: "Muitas tentativas",
    sentence: "Verifique o endereço e tente novamente em um minuto.",
  },
  linkUnavailable: {
    heading: "Voltamos já",
    sentence: "Não conseguimos abrir este link no momento. Tente novamente em alguns segundos.",
  },
  goToSite: (productName) => `Ir para ${productName}`,
};
