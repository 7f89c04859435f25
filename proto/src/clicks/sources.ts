import { ASSISTANT_REFERRERS } from "./keys.ts";

/**
 * An app or site under all its addresses: hosts with their subdomains, the names of Android apps, which are hosts of
 * `android-app://` addresses, and what programs call themselves in the `utm_source` that they add to links. The breakdown by
 * app has the same names.
 */
const HOSTS_OF_SOURCES = {
  [ASSISTANT_REFERRERS]: `chatgpt.com chat.openai.com com.openai.chatgpt claude.ai com.anthropic.claude perplexity.ai
    ai.perplexity.app.android gemini.google.com notebooklm.google.com com.google.android.apps.bard copilot.microsoft.com
    copilot.cloud.microsoft m365.cloud.microsoft com.microsoft.copilot grok.com ai.x.grok chat.mistral.ai
    chat.deepseek.com meta.ai duck.ai you.com phind.com poe.com kimi.com
    chatgpt openai claude perplexity gemini copilot copilot.com grok mistral deepseek`,
  bing: "bing.com com.microsoft.bing",
  bluesky: "bsky.app xyz.blueskyweb.app bsky",
  discord: "discord.com discordapp.com com.discord",
  duckduckgo: "duckduckgo.com com.duckduckgo.mobile.android",
  facebook: "facebook.com fb.com fb.me com.facebook.katana com.facebook.lite fb",
  gmail: "mail.google.com com.google.android.gm",
  google: "google.com com.google.android.googlequicksearchbox",
  "google-messages": "messages.google.com com.google.android.apps.messaging",
  instagram: "instagram.com com.instagram.android com.instagram.lite ig",
  kakaotalk: "com.kakao.talk",
  line: "line.me com.linecorp.linelite jp.naver.line.android",
  linkedin: "linkedin.com lnkd.in com.linkedin.android",
  mastodon: "mastodon.social mastodon.online mstdn.social org.joinmastodon.android",
  messenger: "messenger.com m.me com.facebook.orca com.facebook.mlite",
  outlook: "outlook.live.com outlook.office.com outlook.office365.com com.microsoft.office.outlook",
  pinterest: "pinterest.com pin.it com.pinterest",
  qq: "com.tencent.mobileqq",
  reddit: "reddit.com redd.it com.reddit.frontpage",
  "samsung-email": "com.samsung.android.email.provider",
  "samsung-messages": "com.samsung.android.messaging",
  signal: "signal.org signal.me org.thoughtcrime.securesms",
  slack: "slack.com slack-redir.net com.slack",
  snapchat: "snapchat.com com.snapchat.android",
  teams: "teams.microsoft.com teams.live.com com.microsoft.teams",
  telegram: "telegram.org telegram.me t.me org.telegram.messenger org.telegram.messenger.web",
  threads: "threads.com threads.net com.instagram.barcelona",
  tiktok: "tiktok.com com.zhiliaoapp.musically com.ss.android.ugc.trill",
  tumblr: "tumblr.com com.tumblr",
  twitch: "twitch.tv tv.twitch.android.app",
  viber: "viber.com com.viber.voip",
  vk: "vk.com com.vkontakte.android",
  wechat: "com.tencent.mm",
  weibo: "weibo.com com.sina.weibo",
  whatsapp: "whatsapp.com wa.me l.wl.co com.whatsapp com.whatsapp.w4b",
  x: "x.com twitter.com t.co com.twitter.android",
  "yahoo-mail": "mail.yahoo.com com.yahoo.mobile.client.android.mail",
  youtube: "youtube.com youtu.be com.google.android.youtube",
  zalo: "zalo.me com.zing.zalo",
};

const SOURCES = new Map(
  Object.entries(HOSTS_OF_SOURCES).flatMap(([source, hosts]) => hosts.split(/\s+/).map((host) => [host, source])),
);
const NATIONAL = /(?<=^|\.)(google|pinterest)\.(?:com?\.)?[a-z]{2}$/;

export function referrerSource(host: string): string {
  let part = host.replace(NATIONAL, "$1.com");
  for (;;) {
    const source = SOURCES.get(part);
    if (source !== undefined) return source;
    const dot = part.indexOf(".");
    if (dot === -1) return host;
    part = part.slice(dot + 1);
  }
}

/** Hosts of webmail, also on their own domains, and of mail apps. */
const MAIL_HOST =
  /^(?:(?:e|web)?mail\d*\.[^.]+\.|e\.mail\.ru$|outlook\.(?:live|office(?:365)?)\.com$|app\.fastmail\.com$|deref-(?:gmx|mail|web)\.|com\.(?:google\.android\.gm|microsoft\.office\.outlook|samsung\.android\.email|yahoo\.mobile\.client\.android\.mail)(?:\.|$)|ch\.protonmail\.android$)/;

export const isMailHost = (host: string) => MAIL_HOST.test(host);

export const isSource = (lowerCase: string) => SOURCES.has(lowerCase) || Object.hasOwn(HOSTS_OF_SOURCES, lowerCase);
