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

/**
 * What reads a page because a person asked an assistant (github.com/ai-robots-txt/ai.robots.txt, crawler-user-agents). Most call
 * themselves `…-User/1.0`.
 */
export const ASSISTANT_NAMES: readonly string[] = [
  "-User/",
  "ChatGPT-User",
  "ChatGPT Agent",
  "Claude-User",
  "Claude-Code",
  "Perplexity-User",
  "PerplexityUser",
  "Gemini-User",
  "Gemini-Deep-Research",
  "Google-Gemini-CLI",
  "Google-NotebookLM",
  "Google-Agent",
  "GoogleAgent-",
  "MistralAI-User",
  "DuckAssistBot",
  "meta-externalfetcher",
  "Amzn-User",
  "Manus-User",
  "kagi-fetcher",
  "iAskBot",
  "LinerBot",
  "cohere-ai",
];

/** Search engines, training of AI, archives, mail programs: they get the same response as a desktop browser. */
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
  "ClaudeBot",
  "PerplexityBot",
  "Chrome-Lighthouse",
  "GoogleImageProxy",
  "YahooMailProxy",
  // Office reads an address before it opens the browser.
  "ms-office",
  "Microsoft Office",
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
