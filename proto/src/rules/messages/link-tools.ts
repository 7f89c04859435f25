export const shareLink = "Share link";
export const failedToShareLink = "Failed to share link. Please try again.";
export const qrCode = "QR code";
export const showQrCode = "Show QR code";
export const qrCodeOf = (shortUrl: string) => `QR code of ${shortUrl}`;
export const downloadSvg = "Download SVG";
export const downloadPng = "Download PNG";
export const failedToMakeQrCode = "Failed to make the QR code. Please try again.";
export const qrCodeTagNotice =
  "Amazon's help does not allow links with a tag offline or in QR codes. Check with Amazon before you print it, or use a link without a tag.";
export const affiliateTag = "Affiliate tag";
export const tagMissing = "This link has no tag, so purchases through it earn you nothing.";
export const tagValid = "It stays on the link in the app and in every browser.";
export const tagAttribution =
  "This is an Amazon Attribution tag: it reports to a seller and is not an associate's tag.";
export const tagsSeveral =
  "This link has more than one tag, and Amazon does not say which of them counts.";
export const tagForeign = (store: string, suffix: string) =>
  `Tags for ${store} usually end in ${suffix}. A tag earns only in the store it was issued for.`;
export const tagUnusual =
  "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";
export const disclosureAdvice = "Amazon requires you to say that you earn from such links:";
export const disclosureAccount = "As an Amazon Associate I earn from qualifying purchases.";
export const disclosureLink = "#ad";
export const copyDisclosure = (text: string) => `Copy "${text}"`;
export const textCopied = "Text copied to clipboard";
export const failedToCopyText = "Failed to copy the text. Please try again.";
export const howWillThisOpen = "How will this open?";
export const device = "Device";
export const devices = { ios: "iPhone", android: "Android", desktop: "Desktop" } as const;
export const openedIn = "Tapped in";
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
export const opensAtOnce = "The browser opens the original page at once:";
export const opensByItself = "Tries the Amazon app by itself. The page also has these buttons:";
export const opensByTap = "Waits for a tap. The page has these buttons:";
export const opensInUnknownApp =
  "This app cannot be identified, so it gets the same page as a browser.";
export const tagIsMarked = "The tag is marked.";
