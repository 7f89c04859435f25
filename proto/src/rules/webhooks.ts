/** The types of events that webhooks receive. */
export const WEBHOOK_EVENTS = [
  "link.created",
  "link.changed",
  "link.deleted",
  "link.unhealthy",
  "import.finished",
  "domain.failing",
  "channel.failing",
  "clicks.unusual",
  "earnings.falling",
  "limit.reached",
  /** Only for operators. */
  "link.reported",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The address of a webhook that sends emails to its user. */
export const EMAIL_WEBHOOK = "mailto:";

/** The people who read what is sent to an address; null: a program does. */
export function readerOf(url: string): "email" | "slack" | "discord" | "telegram" | null {
  if (url === EMAIL_WEBHOOK) return "email";
  const { hostname } = new URL(url);
  if (hostname === "hooks.slack.com") return "slack";
  if (hostname === "api.telegram.org") return "telegram";
  return /^(?:(?:ptb|canary)\.)?discord(?:app)?\.com$/.test(hostname) ? "discord" : null;
}

/** `whsec_` and the base64 of 24 to 64 bytes, as the Standard Webhooks specification says. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";
export const WEBHOOK_SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

const LOCAL_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** A name of the public internet has a dot. Its last label has a letter; that of an IPv4 address has none. */
const PUBLIC_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/;

/** Whether the host of a parsed address may be a name of the public internet. What it resolves to is checked later. */
export function isPublicHostName(host: string): boolean {
  return host.length <= 253 && PUBLIC_NAME.test(host);
}

/** A server on this machine, for local development. */
export function isLocalTarget(url: URL): boolean {
  return url.protocol === "http:" && hasNoUser(url) && LOCAL_HOSTS.has(url.hostname);
}

/**
 * The address to which a webhook is sent, without fragment; null if it is not allowed.
 * @param allowsLocal whether servers on this machine are allowed too
 */
export function webhookTarget(text: string, { allowsLocal }: { allowsLocal: boolean }) {
  if (text === EMAIL_WEBHOOK) return text;
  const url = URL.parse(text);
  if (url === null) return null;
  const isPublic = url.protocol === "https:" && url.port === "" && hasNoUser(url) && isPublicHostName(url.hostname);
  if (!isPublic && !(allowsLocal && isLocalTarget(url))) return null;
  url.hash = "";
  return url.href;
}

function hasNoUser({ username, password }: URL): boolean {
  return username === "" && password === "";
}
