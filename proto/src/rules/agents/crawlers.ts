// Names are matched without case. Of those that may stand anywhere none is a word an in-app browser
// uses, so a person inside an app is never taken for the app's crawler.

/** Fetchers that draw a card from a link in a message or a post. */
export const PREVIEW_CRAWLER_NAMES: readonly string[] = [
  "facebookexternalhit",
  "facebookcatalog",
  "Facebot",
  "Twitterbot",
  "Slackbot",
  "Slack-ImgProxy",
  "Discordbot",
  "TelegramBot",
  "LinkedInBot",
  "Pinterestbot",
  "redditbot",
  "SkypeUriPreview",
  "MicrosoftPreview",
  "BingPreview",
  "Embedly",
  "Iframely",
  "vkShare",
  "Mastodon/",
  "Bluesky Cardyb",
  "Cardyb/",
  "Snap URL Preview Service",
  "kakaotalk-scrap",
  "line-poker",
  "naver.me/spd",
  "naver.me/scrap",
  "FlipboardProxy",
  "Quora-Bot",
  "bitlybot",
];

/** These name themselves like the app whose people we also see: only at the start of the agent. */
export const PREVIEW_CRAWLER_STARTS: readonly string[] = ["WhatsApp", "Viber", "Pinterest/0."];

/** Search engines, AI, archives: they follow the link as a browser would. */
export const OTHER_CRAWLER_NAMES: readonly string[] = [
  "meta-external",
  "meta-webindexer",
  "bingbot",
  "adidxbot",
  "Applebot",
  "Googlebot",
  "AdsBot-Google",
  "Storebot-Google",
  "Google-InspectionTool",
  "Google-Read-Aloud",
  "Linespider",
  "Yeti/",
  "Bytespider",
  "TikTokSpider",
  "archive.org_bot",
  "DuckDuckBot",
  "YandexBot",
  "Baiduspider",
  "PetalBot",
  "AhrefsBot",
  "SemrushBot",
  "Amazonbot",
  "GPTBot",
  "ChatGPT-User",
  "ClaudeBot",
  "Claude-User",
  "PerplexityBot",
  "Chrome-Lighthouse",
];

/** Only at the start: the same libraries are also built into apps that people use. */
export const HTTP_LIBRARY_STARTS: readonly string[] = [
  "curl/",
  "Wget/",
  "python-requests/",
  "okhttp/",
  "Go-http-client/",
  "axios/",
  "k6/",
];
