import { SafeFetchError } from "@tapthru/core/platform/safe-fetch/errors";
import { accountPath } from "@tapthru/proto/rules/paths";
import { readerOf } from "@tapthru/proto/rules/webhooks";
import { Webhook } from "standardwebhooks";
import type { App } from "../app.ts";
import { chatBody, type SentEvent, sendEmail } from "./alert.ts";
import { type AttemptResult, readRetryAfter } from "./attempt-times.ts";

const GONE = 410;
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

export interface Receiver {
  webhookId: number;
  userId: number;
  url: string;
  isForPeople: boolean;
  /** The current one, and during a renewal the one before. */
  secrets: readonly string[];
}

/** Sends one attempt of an event, signed with each secret; to people, of several. @param id of the first one @returns null if it was aborted */
export async function sendEvents(
  app: Pick<App, "db" | "postWebhook" | "mailer" | "publicBaseUrl">,
  { webhookId, userId, url, secrets }: Receiver,
  { id, events }: { id: string; events: readonly SentEvent[] },
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const { postWebhook, publicBaseUrl } = app;
  const site = publicBaseUrl + accountPath(userId, "");
  const reader = readerOf(url);
  if (reader === "email") return sendEmail(app, webhookId, events, site);
  const body = reader === null ? events[0]?.body : chatBody(new URL(url), events, site);
  const text = JSON.stringify(body);
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, text));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
  try {
    const { status, retryAfter } = await postWebhook({ url, headers, body: text, deadline: signal });
    if (status === GONE) return { status, disables: "gone" };
    return { status, retryAfterMs: ASKS_TO_WAIT.has(status) ? readRetryAfter(retryAfter, Date.now()) : null };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return signal.aborted ? null : { error: error.code };
  }
}
