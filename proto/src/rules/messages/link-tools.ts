export const share = "Share";
export const shareLink = "Share link";
export const failedToShareLink = "Failed to share link. Please try again.";
export const qrCode = "QR code";
export const showQrCode = "Show QR code";
export const qrCodeOf = (shortUrl: string) => `QR code of ${shortUrl}`;
export const downloadSvg = "Download SVG";
export const downloadPng = "Download PNG";
export const failedToMakeQrCode = "Failed to make the QR code. Please try again.";
export const qrCodeTagNotice =
  "Amazon doesn't allow affiliate links offline or in QR codes. Check with Amazon before you print it, or use a link without a tag.";
export const affiliateTag = "Affiliate tag";
export const tagMissing = "This link has no tag, so you earn nothing from purchases.";
export const tagValid = "Your tag is kept in the app and in every browser.";
export const tagAttribution =
  "This is an Amazon Attribution tag. It reports to a seller and is not an Associates tag.";
export const severalTags =
  "This link has more than one tag, and Amazon doesn't say which one counts.";
export const tagForeign = (store: string, suffix: string) =>
  `Tags for ${store} usually end in ${suffix}. A tag earns only in the store it was issued for.`;
export const tagServedByOneLink = (store: string) =>
  `Amazon OneLink pays this tag on ${store}, as you said under Stores.`;
export const tagNeedsOneLink = (store: string) =>
  `This looks like a tag for amazon.com. It earns on ${store} only if you set up Amazon OneLink there.`;
export const sayWhereOneLinkServes = "Choose the stores that OneLink serves";
export const tagUnusual =
  "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";
export const disclosureAdvice = "Amazon requires a disclosure:";
export const disclosureAccount = "As an Amazon Associate I earn from qualifying purchases.";
export const disclosureLink = "#ad";
export const copyDisclosure = (text: string) => `Copy "${text}"`;
export const textCopied = "Text copied to clipboard";
export const failedToCopyText = "Failed to copy the text. Please try again.";
export const howWillThisOpen = "How will this open?";
const listed = (names: readonly string[]) => new Intl.ListFormat("en").format(names);
export const inApps = (apps: readonly string[]) =>
  apps.length === 0 ? null : `in ${listed(apps)}`;
export const inAppsOn = (system: string, apps: readonly string[]) =>
  apps.length === 0 ? null : `on ${system} in ${listed(apps)}`;
const opensOnPhones = "Opens the Amazon app on iPhone and Android";
/** @param examples of apps in which a tap is needed */
export const opensAmazonApp = (examples: readonly string[]) =>
  examples.length === 0
    ? `${opensOnPhones}.`
    : `${opensOnPhones}; in some apps one tap is needed, for example ${examples.join(", and ")}.`;
export const opensAmazonAppOnTap = (systems: readonly string[]) =>
  `${opensOnPhones}; on ${listed(systems)} one tap is needed.`;
export const showTechnicalDetails = "Show technical details";
export const hideTechnicalDetails = "Hide technical details";
export const device = "Device";
export const devices = { ios: "iPhone", android: "Android", desktop: "Desktop" } as const;
export const openedFrom = "Opened from";
export const appNames: Readonly<Record<string, string>> = {
  browser: "Browser",
  "other-view": "Another app",
  alipay: "Alipay",
  facebook: "Facebook",
  google: "Google",
  instagram: "Instagram",
  kakaotalk: "KakaoTalk",
  klarna: "Klarna",
  line: "LINE",
  linkedin: "LinkedIn",
  messenger: "Messenger",
  naver: "Naver",
  pinterest: "Pinterest",
  reddit: "Reddit",
  slack: "Slack",
  snapchat: "Snapchat",
  telegram: "Telegram",
  threads: "Threads",
  tiktok: "TikTok",
  wechat: "WeChat",
  weibo: "Weibo",
  whatsapp: "WhatsApp",
  x: "X",
  zalo: "Zalo",
};
export const appFromVersion = (app: string, from: string) => `${app}, from version ${from}`;
export const appBelowVersion = (app: string, below: string) => `${app}, before version ${below}`;
export const appBetweenVersions = (app: string, from: string, below: string) =>
  `${app}, from version ${from}, before ${below}`;
export const opensOriginalPage = "Opens the original page right away:";
export const opensOtherPage = "Opens this page right away:";
export const opensAutomatically = "Opens the Amazon app automatically. Backup buttons:";
export const opensOnTap = "Opens the Amazon app with one tap. Buttons on the page:";
export const opensInUnknownApp =
  "This app can't be identified, so it gets the same page as a browser.";
export const tagIsHighlighted = "Your tag is highlighted.";
