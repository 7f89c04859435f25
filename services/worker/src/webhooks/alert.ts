import { paths } from "@tapthru/proto/rules/paths";
import { shortenText } from "@tapthru/proto/rules/shorten-text";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { unsubscribeUrl } from "@tapthru/proto/unsubscribe";
import { alertOf, type WebhookPayload } from "@tapthru/proto/webhook-events";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { App } from "../app.ts";
import { type Mail, SendError, sendFailure } from "../emails/mailer.ts";
import type { AttemptResult } from "./attempt-times.ts";

const EMAIL_ACCEPTED = 250;
const LISTED_EVENTS = 10;
const SENTENCE_MAX_LENGTH = 200;
/** Three dots less than the 2,000 that Discord allows. */
const MESSAGE_MAX_LENGTH = 1_997;

export interface SentEvent {
  body: { type: string; timestamp: string; data: object };
  /** The body; null if it is not as this release knows it. */
  readable: WebhookPayload | null;
}

const describe = ({ readable, body }: SentEvent) =>
  readable === null ? [`An event of the type ${body.type}.`, paths.notifications] : alertOf(readable);

const sentenceOf = (event: SentEvent) =>
  shortenText((describe(event)[0] ?? "").replace(/\s+/g, " "), SENTENCE_MAX_LENGTH);

/** One message about all events. @param site where the pages of the account begin @param quote escapes what its reader would interpret */
function messageOf(events: readonly SentEvent[], site: string, quote = (text: string) => text): string {
  const lines = events.map((event) => `${quote(sentenceOf(event))} ${site}${describe(event)[1]}`);
  const others = lines.splice(LISTED_EVENTS).length;
  if (others > 0) lines.push(`And ${others} more: ${site}${paths.notifications}`);
  return shortenText(lines.join("\n"), MESSAGE_MAX_LENGTH);
}

export function chatBody(url: URL, events: readonly SentEvent[], site: string): object {
  switch (readerOf(url.href)) {
    case "slack":
      return { text: messageOf(events, site, escapeForSlack) };
    case "telegram":
      return { chat_id: url.searchParams.get("chat_id"), text: messageOf(events, site) };
    case "google-chat":
      return { text: messageOf(events, site, (text) => text.replaceAll("<", "‹").replaceAll(">", "›")) };
    case "text":
      return { text: messageOf(events, site, escapeForText) };
    case "teams":
      return { type: "message", attachments: [adaptiveCard(messageOf(events, site, escapeMarkdown))] };
    default:
      return { content: messageOf(events, site, escapeMarkdown), allowed_mentions: { parse: [] } };
  }
}

/** A card that Teams shows. Two line breaks end a line of it. */
function adaptiveCard(message: string) {
  const body = [{ type: "TextBlock", wrap: true, text: message.replaceAll("\n", "\n\n") }];
  const content = { type: "AdaptiveCard", version: "1.4", body };
  return { contentType: "application/vnd.microsoft.card.adaptive", content };
}

const escapeForSlack = (text: string) =>
  text.replace(/[&<>]/g, (sign) => `&${{ "&": "amp", "<": "lt" }[sign] ?? "gt"};`);
const escapeMarkdown = (text: string) => text.replace(/[\\*_~`|<>[\]()#@-]/g, "\\$&");

/** A mention notifies people in spite of a backslash, but not with an invisible sign in it. */
const escapeForText = (text: string) => escapeMarkdown(text).replaceAll("\\@", "@\u200b");

export function alertMail(events: readonly SentEvent[], site: string, stopUrl: string): Mail {
  const [only = "", ...others] = events.map(sentenceOf);
  return {
    kind: "alert",
    subject: others.length === 0 ? only : `${events.length} alerts`,
    text: `${messageOf(events, site)}\n\n--\nYou chose these emails: ${site}${paths.notifications}\nStop them: ${stopUrl}`,
    stopUrl,
  };
}

/** To the address of the user, if it is confirmed. */
export async function sendEmail(
  { db, mailer, publicBaseUrl }: Pick<App, "db" | "mailer" | "publicBaseUrl">,
  webhookId: number,
  events: readonly SentEvent[],
  site: string,
): Promise<AttemptResult> {
  const { address, token } = await db.one(sql.type(z.object({ address: z.nullable(z.string()), token: z.string() }))`
    SELECT alert_address(id) AS address, unsubscribe_token AS token FROM webhooks WHERE id = ${webhookId}
  `);
  if (address === null) return { error: "refused-address" };
  try {
    await mailer?.send(address, alertMail(events, site, unsubscribeUrl(publicBaseUrl, token)));
    return mailer === null ? { error: "unreachable" } : { status: EMAIL_ACCEPTED };
  } catch (error) {
    const sendError = SendError.parse(error);
    const { result, isDeadAddress } = sendFailure(sendError);
    const { responseCode } = sendError;
    return {
      ...(responseCode === undefined
        ? { error: "unreachable" }
        : { status: responseCode, isFinal: result === "failed" }),
      ...(isDeadAddress && { disables: "refused" }),
    };
  }
}
