import type { PageMessages } from "./page-messages.ts";

export const tr: PageMessages = {
  openingAmazon: "Amazon açılıyor…",
  continueToAmazon: "Amazon’a devam et",
  appDidNotOpen:
    "Amazon uygulaması otomatik olarak açılmadıysa veya yanlış sayfada açıldıysa lütfen aşağıdaki seçeneklerden birini kullanın:",
  openInApp: "Amazon uygulamasında aç",
  tryAgainInApp: "Amazon uygulamasında tekrar dene",
  openStoreInBrowser: (store) => `${store} adresini tarayıcıda aç`,
  alwaysInBrowser: "Her zaman tarayıcıda aç",
  sharedBy: (name) => `Paylaşan: ${name}`,
  amazonAssociate: "Bir Amazon Gelir Ortağı olarak nitelikli satın alımlar üzerinden kazanç elde ediyorum.",
  openInSafari: "Safari’de aç",
  openOutsideApp: "Bu uygulamanın dışında aç",
  openByHand:
    "Amazon uygulamasını açmak için önce üstteki menüye (⋯) dokunun, ardından “Tarayıcıda aç” seçeneğini seçin.",
  noAmazonApp: "Amazon uygulamanız yok mu?",
  getFromAppStore: "Uygulamayı indir",
  getFromGooglePlay: "Google Play’den indir",
  reportThisLink: "Bu bağlantıyı bildir",
  opensYourStore: (store) => `Ülkenizin mağazası olan ${store} açılıyor.`,
  openOriginalStore: (store) => `Bunun yerine ${store} adresine git`,
  linkNotFound: {
    heading: "Bağlantı bulunamadı",
    sentence: "Bu adreste bir bağlantı yok. Silinmiş veya adres yanlış yazılmış olabilir.",
  },
  linkGone: {
    heading: "Bu bağlantı artık kullanılamıyor",
    sentence: "Süresi dolmuş veya kaldırılmış. Paylaşan kişiden yeni bir bağlantı isteyebilirsiniz.",
  },
  tooManyCodes: {
    heading: "Çok fazla deneme yapıldı",
    sentence: "Lütfen adresi kontrol edip bir dakika sonra tekrar deneyin.",
  },
  linkUnavailable: {
    heading: "Hemen döneceğiz",
    sentence: "Bu bağlantıyı şu anda açamıyoruz. Lütfen birkaç saniye sonra tekrar deneyin.",
  },
  goToSite: (productName) => `${productName} sitesine git`,
};
