import { en } from "./en.ts";
import type { PageMessages } from "./page-messages.ts";

export const ar: PageMessages = {
  openingAmazon: "جارٍ فتح أمازون…",
  continueToAmazon: "المتابعة إلى أمازون",
  appDidNotOpen: "إذا لم يُفتح تطبيق أمازون تلقائيًا أو فُتح على صفحة خاطئة، فاستخدم أحد الخيارات التالية:",
  openInApp: "فتح في تطبيق أمازون",
  tryAgainInApp: "إعادة المحاولة في تطبيق أمازون",
  openStoreInBrowser: (store) => `فتح ${store} في المتصفح`,
  alwaysInBrowser: "الفتح دائمًا في المتصفح",
  sharedBy: (name) => `شاركه ${name}`,
  amazonAssociate: en.amazonAssociate,
  openInSafari: "فتح في Safari",
  openOutsideApp: "فتح خارج هذا التطبيق",
  openByHand: "لفتح تطبيق أمازون، اضغط أولًا على القائمة (⋯) في الأعلى ثم اختر «فتح في المتصفح».",
  noAmazonApp: "ليس لديك تطبيق أمازون؟",
  getFromAppStore: "تنزيل التطبيق",
  getFromGooglePlay: "تنزيل من Google Play",
  reportThisLink: "الإبلاغ عن هذا الرابط",
  opensYourStore: (store) => `يتم فتح ${store}، متجر بلدك.`,
  openOriginalStore: (store) => `الانتقال إلى ${store} بدلاً من ذلك`,
  linkNotFound: {
    heading: "الرابط غير موجود",
    sentence: "لا يوجد رابط على هذا العنوان. ربما حُذف الرابط أو كُتب العنوان بشكل غير صحيح.",
  },
  linkGone: {
    heading: "لم يعد هذا الرابط متاحًا",
    sentence: "انتهت صلاحيته أو أُزيل. اطلب رابطًا جديدًا ممن شاركه معك.",
  },
  tooManyCodes: {
    heading: "محاولات كثيرة جدًا",
    sentence: "يُرجى التحقق من العنوان والمحاولة مرة أخرى بعد دقيقة.",
  },
  linkUnavailable: {
    heading: "سنعود بعد قليل",
    sentence: "يتعذّر علينا فتح هذا الرابط حاليًا. يُرجى المحاولة مرة أخرى بعد بضع ثوانٍ.",
  },
  goToSite: (productName) => `الانتقال إلى ${productName}`,
};
