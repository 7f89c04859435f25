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
  chatgpt: "ChatGPT",
  copilot: "Copilot or Bing",
  facebook: "Facebook",
  gemini: "Gemini",
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
