import type { PageMessages } from "./page-messages.ts";

export const ja: PageMessages = {
  openingAmazon: "Amazonを開いています…",
  continueToAmazon: "Amazonへ進む",
  appDidNotOpen: "Amazonアプリが自動的に開かない場合や、別のページが開いた場合は、以下のいずれかをお選びください。",
  openInApp: "Amazonアプリで開く",
  tryAgainInApp: "もう一度Amazonアプリで開く",
  openStoreInBrowser: (store) => `${store}をブラウザで開く`,
  alwaysInBrowser: "いつもブラウザで開く",
  sharedBy: (name) => `${name}さんがシェアしたリンク`,
  amazonAssociate: "Amazonのアソシエイトとして、私は適格販売により収入を得ています。",
  openInSafari: "Safariで開く",
  openOutsideApp: "このアプリの外で開く",
  openByHand: "Amazonアプリを開くには、まず上部のメニュー（⋯）をタップし、「ブラウザで開く」を選択してください。",
  noAmazonApp: "Amazonアプリをお持ちでない場合",
  getFromAppStore: "アプリをダウンロード",
  getFromGooglePlay: "Google Playでダウンロード",
  reportThisLink: "このリンクを報告",
  opensYourStore: (store) => `お住まいの国のストア ${store} を開きます。`,
  openOriginalStore: (store) => `代わりに ${store} を開く`,
  linkNotFound: {
    heading: "リンクが見つかりません",
    sentence: "このアドレスにリンクはありません。削除されたか、入力に誤りがある可能性があります。",
  },
  linkGone: {
    heading: "このリンクは現在ご利用いただけません",
    sentence: "有効期限が切れたか、削除されました。共有した方に新しいリンクをお尋ねください。",
  },
  tooManyCodes: {
    heading: "試行回数が多すぎます",
    sentence: "アドレスをご確認のうえ、1分後にもう一度お試しください。",
  },
  linkUnavailable: {
    heading: "まもなく復旧します",
    sentence: "現在このリンクを開くことができません。数秒後にもう一度お試しください。",
  },
  goToSite: (productName) => `${productName}へ移動`,
};
