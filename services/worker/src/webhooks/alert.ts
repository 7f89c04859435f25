import { displayName, type NamedLink } from "@tapthru/proto/rules/display-name";
import { messages } from "@tapthru/proto/rules/messages";
import { formatMoney } from "@tapthru/proto/rules/money";
import { paths } from "@tapthru/proto/rules/paths";
import { shortenText } from "@tapthru/proto/rules/shorten-text";
import type { WebhookReader } from "@tapthru/proto/rules/webhooks";
import type { WebhookPayload } from "@tapthru/proto/webhooks";
import type { Mail } from "../emails/mailer.ts";

const NAME_MAX_LENGTH = 100;
/** Of Discord, which has the lowest limit. */
const MESSAGE_MAX_LENGTH = 2_000;

/** One sentence about an event, and the page that shows more. */
function alertOf({ type, data }: WebhookPayload): [text: string, path: string] {
  switch (type) {
    case "test":
      return ["This is a test. Alerts arrive here.", paths.notifications];
    case "clicks.unusual": {
      const { people, usual } = data.clicks;
      return [`${nameOf(data)} had ${people} people in an hour that usually has ${usual}.`, paths.link(data.shortCode)];
    }
    case "link.unhealthy":
      return [`${nameOf(data)}: ${messages.healthReasons[data.health.state]}`, paths.link(data.shortCode)];
    case "import.finished":
      return [`The import of ${data.fileName ?? "links"} created ${data.counts.created} links.`, paths.import];
    case "domain.failing":
      return [`${data.host}: ${messages.domainNoticeReasons[data.problem]}`, paths.domains];
    case "channel.failing":
      return [`Fewer clicks of ${data.channel.name} arrive at amazon.${data.marketplace}.`, paths.earnings];
    case "earnings.falling": {
      const { marketplace, currency, earnings, usualEarnings } = data;
      const [last, usual] = [formatMoney(earnings, currency), formatMoney(usualEarnings, currency)];
      return [`You earned ${last} at amazon.${marketplace} in seven days, and usually ${usual}.`, paths.earnings];
    }
    case "limit.reached":
      return [`${data.pattern.name} has as many links as it can have, and creates no more for now.`, paths.developers];
    case "link.reported":
      return [`The link ${data.shortCode} was reported: ${data.reason}.`, paths.operator];
    case "link.deleted":
      return [`The link ${data.shortCode} was deleted.`, paths.dashboard];
    default:
      return [`${nameOf(data)} was ${type === "link.created" ? "created" : "changed"}.`, paths.link(data.shortCode)];
  }
}

function nameOf({ nickname, title, webUrl }: Omit<NamedLink, "originalUrl"> & { webUrl: string }): string {
  return displayName({ nickname, title, originalUrl: webUrl }, "");
}

/** One message about all events. @param quote escapes what the reader would interpret */
function messageOf(events: readonly WebhookPayload[], site: string, quote = (text: string) => text): string {
  let message = "";
  for (const [index, event] of events.entries()) {
    const [text, path] = alertOf(event);
    const line = `${quote(shortenText(text.replace(/\s+/g, " "), 3 * NAME_MAX_LENGTH))}\n${site}${path}\n\n`;
    // The rest is shorter than a hundred characters.
    if (message.length + line.length > MESSAGE_MAX_LENGTH - 100) {
      return `${message}${events.length - index} more: ${site}${paths.notifications}`;
    }
    message += line;
  }
  return message.trim();
}

/** The body of a request to a chat. @param url of the chat */
export function chatBody(reader: WebhookReader, url: string, events: readonly WebhookPayload[], site: string): string {
  const message = (quote?: (text: string) => string) => messageOf(events, site, quote);
  if (reader === "slack") return JSON.stringify({ text: message(escapeForSlack) });
  if (reader === "telegram") {
    return JSON.stringify({ chat_id: new URL(url).searchParams.get("chat_id"), text: message() });
  }
  return JSON.stringify({ content: message(escapeMarkdown), allowed_mentions: { parse: [] } });
}

const escapeForSlack = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const escapeMarkdown = (text: string) => text.replace(/[\\*_~`|<>[\]()#@-]/g, "\\$&");

export function alertMail(events: readonly WebhookPayload[], productName: string, site: string): Mail {
  const [first] = events.map((event) => alertOf(event)[0]);
  return {
    subject:
      events.length === 1 && first !== undefined ? shortenText(first, NAME_MAX_LENGTH) : `${events.length} alerts`,
    text: `${messageOf(events, site)}\n\n--\nYou chose these emails at ${productName}: ${site}${paths.notifications}`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
