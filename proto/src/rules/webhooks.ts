export const EMAIL_WEBHOOK = "mailto:";

/**
 * Hosts of chats, and the part of an address that takes messages. Addresses for workflows of Slack, and Discord's for programs
 * that write to Slack or GitHub, want other fields.
 */
const CHATS = {
  slack: { host: /^hooks\.slack\.com$/, path: /^\/services\/./ },
  telegram: { host: /^api\.telegram\.org$/, path: /^\/bot[^/]+\/sendMessage\?(?:.*&)?chat_id=./ },
  discord: {
    host: /^(?:ptb\.|canary\.)?discord(?:app)?\.com$/,
    path: /^\/api\/(?:v\d{1,2}\/)?webhooks\/[^/?]+\/[^/?]+\/?(?:\?|$)/,
  },
  "google-chat": { host: /^chat\.googleapis\.com$/, path: /^\/v1\/spaces\/[^/?]+\/messages\?(?=.*\bkey=.).*\btoken=./ },
  teams: {
    host: /\.logic\.azure\.(?:com|us|cn)$|\.environment\.api\.(?:\w+\.)?(?:powerplatform|appsplatform)\.(?:com|us|microsoft\.(?:us|scloud)|partner\.microsoftonline\.cn|eaglex\.ic\.gov)$|(?:\.webhook|^outlook)\.office(?:365)?\.(?:com|us)$/,
    path: /^(?:\/powerautomate\/automations\/direct(?:\/cu\/\w+)?)?\/(?:workflows|webhookb2|webhook)\/./,
  },
  /** Mattermost, Rocket.Chat and others on any host, which the user marks with `#text`. */
  text: { host: /^$/, path: /^/ },
};
type Chat = keyof typeof CHATS;
const TEXT = "#text";

function chatOf({ hostname, hash }: URL): Chat | null {
  const chat = (Object.keys(CHATS) as Chat[]).find((each) => CHATS[each].host.test(hostname));
  return chat ?? (hash === TEXT ? "text" : null);
}

/** The people who read what is sent to an address, or to its origin; null: a program does. */
export function readerOf(url: string): "email" | Chat | null {
  return url === EMAIL_WEBHOOK ? "email" : chatOf(new URL(url));
}

/** Returns the part of an address that people may see: of a chat, the origin. */
export function shownUrl(url: string): string {
  const reader = readerOf(url);
  return reader === null || reader === "email" ? url : new URL(url).origin + (reader === "text" ? TEXT : "");
}

/** `whsec_` and the base64 of 24 to 64 bytes, as the Standard Webhooks specification says. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";
export const WEBHOOK_SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** A name of the public internet has a dot. Its last label has a letter; that of an IPv4 address has none. */
const PUBLIC_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/;

/** Returns true if the host of a parsed address may be a name of the public internet. Its addresses are checked later. */
export function isPublicHostName(host: string): boolean {
  return host.length <= 253 && PUBLIC_NAME.test(host);
}

export function isLocalTarget(url: URL): boolean {
  return url.protocol === "http:" && hasNoUser(url) && LOCAL_HOSTS.has(url.hostname);
}

/** Without a fragment but `#text`; null if it is not allowed. @param allowsLocal whether servers on this machine are allowed too */
export function webhookTarget(text: string, { allowsLocal }: { allowsLocal: boolean }) {
  if (text === EMAIL_WEBHOOK) return text;
  const url = URL.parse(text);
  if (url === null) return null;
  const isPublic = url.protocol === "https:" && url.port === "" && hasNoUser(url) && isPublicHostName(url.hostname);
  if (!isPublic && !(allowsLocal && isLocalTarget(url))) return null;
  const chat = chatOf(url);
  if (chat !== null && !CHATS[chat].path.test(url.pathname + url.search)) return null;
  url.hash = chat === "text" ? TEXT : "";
  return url.href;
}

function hasNoUser({ username, password }: URL): boolean {
  return username === "" && password === "";
}
