import { en } from "./en.ts";
import type { PageMessages } from "./page-messages.ts";

export const hi: PageMessages = {
  openingAmazon: "Amazon खुल रहा है…",
  continueToAmazon: "Amazon पर जाएँ",
  appDidNotOpen: "अगर Amazon ऐप अपने आप नहीं खुला या गलत पेज पर खुला, तो नीचे दिए गए विकल्पों में से कोई एक चुनें:",
  openInApp: "Amazon ऐप में खोलें",
  tryAgainInApp: "Amazon ऐप में फिर से खोलें",
  openStoreInBrowser: (store) => `${store} को ब्राउज़र में खोलें`,
  alwaysInBrowser: "हमेशा ब्राउज़र में खोलें",
  sharedBy: (name) => `${name} ने साझा किया`,
  amazonAssociate: en.amazonAssociate,
  openInSafari: "Safari में खोलें",
  openOutsideApp: "इस ऐप के बाहर खोलें",
  openByHand: "Amazon ऐप खोलने के लिए, पहले ऊपर दिए मेन्यू (⋯) पर टैप करें और “ब्राउज़र में खोलें” चुनें।",
  noAmazonApp: "Amazon ऐप नहीं है?",
  getFromAppStore: "ऐप डाउनलोड करें",
  getFromGooglePlay: "Google Play से डाउनलोड करें",
  reportThisLink: "इस लिंक की शिकायत करें",
  opensYourStore: (store) => `इससे आपके देश का स्टोर ${store} खुलेगा।`,
  openOriginalStore: (store) => `इसके बजाय ${store} पर जाएँ`,
  linkNotFound: {
    heading: "लिंक नहीं मिला",
    sentence: "इस पते पर कोई लिंक नहीं है। हो सकता है कि लिंक हटा दिया गया हो या पता ग़लत लिखा हो।",
  },
  linkGone: {
    heading: "यह लिंक अब उपलब्ध नहीं है",
    sentence: "इसकी समय-सीमा खत्म हो गई है या इसे हटा दिया गया है। जिसने इसे शेयर किया था, उससे नया लिंक माँगें।",
  },
  tooManyCodes: {
    heading: "बहुत ज़्यादा कोशिशें",
    sentence: "कृपया पता जाँचें और एक मिनट बाद फिर से कोशिश करें।",
  },
  linkUnavailable: {
    heading: "हम जल्द ही वापस आएँगे",
    sentence: "अभी हम यह लिंक नहीं खोल पा रहे हैं। कृपया कुछ सेकंड बाद फिर से कोशिश करें।",
  },
  goToSite: (productName) => `${productName} पर जाएँ`,
};
