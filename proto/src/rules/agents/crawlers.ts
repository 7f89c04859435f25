// Names are matched case-insensitively. Names that may be anywhere in an agent are in no in-app browser's agent, so a
// person in an app is never taken for the app's crawler.

/** Crawlers that create a preview of a link in a message or a post. */
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

/** These names are also names of apps that people use, so they are matched at the start of the agent only. */
export const PREVIEW_CRAWLER_STARTS: readonly string[] = ["WhatsApp", "Viber", "Pinterest/0."];

/** Search engines, AI, archives: they get the same response as a desktop browser. */
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
  "GoogleOther",
  "OAI-SearchBot",
  "ChatGPT-User",
  "ClaudeBot",
  "Claude-User",
  "PerplexityBot",
  "Perplexity-User",
  "Chrome-Lighthouse",
];

/** Matched at the start only: apps that people use contain the same libraries. */
export const HTTP_LIBRARY_STARTS: readonly string[] = [
  "curl/",
  "Wget/",
  "python-requests/",
  "okhttp/",
  "Go-http-client/",
  "axios/",
  "k6/",
];
